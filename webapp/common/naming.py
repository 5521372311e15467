"""Names of seats where several have one name: told apart by their place at the table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from html import escape

from games import svg
from games.svg import SEAT_NAMES
from worker.spec.naming import ORDINALS

PLACES = tuple(f"{word.capitalize()} seat" for word in ORDINALS)
"""Seats as pages call them, by their number in specs and exports."""
YOU = "You"
"""The reader's own seat, as at the table."""
AT_TABLE = ("", "right", "across", "left")
"""Seats of a game of teams from where one sits: the seat after one's own is on the right."""
_COLOURS = {name.split()[0]: seat for seat, name in enumerate(SEAT_NAMES)}
_SHAPES = "|".join(name.split()[1] for name in SEAT_NAMES)
_SEAT = re.compile(rf"\b(?:seat (\d)|({'|'.join(_COLOURS)})(?: (?:{_SHAPES}))?)\b")
_LABEL = 'aria-label="'
_TITLES = ("<title", "<desc")
KEPT = 10_000
"""Words with names in them that a process remembers: some hundred bytes each."""


def distinguish(names: Sequence[str], looking: int | None = None) -> list[str]:
    """Names by seat; of equal ones each says which: ``Random (left)``, ``Random (orange)``.

    looking: the seat of the reader in a game of teams, whose own name need not be told apart.
    """
    seen = Counter(name for seat, name in enumerate(names) if seat != looking)
    return [
        f"{name} ({_place(seat, looking)})" if seen[name] > 1 and seat != looking else name
        for seat, name in enumerate(names)
    ]


def inside(name: str) -> str:
    """A name in the middle of a sentence."""
    return YOU.lower() if name == YOU else name


def lead_of(name: str) -> str:
    """``Lead of Easy``, ``Your lead``."""
    return "Your lead" if name == YOU else f"Lead of {name}"


def with_names(words: str, names: Sequence[str]) -> str:
    """Words of a game, which knows seats by colour, mark or number alone, with the names of those who sit there."""
    return _with_names(words, tuple(names))


@lru_cache(maxsize=KEPT)
def _with_names(words: str, names: tuple[str, ...]) -> str:
    def name(found: re.Match[str]) -> str:
        seat = int(found[1]) if found[1] else _COLOURS[found[2]]
        return names[seat] if seat < len(names) else found[0]

    return _SEAT.sub(name, words)


def label_seats(drawing: str, names: Sequence[str]) -> str:
    """A drawing (SVG) with these names in what it says of seats: labels for screen readers, titles, descriptions."""
    safe = tuple(escape(name) for name in names)
    first, *others = drawing.split(_LABEL)  # a hundred kilobytes: a pattern for all of it takes five times as long
    parts = [first]
    for other in others:
        label, end, rest = other.partition('"')
        parts += (_LABEL, _labelled(label, safe), end, rest)
    labelled = "".join(parts)
    for element in _TITLES:
        first, *others = labelled.split(element)
        labelled = first + "".join(f"{element}{_labelled_inside(other, safe)}" for other in others)
    return labelled


def _labelled_inside(element: str, names: tuple[str, ...]) -> str:
    """The rest of an element from its name on, with the words that it begins with labelled."""
    head, end, inside = element.partition(">")
    words, begin, rest = inside.partition("<")
    return f"{head}{end}{_labelled(words, names)}{begin}{rest}"


@lru_cache(maxsize=KEPT)
def _labelled(label: str, names: tuple[str, ...]) -> str:
    return re.sub(r"^you\b", "You", with_names(label, names))


def name_seats(drawing: str, names: Sequence[str]) -> str:
    """A drawing (SVG) with these names wherever it says a seat, in what is seen and in what is read out."""
    return svg.put_names(label_seats(drawing, names), names)


def split_name(called: str, name: str) -> tuple[str, str]:
    """Split the name of a seat in two: its name, and what distinguishes it (`distinguish`), without brackets.

    The second is the part to keep where there is little room.
    """
    rest = called.removeprefix(name)
    return (name, rest[2:-1]) if rest and rest != called else (called, "")


def _place(seat: int, looking: int | None) -> str:
    if looking is None:
        return SEAT_NAMES[seat].split()[0]
    return AT_TABLE[(seat - looking) % len(AT_TABLE)]
