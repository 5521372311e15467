"""What seats are called where several have one name: by their place at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.svg import SEAT_NAMES

AT_TABLE = ("", "right", "across", "left")
"""Seats of a game of teams from where one sits: the seat after one's own is on the right."""


def told_apart(names: Sequence[str], looking: int | None = None) -> list[str]:
    """Names by seat; of equal ones each says which: ``Random (left)``, ``Random (orange)``.

    looking: the seat of the reader in a game of teams, whose own name need not be told apart.
    """
    seen = Counter(name for seat, name in enumerate(names) if seat != looking)
    return [
        f"{name} ({_place(seat, looking)})" if seen[name] > 1 and seat != looking else name
        for seat, name in enumerate(names)
    ]


def _place(seat: int, looking: int | None) -> str:
    if looking is None:
        return SEAT_NAMES[seat].split()[0]
    return AT_TABLE[(seat - looking) % len(AT_TABLE)]
