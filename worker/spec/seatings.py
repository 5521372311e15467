"""Seatings of a line-up: which rotations of it are matches of their own.

In rotation r the entry i sits in seat (i + r) mod n. A line-up that looks the same after p seats
has p seatings: every further rotation puts equal configurations into the same seats, and would be
the same match on the same deal. Two equal partners against two others have two seatings, not
four; an engine against itself has one. The entries i, i + p, i + 2p, ... are one *side*: over the
seatings they sit in every seat together, so what one of them does is known from all.
"""

from __future__ import annotations

from collections.abc import Sequence

ALL, NONE, TURNS = "all", "none", "turns"
"""Rotations of a spec: every seating once; the first one alone; every entry in every seat in turn,
equal matches included, as experiments of before had it."""


def period(entries: Sequence[object]) -> int:
    """Fewest seats after which a line-up looks the same; its length where it never does."""
    size = len(entries)
    return next(
        step
        for step in range(1, size + 1)
        if size % step == 0 and all(entries[i] == entries[i % step] for i in range(size))
    )


def num_seatings(rotation: str, entries: Sequence[object]) -> int:
    """Matches of each deal."""
    if rotation == NONE:
        return 1
    return period(entries) if rotation == ALL else len(entries)


def num_sides(rotation: str, entries: Sequence[object]) -> int:
    """Entries that are told apart: entry i belongs to the side i mod this number."""
    return len(entries) if rotation == NONE else period(entries)


def focus(line_ups: Sequence[Sequence[object]]) -> int:
    """The place that arms compare: the first one at which their line-ups differ; 0 where none does."""
    return next(
        (
            place
            for place, entries in enumerate(zip(*line_ups, strict=True))
            if entries.count(entries[0]) < len(entries)
        ),
        0,
    )
