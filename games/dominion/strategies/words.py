"""Strategies in words, and what can be said of one before it plays."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from games.dominion import cards
from games.dominion.strategies import form
from games.strategies import Data

_SIGNS = {"<": "<", "<=": "≤", "=": "=", ">=": "≥", ">": ">"}
_MINUS = "\u2212"


@dataclass(frozen=True)
class Remark:
    """Something worth a second look. list: of which list, rule: at which place in it (None: of the list as a whole)."""

    list: str
    rule: int | None
    text: str


def condition(data: Data) -> str:
    """``Witch owned < 2``, ``turn > 15``."""
    quantity = form.QUANTITIES[data["what"]]
    head = f"{data['card']} {quantity.words}" if quantity.has_card else quantity.words
    return f"{head} {_SIGNS[data['is']]} {str(data['number']).replace('-', _MINUS)}"


def rule(data: Data) -> str:
    """``Witch, if Witch owned < 2 and turn > 3``."""
    conditions = " and ".join(map(condition, data["when"]))
    return f"{data['card']}, if {conditions}" if conditions else str(data["card"])


def rules(data: Data) -> list[tuple[str, list[str]]]:
    """(name of a list, its rules in words) of every list that has some."""
    return [(name, [rule(row) for row in data[name]]) for name in form.LISTS if data[name]]


def remarks(data: Data, kingdom: Collection[str]) -> list[Remark]:
    """Remark on what a checked strategy does but hardly means to. kingdom: names of its cards."""
    found = [remark for i, row in enumerate(data["buy"]) for remark in _of_buy(data["buy"], i, row, kingdom)]
    bought = _named(data["buy"])
    actions = [name for name in bought if "Action" in cards.by_name()[name].types]
    if actions and not data["play"]:
        found.append(Remark("play", None, f"{actions[0]} is bought, but no rule plays it."))
    elif idle := [name for name in actions if not _plays(data["play"], name)]:
        found.append(Remark("play", None, f"{idle[0]} is bought, but no rule plays it."))
    if not any("Victory" in cards.by_name()[name].types for name in bought) and not _has_class(data["buy"]):
        found.append(Remark("buy", None, "No rule buys Victory cards: it can hardly win."))
    return found


def _named(rows: list[Data]) -> list[str]:
    """The cards that rules name, each once."""
    return list(dict.fromkeys(row["card"] for row in rows if row["card"] in cards.by_name()))


def _has_class(rows: list[Data]) -> bool:
    return any(row["card"] in ("any card", "any Victory") for row in rows)


def _plays(rows: list[Data], name: str) -> bool:
    gives = cards.by_name()[name].gives.get("actions", 0) > 0
    wanted = {name, "any Action", *(["any Action giving actions"] if gives else [])}
    return any(row["card"] in wanted for row in rows)


def _of_buy(rows: list[Any], place: int, row: Data, kingdom: Collection[str]) -> list[Remark]:
    card = cards.by_name().get(row["card"])
    if card is None:
        return []
    if card.is_kingdom and card.name not in kingdom:
        return [Remark("buy", place, f"{card.name} is not in this kingdom: the rule is passed over.")]
    if card.name == "Curse":
        return [Remark("buy", place, "A Curse costs a point, and may be bought only where the rules allow it.")]
    for earlier in rows[:place]:
        before = cards.by_name().get(earlier["card"])
        if earlier["when"] or before is None or (before.is_kingdom and before.name not in kingdom):
            continue
        if before.cost <= card.cost:
            text = f"Is reached only when the pile of {before.name} is empty: a rule above always takes it."
            return [Remark("buy", place, text)]
    return []
