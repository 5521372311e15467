"""The form of a strategy of Dominion: what a rule can say, checked place by place.

    {"version": 1, "game": "dominion", "name": "...", "about": "...",
     "buy": [{"card": "Witch", "when": [{"what": "owned", "card": "Witch", "is": "<", "number": 2}]}, ...],
     "play": [...], "trash": [...]}

Of each list the first rule counts whose card can be had and whose conditions all hold; where none
does, nothing more is bought or played. A rule names a card, one of `CLASSES`, or `NOTHING`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from games.dominion import cards
from games.json_paths import Path
from games.options import quote
from games.strategies import StrategyError

VERSION = 1
GAME = "dominion"
LISTS = ("buy", "play", "trash")
MAX_RULES = 40
"""Most rules of one list."""
MAX_CONDITIONS = 6
MAX_NAME, MAX_ABOUT = 80, 400
NOTHING = "nothing"
"""A rule that buys, plays or trashes nothing more."""
_NO_RULE = "must have at least one rule: a strategy that buys nothing cannot win"
COMPARISONS = {"<": "less than", "<=": "at most", "=": "exactly", ">=": "at least", ">": "more than"}


def _class(*, of_type: str = "", gives: str = "") -> int:
    found = (card for card in cards.table() if not of_type or of_type in card.types)
    return sum(1 << card.number for card in found if not gives or card.gives.get(gives, 0) > 0)


CLASSES = {
    "any card": _class(),
    "any Action": _class(of_type="Action"),
    "any Action giving actions": _class(of_type="Action", gives="actions"),
    "any Treasure": _class(of_type="Treasure"),
    "any Victory": _class(of_type="Victory"),
}
"""Sets of cards as bits, by what rules call them. Where one may be chosen the dearest is, or trashed the cheapest."""


@dataclass(frozen=True)
class Quantity:
    """Something that a condition measures. words: as pages tell it, after the card where there is one."""

    label: str
    words: str
    has_card: bool = False
    low: int = 0
    high: int = 200


QUANTITIES = {
    "turn": Quantity("own turn", "turn", high=999),
    "coins": Quantity("coins", "coins"),
    "buys": Quantity("buys left", "buys left"),
    "actions": Quantity("actions left", "actions left"),
    "played": Quantity("Action cards played this turn", "Action cards played this turn"),
    "owned": Quantity("cards owned", "owned", has_card=True),
    "hand": Quantity("cards in hand", "in hand", has_card=True),
    "in_play": Quantity("cards in play", "in play", has_card=True),
    "pile": Quantity("cards left in the pile", "left in the pile", has_card=True),
    "empty_piles": Quantity("empty piles", "empty piles"),
    "gains_to_end": Quantity("gains that would end the match", "gains that would end the match"),
    "lead": Quantity("points ahead of the best other", "points ahead", low=-200),
}
"""Quantities that conditions measure, by their name in the data; the order is that of `rules.measure`."""


def card_names() -> tuple[str, ...]:
    """All cards by name, in the order of their numbers."""
    return tuple(card.name for card in cards.table())


def rule_cards(name: str) -> tuple[str, ...]:
    """Cards that a rule of a list may name."""
    if name == "play":
        actions = (card.name for card in cards.table() if "Action" in card.types)
        return (*actions, "any Action giving actions", "any Action", NOTHING)
    return (*card_names(), *CLASSES, NOTHING)


def condition_cards() -> tuple[str, ...]:
    """Cards that a condition may count."""
    return (*card_names(), *CLASSES)


def _fields(data: Any, path: Path, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise StrategyError(path, f"must be an object, not {quote(data)}")
    for key in data:
        if key not in required and key not in optional:
            raise StrategyError((*path, str(key)), f"unknown field; known: {', '.join((*required, *optional))}")
    for key in required:
        if key not in data:
            raise StrategyError((*path, key), "is missing")
    return data


def _listed(data: Any, path: Path, most: int) -> list[Any]:
    if not isinstance(data, list):
        raise StrategyError(path, f"must be a list, not {quote(data)}")
    if len(data) > most:
        raise StrategyError(path, f"has {len(data)} entries; at most {most} are allowed")
    return data


def _text(data: Any, path: Path, least: int, most: int) -> str:
    text = " ".join(data.split()) if isinstance(data, str) else ""
    if not isinstance(data, str) or not least <= len(text) <= most or not text.isprintable():
        raise StrategyError(path, f"must be text of {least} to {most} letters")
    return text


def _whole(data: Any, path: Path, low: int, high: int) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or not low <= data <= high:
        raise StrategyError(path, f"must be a whole number from {low} to {high}, not {quote(data)}")
    return data


def _named(data: Any, path: Path, known: tuple[str, ...], what: str) -> str:
    if not isinstance(data, str) or data not in known:
        raise StrategyError(path, f"must be {what}, not {quote(data)}; known: {', '.join(known)}")
    return data


def _condition(data: Any, path: Path) -> dict[str, Any]:
    fields = _fields(data, path, ("what", "is", "number"), ("card",))
    what = _named(fields["what"], (*path, "what"), tuple(QUANTITIES), "something to measure")
    quantity = QUANTITIES[what]
    made: dict[str, Any] = {"what": what}
    if quantity.has_card:
        if "card" not in fields:
            raise StrategyError((*path, "card"), "is missing")
        made["card"] = _named(fields["card"], (*path, "card"), condition_cards(), "a card")
    elif "card" in fields:
        raise StrategyError((*path, "card"), f"must be left out: {quantity.label} is of no card")
    made["is"] = _named(fields["is"], (*path, "is"), tuple(COMPARISONS), "a comparison")
    return made | {"number": _whole(fields["number"], (*path, "number"), quantity.low, quantity.high)}


def _rule(data: Any, path: Path, known: tuple[str, ...]) -> dict[str, Any]:
    fields = _fields(data, path, ("card",), ("when",))
    card = _named(fields["card"], (*path, "card"), known, "a card")
    rows = _listed(fields.get("when", []), (*path, "when"), MAX_CONDITIONS)
    return {"card": card, "when": [_condition(row, (*path, "when", i)) for i, row in enumerate(rows)]}


def _parts(fields: Mapping[str, Any]) -> Iterator[Callable[[], Any]]:
    """The checks of what a strategy says, each of a part of its own, once it has the right keys."""
    yield lambda: _text(fields["name"], ("name",), 1, MAX_NAME)
    yield lambda: _text(fields.get("about", ""), ("about",), 0, MAX_ABOUT)
    for name in LISTS:
        rows = fields.get(name, [])
        yield partial(_listed, rows, (name,), MAX_RULES)
        for i, row in enumerate(rows if isinstance(rows, list) else ()):
            yield partial(_rule, row, (name, i), rule_cards(name))


def problems(data: Mapping[str, Any]) -> list[StrategyError]:
    """All that is wrong with a strategy that has the right keys, one error a rule at most."""
    found = []
    for check in _parts(data):
        try:
            check()
        except StrategyError as error:
            found.append(error)
    if not found and not data["buy"]:
        found.append(StrategyError(("buy",), _NO_RULE))
    return found


def check_strategy(data: Any) -> dict[str, Any]:
    """The strategy, complete. Raises StrategyError naming the place."""
    fields = _fields(data, (), ("version", "name", "buy"), ("game", "about", "play", "trash"))
    _whole(fields["version"], ("version",), VERSION, VERSION)
    if fields.get("game", GAME) != GAME:
        raise StrategyError(("game",), f"must be {GAME!r}, not {quote(fields['game'])}")
    made: dict[str, Any] = {"version": VERSION, "game": GAME}
    made["name"] = _text(fields["name"], ("name",), 1, MAX_NAME)
    made["about"] = _text(fields.get("about", ""), ("about",), 0, MAX_ABOUT)
    for name in LISTS:
        rows = _listed(fields.get(name, []), (name,), MAX_RULES)
        made[name] = [_rule(row, (name, i), rule_cards(name)) for i, row in enumerate(rows)]
    if not made["buy"]:
        raise StrategyError(("buy",), _NO_RULE)
    return made
