"""All numbers of result tables: pages, pictures, citations and exports' tests read them here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from webapp.records.models import Experiment
from webapp.results import queries
from webapp.results.cache import per_version
from webapp.results.sides import Lineups, Side, lineups
from worker.analysis.intervals import CONFIDENCE, Interval, wilson
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import PairedDifference, paired_from_sums


@dataclass(frozen=True)
class Tally:
    """Wins, draws and losses, counted apart; failed matches are in none of them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def matches(self) -> int:
        """Finished matches."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> float | None:
        """Share of matches won alone; None without matches."""
        return self.wins / self.matches if self.matches else None

    @property
    def interval(self) -> Interval | None:
        """Wilson interval of the win rate."""
        return wilson(self.wins, self.matches)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True)
class SeatResult:
    """One side in one seat."""

    seat: int
    tally: Tally
    score: Moments
    margin: Moments


@dataclass(frozen=True)
class SideResult:
    """One side over all its matches; intervals of means take the deal as the unit."""

    side: Side
    tally: Tally = Tally()
    failures: int = 0
    score: BlockMoments = field(default_factory=BlockMoments)
    margin: BlockMoments = field(default_factory=BlockMoments)
    lowest: int | None = None
    highest: int | None = None
    seats: tuple[SeatResult, ...] = ()


@dataclass(frozen=True)
class Difference:
    """An arm against the first one, over the deals both have played whole.

    confidence: of each interval, chosen so that all of them hold together in 95 of 100
    experiments (Bonferroni).
    """

    side: Side
    baseline: Side
    wins: PairedDifference
    margin: PairedDifference
    confidence: float


@dataclass(frozen=True)
class Results:
    """Everything a result table says."""

    lineups: Lineups
    sides: tuple[tuple[SideResult, ...], ...]
    seats: tuple[tuple[int, Tally, Moments], ...]
    differences: tuple[Difference, ...]
    finished: int
    failed: int
    planned: int

    @property
    def written(self) -> int:
        """Matches that ended, finished or failed."""
        return self.finished + self.failed

    @property
    def compared(self) -> tuple[SideResult, ...]:
        """The rows of the main table: one per arm, or the places of the only one."""
        if len(self.sides) == 1:
            return self.sides[0]
        return tuple(row[self.lineups.focus] for row in self.sides)

    @property
    def is_one_arm(self) -> bool:
        """Whether the table compares the places of one line-up."""
        return len(self.sides) == 1


@per_version
def results(experiment: Experiment) -> Results:
    """The numbers of an experiment, as of now."""
    names = lineups(experiment)
    failures, failed = _failures(experiment)
    by_seat = _seats(experiment)
    found = {}
    for row in queries.rows(queries.SIDE_TOTALS, experiment.pk):
        arm, place, blocks, n, wins, draws, losses, lowest, highest, squares = row[:10]
        score, margin = row[10:13], row[13:16]
        found[arm, place] = {
            "tally": Tally(wins, draws, losses),
            "score": BlockMoments(blocks, n, *score, squares),
            "margin": BlockMoments(blocks, n, *margin, squares),
            "lowest": lowest,
            "highest": highest,
        }
    sides = tuple(
        tuple(
            SideResult(
                side,
                failures=failures.get((side.arm, side.place), 0),
                seats=tuple(by_seat.get((side.arm, side.place), ())),
                **found.get((side.arm, side.place), {}),
            )
            for side in row
        )
        for row in names.sides
    )
    finished = sum(row[0].tally.matches for row in sides)
    return Results(
        lineups=names,
        sides=sides,
        seats=_seat_advantage(by_seat),
        differences=_differences(experiment, names, sides),
        finished=finished,
        failed=failed,
        planned=experiment.num_matches,
    )


def _failures(experiment: Experiment) -> tuple[dict[tuple[int, int | None], int], int]:
    """Failed matches by the side whose engine failed, and in all."""
    rows = queries.rows(queries.FAILURES, experiment.pk)
    return {(arm, place): count for arm, place, count in rows}, sum(row[2] for row in rows)


def _seats(experiment: Experiment) -> dict[tuple[int, int], list[SeatResult]]:
    found: dict[tuple[int, int], list[SeatResult]] = {}
    for arm, place, seat, wins, draws, losses, *sums in queries.rows(queries.SEAT_TOTALS, experiment.pk):
        tally = Tally(wins, draws, losses)
        if tally.matches:
            row = SeatResult(seat, tally, Moments(tally.matches, *sums[:2]), Moments(tally.matches, *sums[2:]))
            found.setdefault((arm, place), []).append(row)
    return found


def _seat_advantage(by_seat: dict[tuple[int, int], list[SeatResult]]) -> tuple[tuple[int, Tally, Moments], ...]:
    """Every seat over all arms and places: what sitting there is worth."""
    totals: dict[int, tuple[Tally, Moments]] = {}
    for rows in by_seat.values():
        for row in rows:
            tally, margin = totals.get(row.seat, (Tally(), Moments()))
            totals[row.seat] = (tally + row.tally, margin + row.margin)
    return tuple((seat, *totals[seat]) for seat in sorted(totals))


def _differences(
    experiment: Experiment, names: Lineups, sides: Sequence[Sequence[SideResult]]
) -> tuple[Difference, ...]:
    """Each arm against the first; none where there is one arm only."""
    if len(names.arms) == 1:
        return ()
    rotations = int(experiment.spec["seats"]) if experiment.spec["rotation"] == "all" else 1
    confidence = 1 - (1 - CONFIDENCE) / (len(names.arms) - 1)
    rows = queries.rows(queries.PAIRS, experiment.pk, place=names.focus, rotations=rotations)
    found = {row[0]: row[1:] for row in rows}
    differences = []
    for arm in range(1, len(names.arms)):
        common, whole, *sums = found.get(arm, (0, 0, *[None] * 12))
        deals = sides[arm][names.focus].margin.blocks + sides[0][names.focus].margin.blocks - common
        moments = [Moments(whole, sums[i] or 0.0, sums[i + 1] or 0.0) for i in range(0, 12, 2)]
        wins, margin = (paired_from_sums(*three, deals - whole, confidence) for three in (moments[:3], moments[3:]))
        differences.append(Difference(names.focal(arm), names.focal(0), wins, margin, confidence))
    return tuple(differences)
