"""All numbers of result tables: pages, pictures, citations and exports' tests read them here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from webapp.lab.results import queries, teams
from webapp.lab.results.cache import per_version
from webapp.lab.results.sides import Lineups, Side, lineups
from webapp.records.models import Experiment
from worker.analysis import holm
from worker.analysis.independent import independent_difference
from worker.analysis.intervals import CONFIDENCE
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import PairedDifference, paired_from_sums
from worker.analysis.seats import FirstSeat, first_seat
from worker.analysis.summary import PlaceResult, Tally, place_result


@dataclass(frozen=True)
class SideResult:
    """One side over all its matches, and how many failed because of it; partners share all but that."""

    side: Side
    result: PlaceResult
    failures: int


@dataclass(frozen=True)
class SeatWorth:
    """A seat over all arms and engines; the deal is the unit of both means.

    In a game of teams, the seats of one team: `seat` is the first of them.
    """

    seat: int
    tally: Tally
    wins: BlockMoments
    margin: BlockMoments


@dataclass(frozen=True)
class Difference:
    """One arm against another, over the deals both have played whole; one of a family.

    confidence: of each interval, chosen so that all of the family hold together in 95 of 100
    experiments (Bonferroni). wins_p, margin_p: corrected for the size of the family (Holm), win
    rates and margins apart; None where there is no test.
    """

    side: Side
    baseline: Side
    wins: PairedDifference
    margin: PairedDifference
    confidence: float
    wins_p: float | None = None
    margin_p: float | None = None


@dataclass(frozen=True)
class Results:
    """Everything a result table says.

    differences: each arm against the first. leads: the best arm by win rate against each other,
    in the order of `ranked`. Both are empty with one arm. is_paired: whether arms met the same
    deals; where agents play they do not, and differences are between independent samples.
    seats, first: empty and None where every engine kept its seat (rotation "none"): what a
    seat is worth could not be told from what its engine is.
    """

    lineups: Lineups
    sides: tuple[tuple[SideResult, ...], ...]
    seats: tuple[SeatWorth, ...]
    first: FirstSeat | None
    differences: tuple[Difference, ...]
    leads: tuple[Difference, ...]
    finished: int
    failed: int
    planned: int
    is_paired: bool = True

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
    with queries.snapshot():
        return _results(experiment)


def _results(experiment: Experiment) -> Results:
    names = lineups(experiment)
    failures, failed = _failures(experiment)
    tallies = _tallies(experiment)
    blocks = {(arm, place): _blocks(*sums) for arm, place, *sums in queries.rows(queries.SIDE_BLOCKS, experiment.pk)}
    sides = tuple(
        tuple(
            SideResult(
                side,
                place_result(
                    side.place,
                    _by_seat(names, tallies.get((side.arm, side.place), {})),
                    *blocks.get((side.arm, side.place), (BlockMoments(), BlockMoments())),
                ),
                sum(failures.get((side.arm, place), 0) for place in side.places),
            )
            for side in row
        )
        for row in names.parties
    )
    seats, first = _seats(experiment, names, tallies)
    differences, leads = _differences(experiment, names, sides, tallies)
    return Results(
        lineups=names,
        sides=sides,
        seats=seats,
        first=first,
        differences=differences,
        leads=leads,
        finished=sum(row[0].result.matches for row in sides),
        failed=failed,
        planned=experiment.num_matches,
        is_paired=not experiment.has_agents,
    )


def _failures(experiment: Experiment) -> tuple[dict[tuple[int, int | None], int], int]:
    """Failed matches by the side whose engine failed, and in all."""
    rows = queries.rows(queries.FAILURES, experiment.pk)
    return {(arm, place): count for arm, place, count in rows}, sum(row[2] for row in rows)


def _tallies(experiment: Experiment) -> dict[tuple[int, int], dict[int, Tally]]:
    """(arm, place) -> seat -> tally of the matches in which the side sat there."""
    found: dict[tuple[int, int], dict[int, Tally]] = {}
    for arm, place, seat, wins, draws, losses, *sums in queries.rows(queries.SEAT_TOTALS, experiment.pk):
        n = wins + draws + losses
        score, scores, margin, margins = sums
        if n:
            tally = Tally(wins, draws, losses, Moments(n, score, scores), Moments(n, margin, margins))
            found.setdefault((arm, place), {})[seat] = tally
    return found


def _blocks(blocks: int, n: int, n_squares: int, *sums: float) -> tuple[BlockMoments, BlockMoments]:
    """Two sets of sums (total, of squares, cross) over the same blocks."""
    wins, wins_squares, wins_cross, margin, margin_squares, margin_cross = sums
    return (
        BlockMoments(blocks, n, wins, wins_squares, wins_cross, n_squares),
        BlockMoments(blocks, n, margin, margin_squares, margin_cross, n_squares),
    )


def _by_seat(names: Lineups, tallies: dict[int, Tally]) -> dict[int, Tally]:
    """Tallies by seat; in a game of teams those of a team's seats together, under the first of them."""
    found: dict[int, Tally] = {}
    for seat, tally in tallies.items():
        key = teams.team_of(seat) if names.has_teams else seat
        found[key] = found.get(key, Tally()) + tally
    return found


def _seats(
    experiment: Experiment, names: Lineups, tallies: dict[tuple[int, int], dict[int, Tally]]
) -> tuple[tuple[SeatWorth, ...], FirstSeat | None]:
    """What each seat is worth, and the first of them; of partners one speaks for both."""
    parties = len(names.parties[0])
    if experiment.spec["rotation"] != "all" or parties < 2:
        return (), None
    by_seat: dict[int, Tally] = {}
    for row in tallies.values():
        for seat, tally in row.items():
            if seat < parties:
                by_seat[seat] = by_seat.get(seat, Tally()) + tally
    if not by_seat:
        return (), None
    *blocks, leads = queries.seat_blocks(experiment.pk, parties)
    worth = tuple(SeatWorth(seat, by_seat[seat], *blocks[2 * seat : 2 * seat + 2]) for seat in sorted(by_seat))
    return worth, first_seat(by_seat, leads, parties)


def _ranked(rows: Sequence[SideResult]) -> list[SideResult]:
    """Those with matches, by win rate and then by margin, best first."""
    played = [row for row in rows if row.result.matches]
    return sorted(played, key=lambda row: (row.result.win_rate or 0, row.result.mean_margin or 0), reverse=True)


def _differences(
    experiment: Experiment,
    names: Lineups,
    sides: Sequence[Sequence[SideResult]],
    tallies: dict[tuple[int, int], dict[int, Tally]],
) -> tuple[tuple[Difference, ...], tuple[Difference, ...]]:
    """Each arm against the first, and the best against each other; nothing where there is one arm only."""
    if len(names.arms) == 1:
        return (), ()
    confidence = 1 - (1 - CONFIDENCE) / (len(names.arms) - 1)
    ranked = [row.side.arm for row in _ranked([row[names.focal_party] for row in sides])]
    best = ranked[0] if ranked else 0
    if experiment.has_agents:
        difference = _independent(names, tallies, confidence)
    else:
        difference = _paired(experiment, names, sides, best, confidence)
    others = [arm for arm in ranked if arm != best]
    against_first = _corrected([difference(arm, 0) for arm in range(1, len(names.arms))])
    return against_first, _corrected([difference(best, arm) for arm in others])


def _independent(
    names: Lineups, tallies: dict[tuple[int, int], dict[int, Tally]], confidence: float
) -> Callable[[int, int], Difference]:
    """How arms differ that met no deal in common."""

    def total(arm: int) -> Tally:
        return sum(tallies.get((arm, names.focus), {}).values(), Tally())

    def wins(tally: Tally) -> Moments:
        return Moments(tally.matches, tally.wins, tally.wins)

    def difference(arm: int, baseline: int) -> Difference:
        ours, theirs = total(arm), total(baseline)
        won = independent_difference(wins(ours), wins(theirs), confidence)
        margin = independent_difference(ours.margins, theirs.margins, confidence)
        return Difference(names.focal(arm), names.focal(baseline), won, margin, confidence)

    return difference


def _paired(
    experiment: Experiment, names: Lineups, sides: Sequence[Sequence[SideResult]], best: int, confidence: float
) -> Callable[[int, int], Difference]:
    """How arms differ on the deals that both have played whole."""
    rotations = int(experiment.spec["seats"]) if experiment.spec["rotation"] == "all" else 1
    rows = queries.rows(queries.PAIRS, experiment.pk, place=names.focus, rotations=rotations, best=best)
    found = {row[:2]: row[2:] for row in rows}

    def difference(arm: int, baseline: int) -> Difference:
        common, whole, *sums = found.get((arm, baseline), (0, 0, *[None] * 12))
        deals = sum(sides[index][names.focal_party].result.deals for index in (arm, baseline)) - common
        moments = [Moments(whole, sums[i] or 0.0, sums[i + 1] or 0.0) for i in range(0, 12, 2)]
        wins, margin = (
            paired_from_sums(of_difference, of_arm, of_baseline, deals - whole, confidence)
            for of_difference, of_arm, of_baseline in (moments[:3], moments[3:])
        )
        return Difference(names.focal(arm), names.focal(baseline), wins, margin, confidence)

    return difference


def _corrected(family: Sequence[Difference]) -> tuple[Difference, ...]:
    """The differences with their Holm-adjusted p-values."""
    wins, margins = (holm.adjust(values) for values in ([d.wins.p for d in family], [d.margin.p for d in family]))
    return tuple(
        replace(row, wins_p=wins_p, margin_p=margin_p)
        for row, wins_p, margin_p in zip(family, wins, margins, strict=True)
    )
