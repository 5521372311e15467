"""Results of the places of a line-up: wins, draws, losses, scores and margins.

A place of the line-up is one engine configuration; over the rotations it sits in every
seat. Wins, draws and losses are counted apart: no rate hides half a draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from worker.analysis.intervals import Interval, wilson
from worker.analysis.moments import BlockMoments, Moments

RESULTS = ("win", "draw", "loss")


class SeatRow(NamedTuple):
    """One seat of one finished match; margin = own score less the best opponent's."""

    deal: int
    seat: int
    place: int
    score: float
    margin: float
    result: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts and sums of some seats of finished matches; tallies add."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    scores: Moments = field(default_factory=Moments)
    margins: Moments = field(default_factory=Moments)

    @classmethod
    def of(cls, row: SeatRow) -> Tally:
        """The tally of one seat."""
        if row.result not in RESULTS:
            raise ValueError(f"result must be one of {', '.join(RESULTS)}, not {row.result!r}")
        return cls(
            wins=int(row.result == "win"),
            draws=int(row.result == "draw"),
            losses=int(row.result == "loss"),
            scores=Moments.of([row.score]),
            margins=Moments.of([row.margin]),
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.scores + other.scores,
            self.margins + other.margins,
        )

    @property
    def matches(self) -> int:
        """Number of results counted."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class SeatResult:
    """A tally in words for one seat; rates and means are None without matches.

    A place sits in a seat once a deal, so a match is a unit of its own here.
    """

    seat: int
    matches: int
    wins: int
    draws: int
    losses: int
    win_rate: float | None
    win_rate_interval: Interval | None
    mean_score: float | None
    mean_margin: float | None
    margin_interval: Interval | None


@dataclass(frozen=True, slots=True)
class PlaceResult:
    """Result of one place of a line-up.

    The intervals of score and margin take the deal as the unit (all its rotations are one
    block); that of the win rate is Wilson's over matches.
    """

    place: int
    deals: int
    matches: int
    wins: int
    draws: int
    losses: int
    win_rate: float | None
    win_rate_interval: Interval | None
    draw_rate: float | None
    loss_rate: float | None
    mean_score: float | None
    score_interval: Interval | None
    score_deviation: float | None
    mean_margin: float | None
    margin_interval: Interval | None
    margin_deviation: float | None
    seats: tuple[SeatResult, ...]


@dataclass
class PlaceTally:
    """Adds up the rows of one place, match by match."""

    by_seat: dict[int, Tally] = field(default_factory=dict)
    scores: dict[int, Moments] = field(default_factory=dict)
    margins: dict[int, Moments] = field(default_factory=dict)

    def add(self, row: SeatRow) -> None:
        """Count one row; `scores` and `margins` hold one block per deal."""
        tally = Tally.of(row)
        self.by_seat[row.seat] = self.by_seat.get(row.seat, Tally()) + tally
        self.scores[row.deal] = self.scores.get(row.deal, Moments()) + tally.scores
        self.margins[row.deal] = self.margins.get(row.deal, Moments()) + tally.margins

    def result(self, place: int) -> PlaceResult:
        """Describe what was added so far."""
        return place_result(place, self.by_seat, BlockMoments.of(self.scores), BlockMoments.of(self.margins))


def tally_places(rows: Iterable[SeatRow], num_places: int) -> tuple[PlaceTally, ...]:
    """Add up the rows of one arm by place of the line-up."""
    places = tuple(PlaceTally() for _ in range(num_places))
    for row in rows:
        places[row.place].add(row)
    return places


def place_result(place: int, by_seat: Mapping[int, Tally], scores: BlockMoments, margins: BlockMoments) -> PlaceResult:
    """Describe totals, wherever they were added up (here or in a database)."""
    total = sum(by_seat.values(), Tally())
    return PlaceResult(
        place=place,
        deals=margins.blocks,
        matches=total.matches,
        wins=total.wins,
        draws=total.draws,
        losses=total.losses,
        win_rate=rate(total.wins, total.matches),
        win_rate_interval=wilson(total.wins, total.matches),
        draw_rate=rate(total.draws, total.matches),
        loss_rate=rate(total.losses, total.matches),
        mean_score=total.scores.mean,
        score_interval=scores.interval(),
        score_deviation=total.scores.deviation,
        mean_margin=total.margins.mean,
        margin_interval=margins.interval(),
        margin_deviation=total.margins.deviation,
        seats=tuple(seat_result(seat, by_seat[seat]) for seat in sorted(by_seat)),
    )


def seat_result(seat: int, tally: Tally) -> SeatResult:
    """Describe the tally of one seat."""
    return SeatResult(
        seat=seat,
        matches=tally.matches,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        win_rate=rate(tally.wins, tally.matches),
        win_rate_interval=wilson(tally.wins, tally.matches),
        mean_score=tally.scores.mean,
        mean_margin=tally.margins.mean,
        margin_interval=tally.margins.interval(),
    )


def rate(count: int, total: int) -> float | None:
    """Return count / total; None where the total is 0."""
    return count / total if total else None
