"""What seats are called where several have one name: by their place at the table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from games.svg import SEAT_NAMES

AT_TABLE = ("", "right", "across", "left")
"""Seats of a game of teams from where one sits: the seat after one's own is on the right."""
_COLOURS = {name.split()[0]: seat for seat, name in enumerate(SEAT_NAMES)}
_COLOUR = re.compile(rf"\b({'|'.join(_COLOURS)})\b")
_TOLD = re.compile(rf"(.*) \(({'|'.join([*filter(None, AT_TABLE), *_COLOURS])})\)")


def told_apart(names: Sequence[str], looking: int | None = None) -> list[str]:
    """Names by seat; of equal ones each says which: ``Random (left)``, ``Random (orange)``.

    looking: the seat of the reader in a game of teams, whose own name need not be told apart.
    """
    seen = Counter(name for seat, name in enumerate(names) if seat != looking)
    return [
        f"{name} ({_place(seat, looking)})" if seen[name] > 1 and seat != looking else name
        for seat, name in enumerate(names)
    ]


def spoken(words: str, names: Sequence[str]) -> str:
    """Words of a game, which knows seats by their colour alone, with the names of those who sit there."""
    return _COLOUR.sub(lambda found: names[seat] if (seat := _COLOURS[found[1]]) < len(names) else found[1], words)


def parted(name: str) -> tuple[str, str]:
    """A name and what tells it apart (`told_apart`), without brackets: the part to keep where there is little room."""
    found = _TOLD.fullmatch(name)
    return (found[1], found[2]) if found else (name, "")


def _place(seat: int, looking: int | None) -> str:
    if looking is None:
        return SEAT_NAMES[seat].split()[0]
    return AT_TABLE[(seat - looking) % len(AT_TABLE)]
