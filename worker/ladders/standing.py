"""Standing of a ladder: ratings, pairs, margins and cost, from the rows of its matches in any order. Pure.

Only whole deals of a table count. Who played is said by the versions that a row recorded: one that an engine played in
another version than the entry's belongs to the entry of that version, if there is one.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from worker.analysis import plackett_luce, rating_fit, ratings
from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.plackett_luce import Counts, Ranking
from worker.analysis.rates import bounded_interval
from worker.analysis.rating_fit import Fit, PairResult
from worker.analysis.ratings import Ratings
from worker.analysis.tally import DealResults
from worker.records import MatchRecord
from worker.spec import ExperimentSpec, Ladder


class Row(NamedTuple):
    """A match that ended. ranks, margins: by place of the line-up, empty where it failed; versions: as recorded."""

    arm: int
    deal: int
    rotation: int
    ranks: tuple[int, ...]
    margins: tuple[float, ...]
    versions: Mapping[str, str]


class Meeting(NamedTuple):
    """A whole deal of one table. players: entries by side; ranks, margins: of its matches."""

    deal: int
    players: tuple[int, ...]
    ranks: tuple[tuple[int, ...], ...]
    margins: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Standing:
    """What the whole deals of a ladder say.

    meetings: in the order of tables and deals; partial: matches of deals that are not whole, or that failed;
    foreign: matches in which a version played that is no entry.
    """

    ladder: Ladder
    seed: int
    meetings: tuple[Meeting, ...]
    partial: int = 0
    foreign: int = 0

    @cached_property
    def counts(self) -> Counts:
        """All meetings; entries that have not played are among the players."""
        rows = [Ranking(m.deal, m.players, ranks) for m in self.meetings for ranks in m.ranks]
        return plackett_luce.counts(rows, len(self.ladder.entries))

    @cached_property
    def rated(self) -> tuple[int, ...]:
        """Entries that can be compared: the largest group that is linked by matches; none before any."""
        if not self.meetings:
            return ()
        largest = self.counts.groups()[0]
        return tuple(largest) if len(largest) > 1 else ()

    @cached_property
    def rated_counts(self) -> Counts:
        """The meetings of those that are rated, numbered by their place in `rated`."""
        place = {entry: i for i, entry in enumerate(self.rated)}
        rows = [
            Ranking(m.deal, tuple(place[i] for i in m.players), ranks)
            for m in self.meetings
            if m.players[0] in place
            for ranks in m.ranks
        ]
        return plackett_luce.counts(rows, len(self.rated))

    @cached_property
    def ratings(self) -> Ratings | None:
        """Ratings of `rated`, in its order; None where there is none."""
        return ratings.rate_counts(self.rated_counts, self.seed) if self.rated else None

    @cached_property
    def fit(self) -> Fit | None:
        """Whether these ratings explain what pairs did."""
        return None if self.ratings is None else rating_fit.check(self.rated_counts, self.ratings, self.seed)

    @cached_property
    def pairs(self) -> tuple[PairResult, ...]:
        """Pairs of `rated` that met."""
        return () if self.ratings is None else tuple(rating_fit.pair_results(self.rated_counts, self.ratings))

    @cached_property
    def _of(self) -> Mapping[tuple[int, ...], Sequence[Meeting]]:
        """Meetings of each entry, and of every two: by (entry,) and by (entry, other)."""
        found: dict[tuple[int, ...], list[Meeting]] = defaultdict(list)
        for m in self.meetings:
            for who in itertools.chain(itertools.combinations(m.players, 1), itertools.permutations(m.players, 2)):
                found[who].append(m)
        return found

    def deals(self, entry: int) -> int:
        """Deals of all tables that an entry sat at."""
        return len(self._of.get((entry,), ()))

    def matches(self, entry: int) -> int:
        """Matches that an entry played on them."""
        return sum(len(m.ranks) for m in self._of.get((entry,), ()))

    def margin(self, entry: int) -> tuple[float | None, Interval | None]:
        """Mean margin of an entry over all its matches, and its interval with deals as units."""
        blocks = BlockMoments.of(self._margins(entry))
        return blocks.mean, blocks.interval()

    def _margins(self, entry: int) -> list[Moments]:
        by_deal: dict[int, list[float]] = defaultdict(list)
        for m in self._of.get((entry,), ()):
            by_deal[m.deal] += [margins[m.players.index(entry)] for margins in m.margins]
        return [Moments.of(values) for values in by_deal.values()]

    def pair_margin(self, first: int, second: int) -> float | None:
        """Mean margin of the first, over its matches with the second; None where they never met."""
        values = [margins[m.players.index(first)] for m in self._of.get((first, second), ()) for margins in m.margins]
        return float(np.mean(values)) if values else None

    def deal_results(self, first: int, second: int) -> list[DealResults]:
        """How the matches of a deal of one table came out for the first of two, on how many deals each."""
        counted: Counter[tuple[int, int, int]] = Counter()
        for m in self._of.get((first, second), ()):
            one, two = m.players.index(first), m.players.index(second)
            leads = [ranks[two] - ranks[one] for ranks in m.ranks]
            counted[sum(x > 0 for x in leads), leads.count(0), sum(x < 0 for x in leads)] += 1
        return [DealResults(*results, deals) for results, deals in sorted(counted.items())]

    def mean_rank(self, entry: int) -> tuple[float | None, Interval | None]:
        """Mean rank of an entry over all its matches, the first being 1, and its interval with deals as units."""
        by_deal: dict[int, list[float]] = defaultdict(list)
        for m in self._of.get((entry,), ()):
            by_deal[m.deal] += [float(ranks[m.players.index(entry)]) for ranks in m.ranks]
        blocks = BlockMoments.of([Moments.of(values) for values in by_deal.values()])
        return blocks.mean, bounded_interval(blocks, 1, max(2, self.ladder.sides))


def of_rows(spec: ExperimentSpec, rows: Iterable[Row]) -> Standing:
    """Put rows together."""
    assert spec.ladder is not None
    found = _Deals(spec.ladder)
    for row in rows:
        found.add(row)
    return found.standing(spec)


@dataclass
class _Deals:
    ladder: Ladder
    by_deal: dict[tuple[int, int], list[tuple[int, Row]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, row: Row) -> None:
        self.by_deal[row.arm, row.deal].append((row.rotation, row))

    def standing(self, spec: ExperimentSpec) -> Standing:
        meetings, partial, foreign = [], 0, 0
        for (arm, deal), numbered in sorted(self.by_deal.items()):
            rows = [row for _, row in sorted(numbered, key=lambda entry: entry[0])]
            ended = [row for row in rows if row.ranks]
            players = {self._players(arm, row) for row in ended}
            if None in players:
                foreign += len(ended)
            elif len(ended) < spec.num_seatings(arm) or len(players) > 1:
                partial += len(ended)
            else:
                (who,) = players
                assert who is not None
                sides = self.ladder.sides
                meetings.append(
                    Meeting(
                        deal,
                        who,
                        tuple(_places(row.ranks[:sides]) for row in ended),
                        tuple(row.margins[:sides] for row in ended),
                    )
                )
        return Standing(self.ladder, spec.seed, tuple(meetings), partial, foreign)

    def _players(self, arm: int, row: Row) -> tuple[int, ...] | None:
        """Entries that played, by side; None where a version is no entry."""
        found = [self._player(entry, row.versions) for entry in self.ladder.tables[arm]]
        return None if None in found else tuple(i for i in found if i is not None)

    def _player(self, entry: int, versions: Mapping[str, str]) -> int | None:
        seat = self.ladder.entries[entry].seat
        version = versions.get(seat.engine, self.ladder.entries[entry].version)
        if version == self.ladder.entries[entry].version:
            return entry
        same = (i for i, other in enumerate(self.ladder.entries) if (other.seat, other.version) == (seat, version))
        return next(same, None)


def _places(ranks: Sequence[int]) -> tuple[int, ...]:
    """Ranks among the sides, from 1 up: of teams, whose partners share theirs, 1 and 2 in place of 1 and 3."""
    order = sorted(ranks)
    return tuple(1 + order.index(rank) for rank in ranks)


def row_of(record: MatchRecord, seats: int) -> Row:
    """The row of a match record."""
    ranks, margins = [0] * seats, [0.0] * seats
    if record.failure is None:
        for seat, place in enumerate(record.lineup):
            ranks[place], margins[place] = record.ranks[seat], float(record.margin(seat))
    ended = record.failure is None
    return Row(
        record.arm,
        record.deal,
        record.rotation,
        tuple(ranks) if ended else (),
        tuple(margins) if ended else (),
        record.versions,
    )
