"""All numbers of result tables: pages, pictures, citations and exports' tests read them here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from psycopg import sql

from games.protocol import NUM_TEAMS
from webapp.lab.results import counted, queries
from webapp.lab.results import method as methods
from webapp.lab.results.cache import per_version
from webapp.lab.results.counted import Seating
from webapp.lab.results.sides import Lineups, Side, lineups
from webapp.records.models import Experiment
from worker.analysis import holm
from worker.analysis.first_seat import FirstSeat, first_seat
from worker.analysis.intervals import CONFIDENCE
from worker.analysis.methods import FIXED, Method, Paired
from worker.analysis.moments import BlockMoments
from worker.analysis.paired import PairedDifference
from worker.analysis.summary import PlaceResult, SeatResult, Sums, place_result, seat_result
from worker.spec import seatings

SideSums = dict[queries.Side, tuple[Sums, dict[int, Sums]]]


@dataclass(frozen=True)
class SideResult:
    """One side over all its matches, and how many failed because of it; partners share all but that."""

    side: Side
    result: PlaceResult
    failures: int


@dataclass(frozen=True)
class Difference:
    """One side against another, over the deals that both have played whole; one of a family.

    points: of arms the margin, of the sides of one line-up the score. confidence: of each interval,
    chosen so that all of the family hold together in 95 of 100 experiments (Bonferroni). wins_p,
    points_p: corrected for the size of the family (Holm), win rates and points apart; None where
    there is no test. is_always_valid: whether the intervals hold at every look; then p does not.
    """

    side: Side
    baseline: Side
    wins: PairedDifference
    points: PairedDifference
    confidence: float
    wins_p: float | None = None
    points_p: float | None = None
    is_always_valid: bool = False

    @property
    def wins_differ(self) -> bool:
        """Whether the win rates are said to differ: by an interval for every look, else by Holm's test."""
        return self._differ(self.wins, self.wins_p)

    @property
    def points_differ(self) -> bool:
        """The same of the points."""
        return self._differ(self.points, self.points_p)

    def _differ(self, difference: PairedDifference, p: float | None) -> bool:
        if not self.is_always_valid:
            return holm.is_rejected(p)
        interval = difference.interval
        return interval is not None and not interval.low <= 0 <= interval.high


@dataclass(frozen=True)
class Results:
    """Everything a result table says.

    differences: each arm against the first; of one arm with three sides or more every two of these.
    leads: the best arm by win rate against each other, in the order of `ranked`; empty with one arm.
    is_paired: whether arms met the same deals; where agents play they do not, and differences are
    between independent samples. seats, first: what each seat is worth over all arms and engines, in a
    game of teams the seats of a team under the first; empty and None where every engine kept its seat
    (rotation "none"): what a seat is worth could not be told from what its engine is.
    arms: how many matches of each arm there are and count. is_always_valid: whether intervals hold at every
    look, or only at the planned end.
    """

    lineups: Lineups
    sides: tuple[tuple[SideResult, ...], ...]
    seats: tuple[SeatResult, ...]
    first: FirstSeat | None
    differences: tuple[Difference, ...]
    leads: tuple[Difference, ...]
    arms: tuple[counted.ArmCount, ...]
    failed: int
    planned: int
    is_paired: bool = True
    is_always_valid: bool = False

    @property
    def finished(self) -> int:
        """Distinct matches that have a result."""
        return sum(arm.finished for arm in self.arms)

    @property
    def left_out(self) -> int:
        """Of these the matches of deals that are not whole, which count nowhere."""
        return sum(arm.left_out for arm in self.arms)

    @property
    def beyond(self) -> int:
        """Matches of deals after the one at which the stop rule ended: kept, and outside of the numbers."""
        return sum(arm.beyond for arm in self.arms)

    @property
    def repeats(self) -> int:
        """Matches beside them that only repeat one of them."""
        return sum(arm.repeats for arm in self.arms)

    @property
    def compared(self) -> tuple[SideResult, ...]:
        """The rows of the main table: one per arm, or the parties of the only one."""
        if len(self.sides) == 1:
            return self.sides[0]
        return tuple(row[self.lineups.focal_party] for row in self.sides)

    @property
    def ranked(self) -> list[SideResult]:
        """Those of them that have matches, by win rate and then by margin, best first."""
        return _ranked(self.compared)

    @property
    def is_one_arm(self) -> bool:
        """Whether the table compares the parties of one line-up."""
        return len(self.sides) == 1


@per_version
def results(experiment: Experiment) -> Results:
    """The numbers of an experiment, all of one moment."""
    return _results(experiment, methods.method(experiment))


@per_version
def results_at_every_look(experiment: Experiment) -> Results:
    """The same with intervals that held at every look, also where the planned end is reached."""
    return _results(experiment, methods.always_valid(experiment))


@per_version
def focal_results(experiment: Experiment, versions: str) -> tuple[PlaceResult, ...]:
    """The result of each arm's compared side over the matches that recorded these versions (`counted.seats`)."""
    with queries.snapshot():
        names, seated = lineups(experiment), counted.seating(experiment)
        sums = queries.side_sums(experiment, has_teams=names.has_teams, versions=versions)
        sides = [names.focal(arm) for arm in range(len(names.arms))]
        method = methods.method(experiment)
        return tuple(_side(side, names, seated[side.arm], sums, {}, method).result for side in sides)


@queries.snapshot()
def _results(experiment: Experiment, method: Method) -> Results:
    names, seated = lineups(experiment), counted.seating(experiment)
    failures, failed = _failures(experiment)
    sums = queries.side_sums(experiment, has_teams=names.has_teams)
    sides = tuple(
        tuple(_side(side, names, seated[side.arm], sums, failures, method) for side in row) for row in names.parties
    )
    seats, first = _seats(experiment, names, method)
    differences, leads = _differences(experiment, names, sides, sums, method)
    return Results(
        lineups=names,
        sides=sides,
        seats=seats,
        first=first,
        differences=differences,
        leads=leads,
        arms=counted.census(experiment),
        failed=failed,
        planned=experiment.num_matches,
        is_paired=not experiment.has_agents,
        is_always_valid=method is not FIXED,
    )


def _failures(experiment: Experiment) -> tuple[dict[tuple[int, int | None], int], int]:
    """Failed matches by the place whose engine failed, and in all."""
    rows = queries.rows(queries.FAILURES, experiment)
    return {(arm, place): count for arm, place, count in rows}, sum(row[2] for row in rows)


def _side(
    side: Side,
    names: Lineups,
    seating: Seating,
    sums: SideSums,
    failures: dict[tuple[int, int | None], int],
    method: Method,
) -> SideResult:
    """One row of a table."""
    total, seats = sums.get((side.arm, side.place % seating.sides), (Sums(), {}))
    partners = seating.places_a_side if names.has_teams and seating.sides <= NUM_TEAMS else 1
    per_seat = min(partners, len(side.places))
    return SideResult(
        side,
        place_result(side.place, total, seating.places_a_side, seats, per_seat, method),
        sum(failures.get((side.arm, place), 0) for place in side.places),
    )


def _seats(experiment: Experiment, names: Lineups, method: Method) -> tuple[tuple[SeatResult, ...], FirstSeat | None]:
    """What each seat is worth, and the first of them; of partners one speaks for both."""
    parties = len(names.parties[0])
    if experiment.spec["rotation"] == seatings.NONE or parties < 2:
        return (), None
    found = queries.seat_sums(experiment, parties)
    if not found:
        return (), None
    first = first_seat(*queries.first_seat_sums(experiment, parties), parties, method)
    return tuple(seat_result(seat, row, method=method) for seat, row in found.items()), first


def _ranked(rows: Sequence[SideResult]) -> list[SideResult]:
    """Those with matches, by win rate and then by margin, best first."""
    played = [row for row in rows if row.result.matches]
    return sorted(played, key=lambda row: (row.result.win_rate or 0, row.result.mean_margin or 0), reverse=True)


def _differences(
    experiment: Experiment, names: Lineups, sides: Sequence[Sequence[SideResult]], sums: SideSums, method: Method
) -> tuple[tuple[Difference, ...], tuple[Difference, ...]]:
    """Each arm against the first, and the best against each other; of one arm, every two of three sides or more."""
    if len(names.arms) == 1:
        return _between(experiment, names.parties[0], sums, method), ()
    family = Family(_each(len(names.arms) - 1), method)
    ranked = [row.side.arm for row in _ranked([row[names.focal_party] for row in sides])]
    best = ranked[0] if ranked else 0
    if experiment.has_agents:
        difference = _independent(experiment, names, sums, family)
    else:
        difference = _paired(experiment, names, sums, best, family)
    others = [arm for arm in ranked if arm != best]
    against_first = _corrected([difference(arm, 0) for arm in range(1, len(names.arms))])
    return against_first, _corrected([difference(best, arm) for arm in others])


def _each(size: int) -> float:
    """Confidence of each of so many intervals that hold together at CONFIDENCE (Bonferroni)."""
    return 1 - (1 - CONFIDENCE) / size


class Family(NamedTuple):
    """Comparisons that are made together: the confidence of each interval, and the method."""

    confidence: float
    method: Method

    def paired(
        self,
        sides: tuple[Side, Side],
        won: tuple[BlockMoments, BlockMoments],
        sums: tuple[Paired, Paired],
        left_out: int,
    ) -> Difference:
        """Two sides on the deals that both have. won: wins of each over all its deals; sums: of wins, of points."""
        sizes = (_rows(won[0]), _rows(won[1]))
        rates = self.method.paired_rates(sums[0], sizes, left_out, self.confidence)
        return self._difference(sides, rates, self.method.paired(sums[1], left_out, self.confidence))

    def independent(self, sides: tuple[Side, Side], ours: Sums, theirs: Sums) -> Difference:
        """Two sides that met no deal in common."""
        rates = self.method.independent_rates(ours.wins, theirs.wins, self.confidence)
        margins = self.method.independent(ours.single_margins, theirs.single_margins, self.confidence)
        return self._difference(sides, rates, margins)

    def _difference(self, sides: tuple[Side, Side], wins: PairedDifference, points: PairedDifference) -> Difference:
        return Difference(*sides, wins, points, self.confidence, is_always_valid=self.method is not FIXED)


def _total(sums: SideSums, arm: int, side: int) -> Sums:
    """Sums of a side over all seats."""
    return sums.get((arm, side), (Sums(), {}))[0]


def _rows(wins: BlockMoments) -> float:
    """What a deal adds to a rate, on average: a row of each place of its side in each match."""
    return wins.n / wins.blocks if wins.blocks else 1


def _between(experiment: Experiment, sides: Sequence[Side], sums: SideSums, method: Method) -> tuple[Difference, ...]:
    """Every two sides of one line-up, from three sides up: of two the one's margin is the other's."""
    num_sides = counted.seating(experiment)[0].sides
    distinct = [side for side in sides if side.place < num_sides]
    if len(distinct) < 3:
        return ()
    found = queries.differences(queries.BETWEEN, experiment)
    pairs = list(combinations(distinct, 2))
    family = Family(_each(len(pairs)), method)
    rows = []
    for side, other in pairs:
        wins, points = found.get((side.place, other.place), (queries.NOTHING, queries.NOTHING))
        won = (_total(sums, 0, side.place).wins, _total(sums, 0, other.place).wins)
        rows.append(family.paired((side, other), won, (wins, points), 0))
    return _corrected(rows)


def _independent(
    experiment: Experiment, names: Lineups, sums: SideSums, family: Family
) -> Callable[[int, int], Difference]:
    """How arms differ that met no deal in common."""
    seating = counted.seating(experiment)

    def total(arm: int) -> Sums:
        return _total(sums, arm, names.focus % seating[arm].sides)

    def difference(arm: int, baseline: int) -> Difference:
        return family.independent((names.focal(arm), names.focal(baseline)), total(arm), total(baseline))

    return difference


def _paired(
    experiment: Experiment, names: Lineups, sums: SideSums, best: int, family: Family
) -> Callable[[int, int], Difference]:
    """How arms differ on the deals that both have played whole."""
    side = counted.side_of(experiment, sql.Literal(names.focus))
    found = queries.differences(queries.PAIRS, experiment, {"side": side, "best": best})
    seating = counted.seating(experiment)

    def total(arm: int) -> Sums:
        return _total(sums, arm, names.focus % seating[arm].sides)

    def difference(arm: int, baseline: int) -> Difference:
        wins, margins = found.get((arm, baseline), (queries.NOTHING, queries.NOTHING))
        won = (total(arm).wins, total(baseline).wins)
        left_out = sum(row.blocks for row in won) - 2 * wins[0].n
        return family.paired((names.focal(arm), names.focal(baseline)), won, (wins, margins), left_out)

    return difference


def _corrected(family: Sequence[Difference]) -> tuple[Difference, ...]:
    """The differences with their Holm-adjusted p-values."""
    wins, points = (holm.adjust(values) for values in ([d.wins.p for d in family], [d.points.p for d in family]))
    return tuple(
        replace(row, wins_p=wins_p, points_p=points_p)
        for row, wins_p, points_p in zip(family, wins, points, strict=True)
    )
