"""Adds up the matches of one arm, deal by deal; what a database does in SQL is done here for files."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.analysis.first_seat import lead
from worker.analysis.methods import FIXED, Method
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.summary import RESULTS, PlaceResult, SeatColumns, SeatRow, Sums, part, place_result


class MatchColumns(NamedTuple):
    """Finished matches by column. deal: [matches]; all else, of every seat, as `SeatRow` has it: [matches, seats]."""

    deal: NDArray[np.int64]
    place: NDArray[np.int64]
    score: NDArray[Any]
    margin: NDArray[Any]
    result: NDArray[np.str_]
    rank: NDArray[np.int64]


class DealResults(NamedTuple):
    """Number of deals on which a place came out so: wins, draws and losses in the matches of one deal."""

    wins: float
    draws: float
    losses: float
    deals: int


class ArmTally:
    """The finished matches of one arm, of which those of whole deals count.

    seatings: matches of a deal; num_sides: place i belongs to side i mod this number; num_parties:
    seats, or teams of seats of like parity, that win or lose by themselves. Of partners who are one side, and have all
    results in common, one speaks for both: the match is what is counted.
    """

    def __init__(self, num_seats: int, seatings: int, num_sides: int, num_parties: int) -> None:
        self.num_seats = num_seats
        self.seatings = seatings
        self.num_sides = num_sides
        self.num_parties = num_parties
        self.speakers = num_parties if num_sides <= num_parties else num_seats  # places whose results are added up
        self.finished = 0
        self.limit: int | None = None  # number of deals that count, where a stop rule says so
        self._parts: list[MatchColumns] = []

    def add(self, match: Sequence[SeatRow]) -> None:
        """Count a finished match, given by its seats in their order."""
        _, _, *columns = zip(*match, strict=True)
        self.add_columns(MatchColumns(np.array([match[0].deal]), *(np.array([column]) for column in columns)))

    def add_columns(self, matches: MatchColumns) -> None:
        """Count finished matches."""
        if len(matches.deal):
            self.finished += len(matches.deal)
            self._parts.append(matches)

    @property
    def left_out(self) -> int:
        """Finished matches of deals that are not whole, or that come after the end of a stop rule."""
        return self.finished - len(self._whole().deal)

    @property
    def rows_a_deal(self) -> int:
        """Results of a side in a deal."""
        return self.seatings * self.speakers // self.num_sides

    def place(self, place: int, method: Method = FIXED) -> PlaceResult:
        """The result of a place."""
        side = place % self.num_sides
        seats = {seat: self._sums(self._in_seat(side, seat)) for seat in range(self.num_seats)}
        per_match = self.speakers // self.num_sides
        return place_result(place, self._sums(self._of_side(side)), per_match, seats, method=method)

    def by_deal(self, place: int, value: Callable[[SeatColumns], NDArray[Any]]) -> dict[int, Moments]:
        """Deal -> moments of a number of a place."""
        rows = self._rows(self._of_side(place % self.num_sides))
        values = np.asarray(value(rows), np.float64)
        sums = (np.bincount(rows.deal, weights=weights) for weights in (values, values * values))
        found = zip(np.bincount(rows.deal).tolist(), *(column.tolist() for column in sums), strict=True)
        return {deal: Moments(*row) for deal, row in zip(self._numbers(), found, strict=True)}

    def deal_results(self, place: int) -> list[DealResults]:
        """How the matches of a deal came out for a place, on how many deals each, the fewest wins first.

        What intervals with the deal as their unit need to know of wins and draws. Where a side has
        several places each is one part of it, as in `PlaceResult`.
        """
        side, places = place % self.num_sides, self.speakers // self.num_sides
        rows = self._rows(self._of_side(side))
        if not len(rows.deal):
            return []
        counts = np.stack([np.bincount(rows.deal, weights=rows.result == result) for result in RESULTS], axis=1)
        ways, deals = np.unique(counts, axis=0, return_counts=True)
        return [
            DealResults(part(wins, places), part(draws, places), part(losses, places), number)
            for (wins, draws, losses), number in zip(ways.tolist(), deals.tolist(), strict=True)
        ]

    def won_by_first(self) -> BlockMoments:
        """Per deal, of its decisive matches those that seat 0 won."""
        whole, block = self._whole(), self._blocks()
        is_won = whole.result[:, : self.num_parties] == "win"
        is_decisive = is_won.any(axis=1)
        return BlockMoments.of_sums(
            np.bincount(block, weights=is_decisive).astype(np.int64), np.bincount(block, weights=is_won[:, 0])
        )

    def leads(self) -> BlockMoments:
        """Per deal, the lead of seat 0 in its matches."""
        whole, block = self._whole(), self._blocks()
        leads = lead(whole.score[:, : self.num_parties].T)
        return BlockMoments.of_sums(np.bincount(block), np.bincount(block, weights=leads))

    def _of_side(self, side: int) -> NDArray[np.bool_]:
        """Which of the whole deals' seats speak for a side: [matches, seats]."""
        place = self._whole().place
        is_own: NDArray[np.bool_] = (place < self.speakers) & (place % self.num_sides == side)
        return is_own

    def _in_seat(self, side: int, seat: int) -> NDArray[np.bool_]:
        """Which of them are those of a side in one seat: there partners come one at a time."""
        is_own: NDArray[np.bool_] = self._whole().place % self.num_sides == side
        is_own[:, np.arange(self.num_seats) != seat] = False
        return is_own

    def _sums(self, is_meant: NDArray[np.bool_]) -> Sums:
        return Sums.of_columns(self._rows(is_meant), self.num_seats)

    def _rows(self, is_meant: NDArray[np.bool_]) -> SeatColumns:
        whole = self._whole()
        block = np.repeat(self._blocks(), self.num_seats).reshape(is_meant.shape)
        return SeatColumns(
            block[is_meant],
            whole.score[is_meant],
            whole.margin[is_meant],
            whole.result[is_meant],
            whole.rank[is_meant],
        )

    def _numbers(self) -> list[int]:
        """Numbers of the deals that are whole, in the order of their blocks."""
        numbers: list[int] = np.unique(self._whole().deal).tolist()
        return numbers

    def _blocks(self) -> NDArray[np.int64]:
        """The block of each match: the whole deals, numbered from 0."""
        return np.unique(self._whole().deal, return_inverse=True)[1].reshape(-1)

    def _whole(self) -> MatchColumns:
        """The matches of whole deals that count."""
        if not self._parts:
            none = np.zeros((0, self.num_seats), np.int64)
            return MatchColumns(np.zeros(0, np.int64), none, none, none, none.astype(np.str_), none)
        if len(self._parts) > 1:
            self._parts = [MatchColumns(*map(np.concatenate, zip(*self._parts, strict=True)))]
        (every,) = self._parts
        _, block, sizes = np.unique(every.deal, return_inverse=True, return_counts=True)
        counts = (sizes[block.reshape(-1)] == self.seatings) & (
            every.deal < (math.inf if self.limit is None else self.limit)
        )
        return MatchColumns(*(column[counts] for column in every))
