"""The editor's form as flat text, and what one does with it: ``buy-0-card``, ``buy-0-1-number``.

``buy`` is how many rules the list has, ``buy-0`` how many conditions its first rule has. Nothing here
judges a value: `games.dominion.strategies.form` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.dominion.strategies import form
from games.strategies import Data

Lists = dict[str, list[dict[str, Any]]]
FIRST = {"buy": "Gold", "play": "any Action", "trash": "Curse"}
"""Card that a fresh rule of a list names."""
FRESH_CONDITION = {"what": "owned", "card": "Gold", "is": ">=", "number": 1}
MAX_DIGITS = 6
BLANK: Data = {
    "version": form.VERSION,
    "game": form.GAME,
    "name": "",
    "about": "",
    "buy": [{"card": card, "when": []} for card in ("Province", "Gold", "Silver")],
    "play": [],
    "trash": [],
}


@dataclass(frozen=True)
class Place:
    """Place that keeps the keyboard after a change: a part of a rule, or of a list (rule None)."""

    list: str
    rule: int | None
    part: str

    def __str__(self) -> str:
        return f"{self.list}-{self.part}" if self.rule is None else f"{self.list}-{self.rule}-{self.part}"


def _count(posted: Mapping[str, str], key: str, most: int) -> int:
    text = posted.get(key, "")
    return min(int(text), most) if text.isdecimal() and len(text) <= MAX_DIGITS else 0


def _number(text: str) -> Any:
    """The whole number that was typed, or the text where it is none."""
    plain = text.strip().replace("\u2212", "-")
    is_whole = plain.removeprefix("-").isdecimal() and len(plain) <= MAX_DIGITS
    return int(plain) if is_whole else text.strip()


def _condition(posted: Mapping[str, str], prefix: str) -> dict[str, Any]:
    what = posted.get(f"{prefix}-what", "")
    if what not in form.QUANTITIES:
        return dict(FRESH_CONDITION)
    made: dict[str, Any] = {"what": what}
    if form.QUANTITIES[what].has_card:
        made["card"] = posted.get(f"{prefix}-card", FRESH_CONDITION["card"])
    made["is"] = posted.get(f"{prefix}-is", ">=")
    return made | {"number": _number(posted.get(f"{prefix}-number", ""))}


def _rule(posted: Mapping[str, str], name: str, place: int) -> dict[str, Any]:
    prefix = f"{name}-{place}"
    conditions = range(_count(posted, prefix, form.MAX_CONDITIONS))
    return {
        "card": posted.get(f"{prefix}-card", FIRST[name]),
        "when": [_condition(posted, f"{prefix}-{i}") for i in conditions],
    }


def read(posted: Mapping[str, str]) -> dict[str, Any]:
    """The strategy that the form spells, which may have errors."""
    lists = {name: [_rule(posted, name, i) for i in range(_count(posted, name, form.MAX_RULES))] for name in form.LISTS}
    texts = {key: posted.get(key, "") for key in ("name", "about")}
    return {"version": form.VERSION, "game": form.GAME, **texts, **lists}


def _places(text: str) -> list[int]:
    return [int(part) if part.isdecimal() and len(part) <= MAX_DIGITS else -1 for part in text.split(":")]


def press_button(data: dict[str, Any], action: str) -> tuple[dict[str, Any], Place | None]:
    """The strategy after a button (``up:buy:2``), and where the keyboard goes on; what does not fit does nothing."""
    verb, _, rest = action.partition(":")
    name, _, rest = rest.partition(":")
    if name not in form.LISTS or verb not in _VERBS:
        return data, None
    rules = [{**rule, "when": list(rule["when"])} for rule in data[name]]
    places = _places(rest) if rest else []
    if places and not 0 <= places[0] < len(rules):
        return data, None
    place = _VERBS[verb](name, rules, places)
    return {**data, name: rules}, place


def _add(name: str, rules: list[dict[str, Any]], places: list[int]) -> Place | None:
    if len(rules) >= form.MAX_RULES:
        return None
    rules.append({"card": FIRST[name], "when": []})
    return Place(name, len(rules) - 1, "card")


def _remove(name: str, rules: list[dict[str, Any]], places: list[int]) -> Place | None:
    if not places:
        return None
    del rules[places[0]]
    return Place(name, min(places[0], len(rules) - 1), "remove") if rules else Place(name, None, "add")


def _move(by: int, part: str, name: str, rules: list[dict[str, Any]], places: list[int]) -> Place | None:
    if not places or not 0 <= (to := places[0] + by) < len(rules):
        return None
    rules.insert(to, rules.pop(places[0]))
    at_end = to == (0 if by < 0 else len(rules) - 1)
    other = "down" if part == "up" else "up"
    return Place(name, to, other if at_end and len(rules) > 1 else part)


def _up(name: str, rules: list[dict[str, Any]], places: list[int]) -> Place | None:
    return _move(-1, "up", name, rules, places)


def _down(name: str, rules: list[dict[str, Any]], places: list[int]) -> Place | None:
    return _move(1, "down", name, rules, places)


def _when(name: str, rules: list[dict[str, Any]], places: list[int]) -> Place | None:
    if not places or len(rules[places[0]]["when"]) >= form.MAX_CONDITIONS:
        return None
    conditions = rules[places[0]]["when"]
    conditions.append(dict(FRESH_CONDITION))
    return Place(name, places[0], f"{len(conditions) - 1}-what")


def _drop(name: str, rules: list[dict[str, Any]], places: list[int]) -> Place | None:
    if len(places) != 2 or not 0 <= places[1] < len(rules[places[0]]["when"]):
        return None
    del rules[places[0]]["when"][places[1]]
    return Place(name, places[0], "when")


_VERBS = {"add": _add, "remove": _remove, "up": _up, "down": _down, "when": _when, "drop": _drop}
