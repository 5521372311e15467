"""The cards of Dominion, from ``data/cards.json``: one row each, in the order of their numbers.

A row says name, cost, types, what the card gives (cards, actions, buys, coins, value as Treasure,
vp, vp_per_cards), and for those that do more the id of an effect with its parameters: number, card,
only (a type), to (where a gained card goes), trash_self, may_in_second (in the second edition it
may be declined). Effects: `EFFECTS`, carried out in `effects.py`. A card of known effects is a row
and nothing else.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

TYPES = ("Treasure", "Victory", "Curse", "Action", "Attack", "Reaction")
EFFECTS = (
    "",
    "others_gain",
    "trash_for_coins",
    "trash_then_gain",
    "gain_up_to",
    "discard_to_draw",
    "trash_up_to",
    "may_discard_deck",
    "victory_onto_deck",
    "others_discard_to",
    "judge_top_cards",
    "trash_treasures",
    "play_twice",
    "others_draw",
    "draw_up_to",
    "dig_for",
)
"""Effects of cards beside what they give; the number of an effect is its place here."""
DESTINATIONS = ("discard", "hand", "deck")
MAX_CARDS = 60
PER = 10
"""Number of owned cards for each further point."""
_FILE = Path(__file__).parent / "data" / "cards.json"
_NUMBERS = ("cost", "cards", "actions", "buys", "coins", "value", "vp", "vp_per_cards", "number")


@dataclass(frozen=True)
class Card:
    """A card as people read it."""

    number: int
    name: str
    cost: int
    types: tuple[str, ...]
    is_kingdom: bool
    text: str
    editions: tuple[int, ...]
    gives: dict[str, int]
    """The columns of numbers that are not zero, and `number`."""


@dataclass(frozen=True)
class Tables:
    """Columns of the table, int64[NUM_CARDS] each; masks are sets of cards as bits."""

    columns: dict[str, NDArray[np.int64]]
    of_type: dict[str, int]


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return data


def _check(rows: list[dict[str, Any]]) -> None:
    names = [row["name"] for row in rows]
    if len(set(names)) != len(names) or len(names) > MAX_CARDS:
        raise ValueError(f"cards.json must hold at most {MAX_CARDS} cards of different names")
    for row in rows:
        if row.get("effect", "") not in EFFECTS:
            raise ValueError(f"cards.json: {row['name']} has the unknown effect {row['effect']!r}")
        if unknown := set(row["types"]) - set(TYPES):
            raise ValueError(f"cards.json: {row['name']} has the unknown type {unknown.pop()!r}")
        if row.get("vp_per_cards", PER) != PER:
            raise ValueError(f"cards.json: {row['name']} must count every {PER} cards")
        if row.get("card", names[0]) not in names:
            raise ValueError(f"cards.json: {row['name']} names the unknown card {row['card']!r}")


@cache
def table() -> tuple[Card, ...]:
    """All cards in the order of their numbers. Raises ValueError where the file is not what it says."""
    rows = _data()["cards"]
    _check(rows)
    return tuple(
        Card(
            number,
            row["name"],
            row["cost"],
            tuple(row["types"]),
            row["kingdom"],
            row["text"],
            tuple(row.get("editions", (1, 2))),
            {name: row[name] for name in _NUMBERS if row.get(name)},
        )
        for number, row in enumerate(rows)
    )


def kingdom_cards() -> tuple[Card, ...]:
    """The cards that are not in every supply."""
    return tuple(card for card in table() if card.is_kingdom)


NUM_CARDS = len(_data()["cards"])


@cache
def by_name() -> dict[str, Card]:
    """Cards by their name."""
    return {card.name: card for card in table()}


def name(number: int) -> str:
    """A card's name."""
    return table()[number].name


@cache
def tables() -> Tables:
    """The table as kernels read it."""
    rows, numbers = _data()["cards"], by_name()
    types = {kind: sum(1 << card.number for card in table() if kind in card.types) for kind in TYPES}
    columns = {key: [row.get(key, 0) for row in rows] for key in _NUMBERS}
    columns["effect"] = [EFFECTS.index(row.get("effect", "")) for row in rows]
    columns["card"] = [numbers[row["card"]].number if "card" in row else 0 for row in rows]
    columns["only"] = [types[row["only"]] if "only" in row else (1 << NUM_CARDS) - 1 for row in rows]
    columns["to"] = [DESTINATIONS.index(row.get("to", "discard")) for row in rows]
    for flag in ("trash_self", "may_in_second"):
        columns[flag] = [int(row.get(flag, False)) for row in rows]
    return Tables({key: np.array(values, np.int64) for key, values in columns.items()}, types)


def pool(edition: int) -> int:
    """The kingdom cards of an edition, as bits: what a random kingdom is drawn from."""
    return sum(1 << card.number for card in table() if card.is_kingdom and edition in card.editions)


def start_deck() -> dict[int, int]:
    """The deck that every seat begins with: card number -> how many."""
    return {by_name()[name_].number: count for name_, count in _data()["start"].items()}


def sets() -> dict[str, tuple[str, ...]]:
    """Named kingdoms: name -> cards."""
    return {name_: tuple(names) for name_, names in _data()["sets"].items()}


@cache
def pile_sizes(sizes: str) -> NDArray[np.int64]:
    """Cards of each pile: int64[seats - 1, NUM_CARDS], for `sizes` official or thesis."""
    given: dict[str, list[int]] = _data()["piles"][sizes]
    rows = np.zeros((4, NUM_CARDS), np.int64)
    for card in table():
        key = card.name if card.name in given else "Victory" if "Victory" in card.types else "kingdom"
        rows[:, card.number] = given[key]
    return rows
