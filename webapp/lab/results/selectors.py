"""All numbers of result tables: pages, pictures, citations and exports' tests read them here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from webapp.lab.results import counted, queries
from webapp.lab.results import method as methods
from webapp.lab.results.cache import per_version
from webapp.lab.results.comparisons import PLACE, Compare, Difference, SideSums, measure_of
from webapp.lab.results.counted import Seating
from webapp.lab.results.sides import Lineups, Side, lineups
from webapp.records.models import Experiment
from worker.analysis.first_seat import FirstSeat, first_seat
from worker.analysis.methods import FIXED, Method
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE
from worker.analysis.summary import PlaceResult, SeatResult, Sums, place_result, seat_result
from worker.spec import seatings


@dataclass(frozen=True)
class SideResult:
    """One side over all its matches, and how many failed because of it; partners share all but that."""

    side: Side
    result: PlaceResult
    failures: int


@dataclass(frozen=True)
class Results:
    """Everything a result table says.

    measure: what is judged, WIN_RATE, MARGIN or PLACE. differences: each arm against the baseline; of one
    arm with three sides or more every two of these; of two, the first less the second is `versus`.
    pooled: of one arm with copies of a configuration, every two configurations, each by the mean of its copies;
    pools: these, best first.
    leads: the best arm against each other, in the order of `ranked`; empty with one arm.
    is_paired: whether arms met the same deals; where agents play they do not, and differences are
    between independent samples. seats, first: what each seat is worth over all arms and engines, in a
    game of teams the seats of a team under the first; empty and None where every engine kept its seat
    (rotation "none"): what a seat is worth could not be told from what its engine is.
    arms: how many matches of each arm there are and count. is_always_valid: whether intervals hold at every
    look, or only at the planned end.
    """

    lineups: Lineups
    measure: str
    sides: tuple[tuple[SideResult, ...], ...]
    seats: tuple[SeatResult, ...]
    first: FirstSeat | None
    differences: tuple[Difference, ...]
    leads: tuple[Difference, ...]
    versus: Difference | None
    pooled: tuple[Difference, ...]
    pools: tuple[SideResult, ...]
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
        """Those of them that have matches, by what is judged, best first."""
        return _ranked(self.compared, self.measure)

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
        return tuple(_side(side, seated[side.arm], sums, {}, method).result for side in sides)


@queries.snapshot()
def _results(experiment: Experiment, method: Method) -> Results:
    names, seated = lineups(experiment), counted.seating(experiment)
    failures, failed = _failures(experiment)
    sums = queries.side_sums(experiment, has_teams=names.has_teams)
    sides = tuple(tuple(_side(side, seated[side.arm], sums, failures, method) for side in row) for row in names.parties)
    seats, first = _seats(experiment, names, method)
    measure = measure_of(experiment, names)
    compare = Compare(experiment, names, measure, method)
    ranked = _ranked([row[names.focal_party] for row in sides], measure)
    differences, leads = compare.differences([row.side.arm for row in ranked], sums)
    return Results(
        lineups=names,
        measure=measure,
        sides=sides,
        seats=seats,
        first=first,
        differences=differences,
        leads=leads,
        versus=compare.versus(sums),
        pooled=(pooled := compare.pooled(sums)),
        pools=_pools(sides[0], pooled, measure),
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
    seating: Seating,
    sums: SideSums,
    failures: dict[tuple[int, int | None], int],
    method: Method,
) -> SideResult:
    """One row of a table."""
    total, seats = sums.get((side.arm, side.place % seating.sides), (Sums(), {}))
    return SideResult(
        side,
        place_result(side.place, total, seating.speakers // seating.sides, seats, method),
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


def _pools(rows: Sequence[SideResult], pooled: Sequence[Difference], measure: str) -> tuple[SideResult, ...]:
    """Each configuration with the means of its copies, best first."""
    found = []
    for side in dict.fromkeys(side for row in pooled for side in (row.side, row.baseline)):
        own = [row for row in rows if row.side.place in side.places]
        mean = replace(
            own[0].result,
            win_rate=_mean([row.result.win_rate for row in own]),
            mean_margin=_mean([row.result.mean_margin for row in own]),
            mean_rank=_mean([row.result.mean_rank for row in own]),
        )
        found.append(SideResult(side, mean, sum(row.failures for row in own)))
    return tuple(_ranked(found, measure))


def _mean(values: Sequence[float | None]) -> float | None:
    """Of copies, which play as many matches; None without any."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _ranked(rows: Sequence[SideResult], measure: str) -> list[SideResult]:
    """Those with matches, by what is judged and then by win rate and by margin, best first."""

    def merit(row: SideResult) -> tuple[float, float, float]:
        result = row.result
        rate, margin = result.win_rate or 0, result.mean_margin or 0
        return {WIN_RATE: rate, MARGIN: margin, PLACE: -(result.mean_rank or 0)}[measure], rate, margin

    return sorted((row for row in rows if row.result.matches), key=merit, reverse=True)
