"""Cards that others hold in a match of Dominion, and whether an answer tells them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from games import registry
from games.dominion import cards, reading
from games.dominion import state as layout
from games.protocol import State

FEWEST = 2
"""Cards of a hand that are no accident in an answer."""


def things(value: Any) -> Iterator[Any]:
    """All objects and lists within JSON, however deep."""
    if isinstance(value, dict | list):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from things(inner)


def hand_of(state: State, seat: int) -> list[Any]:
    """A hand in the ways in which it may be told: counts by name, names, numbers."""
    hand = reading.seat_zone(state, seat, layout.HAND)
    numbers = [number for number, count in sorted(hand.items()) for _ in range(count)]
    return [reading.count_by_name(hand), [cards.name(number) for number in numbers], numbers]


def told(state: State, text: str, seat: int | None) -> list[Any]:
    """Hands of others in an answer to a seat (None: a spectator), beyond what looks alike in what it may see."""
    seen = list(things(registry.get("dominion").observation(state, seat)))
    others = [other for other in range(2) if other != seat and reading.hand_size(state, other) >= FEWEST]
    hands = [hand for other in others for hand in hand_of(state, other)]
    return [thing for thing in things(json.loads(text)) if thing in hands and thing not in seen]
