"""Adds up the matches of one arm, deal by deal; what a database does in SQL is done here for files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from worker.analysis.first_seat import lead
from worker.analysis.methods import FIXED, Method
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.summary import RESULTS, PlaceResult, SeatRow, Sums, part, place_result

Rows = tuple[SeatRow, ...]
"""The seats of one match."""


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
        self._deals: dict[int, list[Rows]] = {}

    def add(self, match: Rows) -> None:
        """Count a finished match, given by its seats in their order."""
        self.finished += 1
        self._deals.setdefault(match[0].deal, []).append(match)

    @property
    def left_out(self) -> int:
        """Finished matches of deals that are not whole, or that come after the end of a stop rule."""
        return self.finished - sum(len(matches) for _, matches in self._whole())

    @property
    def rows_a_deal(self) -> int:
        """Results of a side in a deal."""
        return self.seatings * self.speakers // self.num_sides

    def place(self, place: int, method: Method = FIXED) -> PlaceResult:
        """The result of a place."""
        side = place % self.num_sides
        rows = [self._rows(matches, side) for _, matches in self._whole()]
        seats = {seat: Sums.of(self._in_seat(side, seat), self.num_seats) for seat in range(self.num_seats)}
        per_match = self.speakers // self.num_sides
        return place_result(place, Sums.of(rows, self.num_seats), per_match, seats, method=method)

    def by_deal(self, place: int, value: Callable[[SeatRow], float]) -> dict[int, Moments]:
        """Deal -> moments of a number of a place."""
        side = place % self.num_sides
        return {deal: Moments.of([value(row) for row in self._rows(rows, side)]) for deal, rows in self._whole()}

    def deal_results(self, place: int) -> list[DealResults]:
        """How the matches of a deal came out for a place, on how many deals each, the fewest wins first.

        What intervals with the deal as their unit need to know of wins and draws. Where a side has
        several places each is one part of it, as in `PlaceResult`.
        """
        side, places = place % self.num_sides, self.speakers // self.num_sides
        counted: Counter[tuple[float, float, float]] = Counter()
        for _, matches in self._whole():
            results = Counter(row.result for row in self._rows(matches, side))
            wins, draws, losses = (part(results[result], places) for result in RESULTS)
            counted[wins, draws, losses] += 1
        return [DealResults(*results, deals) for results, deals in sorted(counted.items())]

    def won_by_first(self) -> BlockMoments:
        """Per deal, of its decisive matches those that seat 0 won."""
        return BlockMoments.of([Moments.of(self._decisive(matches)) for _, matches in self._whole()])

    def leads(self) -> BlockMoments:
        """Per deal, the lead of seat 0 in its matches."""
        parties = range(self.num_parties)
        return BlockMoments.of(
            [Moments.of([lead([match[k].score for k in parties]) for match in deal]) for _, deal in self._whole()]
        )

    def _decisive(self, matches: Sequence[Rows]) -> list[float]:
        parties = [match[: self.num_parties] for match in matches]
        return [float(match[0].result == "win") for match in parties if any(row.result == "win" for row in match)]

    def _rows(self, matches: Sequence[Rows], side: int) -> list[SeatRow]:
        places = range(side, self.speakers, self.num_sides)
        return [row for match in matches for row in match if row.place in places]

    def _in_seat(self, side: int, seat: int) -> list[list[SeatRow]]:
        """The rows of a side in one seat, deal by deal: there partners come one at a time."""
        deals = [[match[seat] for match in matches] for _, matches in self._whole()]
        return [[row for row in rows if row.place % self.num_sides == side] for rows in deals]

    def _whole(self) -> Iterator[tuple[int, list[Rows]]]:
        limit = math.inf if self.limit is None else self.limit
        rows = self._deals.items()
        return ((deal, matches) for deal, matches in rows if len(matches) == self.seatings and deal < limit)
