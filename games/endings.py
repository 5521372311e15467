"""What is counted at the end of a round or a match: rows of points, one thing after another.

A game that counts at an end has `Game.ending`, a pure function of the states before and after the ply or
draw that ended it. Its rows add up to the points that were given, so a page can count them aloud.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Counted:
    """One thing that is counted.

    points: to each of `seats`, as `Game.scores` counts them; owner: the seat whose hand, kingdom or deck it
    is, None where it is nobody's alone; kind: what it is compared with others by; picture: SVG that refers to
    nothing, on a line of its own where `is_wide`; elements: SVG ids of the board to be lit, without prefix;
    feature: its ``data-f`` there.
    """

    label: str
    points: int
    seats: tuple[int, ...]
    owner: int | None = None
    detail: str = ""
    kind: str = ""
    picture: str = ""
    elements: tuple[str, ...] = ()
    feature: str = ""
    is_wide: bool = False


@dataclass(frozen=True)
class Aim:
    """Points that end a match, and whether who has them wins."""

    points: int
    is_win: bool


@dataclass(frozen=True)
class Ending:
    """An end of a round, or of the match (`is_over`).

    how: what ended it, in words that know seats by colour; rule: what counts, a sentence; opener: who begins
    what comes next, None where nothing does or it is not known; opener_rule: why it is that seat;
    rounds: points of each round so far, by seat; tie_rule: what decides between equal points, a sentence;
    picture: of the winners' pieces, once a match is over (`games.victory`).
    """

    title: str
    is_over: bool
    rows: tuple[Counted, ...]
    how: str = ""
    rule: str = ""
    opener: int | None = None
    opener_rule: str = ""
    aim: Aim | None = None
    rounds: tuple[tuple[int, ...], ...] = ()
    tie_rule: str = ""
    picture: str = ""

    def sums(self, num_seats: int) -> tuple[int, ...]:
        """Points that all rows together give each seat."""
        return tuple(sum(row.points for row in self.rows if seat in row.seats) for seat in range(num_seats))


def winners(ranks: Sequence[int]) -> tuple[int, ...]:
    """Seats that share the first place."""
    return tuple(seat for seat, rank in enumerate(ranks) if rank == 1)


def times(count: int, one: str, more: str) -> str:
    """``1 tile``, ``6 tiles``."""
    return f"{count} {one if count == 1 else more}"


def in_order(rows: Sequence[Counted]) -> tuple[Counted, ...]:
    """The rows that brought something, in their order."""
    return tuple(row for row in rows if row.points)
