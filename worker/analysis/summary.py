"""Results of the places of a line-up: wins, draws, losses, places, scores and margins.

A side is the entries of a line-up that equal configurations make one of (`worker.spec.seatings`);
over the seatings of a deal it sits in every seat. All seatings of a deal meet the same luck, so
the deal is the unit of every interval, and only whole deals count: of a deal in part it would
depend on chance, or on the engines' speed, which seatings are known. Wins, draws and losses are
counted apart: no rate hides half a draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.analysis.intervals import Interval
from worker.analysis.methods import FIXED, Method
from worker.analysis.moments import BlockMoments, Moments

RESULTS = ("win", "draw", "loss")


class SeatRow(NamedTuple):
    """One seat of one finished match; margin = own score less the best opponent's, rank from 1, shared by equals."""

    deal: int
    seat: int
    place: int
    score: float
    margin: float
    result: str
    rank: int


class SeatColumns(NamedTuple):
    """Seats of finished matches by column, all of shape [rows]; what they hold, `SeatRow` says.

    deal: number of the block that a row belongs to, 0 for the first.
    """

    deal: NDArray[np.int64]
    score: NDArray[np.float64]
    margin: NDArray[np.float64]
    result: NDArray[np.str_]
    rank: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over deals of what some seats did; a block holds the values of a deal.

    wins, draws, losses and ranks (first place, second, ...) hold a 1 for each seat that had it.
    score_squares, margin_squares: sums of squares over seats, for deviations.
    """

    wins: BlockMoments = field(default_factory=BlockMoments)
    draws: BlockMoments = field(default_factory=BlockMoments)
    losses: BlockMoments = field(default_factory=BlockMoments)
    scores: BlockMoments = field(default_factory=BlockMoments)
    margins: BlockMoments = field(default_factory=BlockMoments)
    rank: BlockMoments = field(default_factory=BlockMoments)
    ranks: tuple[BlockMoments, ...] = ()
    score_squares: float = 0.0
    margin_squares: float = 0.0

    @classmethod
    def of(cls, deals: Iterable[Sequence[SeatRow]], num_seats: int) -> Sums:
        """Add up deals, each given by the rows of the seats that are meant. Raises ValueError for another result."""
        rows = [(block, row) for block, deal in enumerate(deals) for row in deal]
        columns = SeatColumns(
            np.array([block for block, _ in rows], np.int64),
            np.array([row.score for _, row in rows], np.float64),
            np.array([row.margin for _, row in rows], np.float64),
            np.array([row.result for _, row in rows], np.str_),
            np.array([row.rank for _, row in rows], np.int64),
        )
        return cls.of_columns(columns, num_seats)

    @classmethod
    def of_columns(cls, rows: SeatColumns, num_seats: int) -> Sums:
        """Add up the seats that are meant. Raises ValueError for another result."""
        for result in np.unique(rows.result).tolist():
            if result not in RESULTS:
                raise ValueError(f"result must be one of {', '.join(RESULTS)}, not {result!r}")
        sizes = np.bincount(rows.deal)

        def sums(values: NDArray[Any]) -> BlockMoments:
            return BlockMoments.of_sums(sizes, np.bincount(rows.deal, weights=values))

        return cls(
            wins=sums(rows.result == "win"),
            draws=sums(rows.result == "draw"),
            losses=sums(rows.result == "loss"),
            scores=sums(rows.score),
            margins=sums(rows.margin),
            rank=sums(rows.rank),
            ranks=tuple(sums(rows.rank == rank) for rank in range(1, num_seats + 1)),
            score_squares=float((rows.score**2).sum()),
            margin_squares=float((rows.margin**2).sum()),
        )

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            wins=self.wins + other.wins,
            draws=self.draws + other.draws,
            losses=self.losses + other.losses,
            scores=self.scores + other.scores,
            margins=self.margins + other.margins,
            rank=self.rank + other.rank,
            ranks=tuple(one + two for one, two in zip(self.ranks, other.ranks, strict=True)),
            score_squares=self.score_squares + other.score_squares,
            margin_squares=self.margin_squares + other.margin_squares,
        )

    @property
    def single_scores(self) -> Moments:
        """Moments of the scores, each by itself."""
        return Moments(self.scores.n, self.scores.total, self.score_squares)

    @property
    def single_margins(self) -> Moments:
        """Moments of the margins, each by itself."""
        return Moments(self.margins.n, self.margins.total, self.margin_squares)


@dataclass(frozen=True, slots=True)
class RankShare:
    """How often a side came in at one place, the first being 1."""

    rank: int
    matches: float
    share: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Result of a side in one seat, or of a seat over all sides; rates and means are None without matches."""

    seat: int
    matches: int
    wins: float
    draws: float
    losses: float
    win_rate: float | None
    win_rate_interval: Interval | None
    mean_score: float | None
    mean_margin: float | None
    margin_interval: Interval | None


@dataclass(frozen=True, slots=True)
class PlaceResult:
    """Result of one place of a line-up, over whole deals, from all places of its side.

    Where a side has several places that are not partners, each is one part of it: an engine
    against itself wins half of the matches that are no draws.
    """

    place: int
    deals: int
    matches: int
    wins: float
    draws: float
    losses: float
    win_rate: float | None
    win_rate_interval: Interval | None
    draw_rate: float | None
    draw_rate_interval: Interval | None
    loss_rate: float | None
    loss_rate_interval: Interval | None
    mean_score: float | None
    score_interval: Interval | None
    score_deviation: float | None
    mean_margin: float | None
    margin_interval: Interval | None
    margin_deviation: float | None
    mean_rank: float | None
    rank_interval: Interval | None
    ranks: tuple[RankShare, ...]
    seats: tuple[SeatResult, ...]


def place_result(
    place: int,
    sums: Sums,
    per_match: int,
    seats: Mapping[int, Sums],
    method: Method = FIXED,
) -> PlaceResult:
    """Describe sums, wherever they were added up (here or in a database).

    per_match: places of the side, each of which adds to the sums of a match; seats: sums by seat.
    """
    return PlaceResult(
        place=place,
        deals=sums.wins.blocks,
        matches=sums.wins.n // per_match,
        wins=part(sums.wins.total, per_match),
        draws=part(sums.draws.total, per_match),
        losses=part(sums.losses.total, per_match),
        win_rate=sums.wins.mean,
        win_rate_interval=method.rate(sums.wins),
        draw_rate=sums.draws.mean,
        draw_rate_interval=method.rate(sums.draws),
        loss_rate=sums.losses.mean,
        loss_rate_interval=method.rate(sums.losses),
        mean_score=sums.scores.mean,
        score_interval=method.mean(sums.scores),
        score_deviation=sums.single_scores.deviation,
        mean_margin=sums.margins.mean,
        margin_interval=method.mean(sums.margins),
        margin_deviation=sums.single_margins.deviation,
        mean_rank=sums.rank.mean,
        rank_interval=method.bounded(sums.rank, 1, max(2, len(sums.ranks))),
        ranks=tuple(
            RankShare(rank, part(row.total, per_match), row.mean, method.rate(row))
            for rank, row in enumerate(sums.ranks, start=1)
        ),
        seats=tuple(seat_result(seat, row, method) for seat, row in sorted(seats.items()) if row.wins.n),
    )


def seat_result(seat: int, sums: Sums, method: Method = FIXED) -> SeatResult:
    """Describe the sums of one seat."""
    return SeatResult(
        seat=seat,
        matches=sums.wins.n,
        wins=round(sums.wins.total),
        draws=round(sums.draws.total),
        losses=round(sums.losses.total),
        win_rate=sums.wins.mean,
        win_rate_interval=method.rate(sums.wins),
        mean_score=sums.scores.mean,
        mean_margin=sums.margins.mean,
        margin_interval=method.mean(sums.margins),
    )


def part(total: float, per_match: int) -> float:
    """Return what of a total falls to one place: whole where it can be."""
    part = total / per_match
    return round(part) if part == round(part) else part
