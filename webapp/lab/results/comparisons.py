"""How sides differ: arms on the same deals, sides of one line-up, and what of them is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from psycopg import sql

from webapp.lab.results import counted, queries, teams
from webapp.lab.results.queries import PairSums
from webapp.lab.results.sides import Lineups, Side
from webapp.records.models import Experiment
from worker.analysis import holm
from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.methods import FIXED, Method, Paired
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import PairedDifference, weighted_moments
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE
from worker.analysis.summary import Sums

PLACE = "place"
"""What is judged beside WIN_RATE and MARGIN: the place at which a side comes in."""
SideSums = dict[queries.Side, tuple[Sums, dict[int, Sums]]]


@dataclass(frozen=True)
class Difference:
    """One side against another, over the deals that both have played whole; one of a family.

    points: of arms the margin, of the sides of one line-up the score; places: those that the side is
    ahead by. confidence: of each interval, chosen so that all of the family hold together in 95 of 100
    experiments (Bonferroni); it alone says whether the two are told apart. wins_p, points_p, places_p:
    corrected for the size of the family (Holm), each kind apart; None where there is no test.
    is_always_valid: whether the intervals hold at every look; then p does not. course: what is judged, as
    it was after each of `queries.LOOKS`. sums: over the common deals, and sizes: matches of a deal of each; None
    where they met no deal in common.
    """

    side: Side
    baseline: Side
    wins: PairedDifference
    points: PairedDifference
    places: PairedDifference
    confidence: float
    wins_p: float | None = None
    points_p: float | None = None
    places_p: float | None = None
    is_always_valid: bool = False
    course: tuple[PairedDifference, ...] = ()
    sums: PairSums | None = None
    sizes: tuple[float, float] = (1, 1)

    def of(self, measure: str) -> PairedDifference:
        """The difference in what is judged."""
        return {WIN_RATE: self.wins, MARGIN: self.points, PLACE: self.places}[measure]


def measure_of(experiment: Experiment, names: Lineups) -> str:
    """What is judged: what the stop rule looks at; else places where there are three or more, or who wins.

    Who plays alone always wins: then points. Normalised Elo goes by wins, too.
    """
    on = experiment.spec.get("stop", {}).get("on")
    if on == MARGIN or len(names.parties[0]) == 1 < len(names.arms):
        return MARGIN
    is_table = len(names.parties[0]) > 2 and not experiment.has_agents
    return PLACE if on is None and is_table else WIN_RATE


def _each(size: int) -> float:
    """Confidence of each of so many intervals that hold together at CONFIDENCE (Bonferroni)."""
    return 1 - (1 - CONFIDENCE) / size


class Family(NamedTuple):
    """Comparisons that are made together: what is judged, the confidence of each interval, and the method."""

    measure: str
    confidence: float
    method: Method
    sides: int

    def paired(
        self,
        sides: tuple[Side, Side],
        won: tuple[BlockMoments, BlockMoments],
        sums: Sequence[PairSums],
        left_out: int,
    ) -> Difference:
        """Two sides on the deals that both have. won: wins of each over all its deals; sums: at each look, and now."""
        sizes = (_rows(won[0]), _rows(won[1]))
        looks = [self.looked(sizes, found, left_out) for found in sums or [PairSums()]]
        course = tuple(found[self.measure] for found in looks)
        if course[-1].blocks not in queries.LOOKS:
            course = course[:-1]
        made = self._difference(sides, looks[-1], course)
        return replace(made, sums=sums[-1] if sums else PairSums(), sizes=sizes)

    def independent(self, sides: tuple[Side, Side], ours: Sums, theirs: Sums) -> Difference:
        """Two sides that met no deal in common; nothing is known of their places."""
        rates = self.method.independent_rates(ours.wins, theirs.wins, self.confidence)
        margins = self.method.independent(ours.single_margins, theirs.single_margins, self.confidence)
        places = self.method.paired(queries.NOTHING, 0, self.confidence)
        found = {WIN_RATE: rates, MARGIN: margins, PLACE: places}
        return self._difference(sides, found, ())

    @property
    def _is_always_valid(self) -> bool:
        return self.method is not FIXED

    def looked(self, sizes: tuple[float, float], sums: PairSums, left_out: int = 0) -> dict[str, PairedDifference]:
        """What the sums over common deals say, by what is judged."""
        return {
            WIN_RATE: self.method.paired_rates(sums.wins, sizes, left_out, self.confidence),
            MARGIN: self.method.paired(sums.points, left_out, self.confidence),
            PLACE: self._places(self.method.paired(sums.places, left_out, self.confidence)),
        }

    def _places(self, found: PairedDifference) -> PairedDifference:
        """With an interval that holds no more places than there are to gain or to lose."""
        if found.interval is None:
            return found
        most = self.sides - 1.0
        return replace(found, interval=Interval(*(min(max(end, -most), most) for end in found.interval)))

    def _difference(
        self, sides: tuple[Side, Side], found: dict[str, PairedDifference], course: tuple[PairedDifference, ...]
    ) -> Difference:
        return Difference(
            *sides,
            wins=found[WIN_RATE],
            points=found[MARGIN],
            places=found[PLACE],
            confidence=self.confidence,
            is_always_valid=self._is_always_valid,
            course=course,
        )


def _total(sums: SideSums, arm: int, side: int) -> Sums:
    """Sums of a side over all seats."""
    return sums.get((arm, side), (Sums(), {}))[0]


def _rows(wins: BlockMoments) -> float:
    """What a deal adds to a rate, on average: a row of each place of its side in each match."""
    return wins.n / wins.blocks if wins.blocks else 1


@dataclass(frozen=True)
class Compare:
    """Compares the sides of an experiment."""

    experiment: Experiment
    names: Lineups
    measure: str
    method: Method

    def differences(
        self, ranked: Sequence[int], sums: SideSums
    ) -> tuple[tuple[Difference, ...], tuple[Difference, ...]]:
        """Each arm against the baseline, and the best against each other; of one arm, every two of three sides or more.

        ranked: arms that have matches, best first.
        """
        if len(self.names.arms) == 1:
            return (self._between(sums) if len(self._distinct) > 2 else ()), ()
        family = self._family(len(self.names.arms) - 1)
        best = ranked[0] if ranked else 0
        difference = self._independent(sums, family) if self.experiment.has_agents else self._paired(sums, best, family)
        others = [arm for arm in ranked if arm != best]
        base = self.names.baseline
        against_baseline = _corrected([difference(arm, base) for arm in range(len(self.names.arms)) if arm != base])
        return against_baseline, _corrected([difference(best, arm) for arm in others])

    def versus(self, sums: SideSums) -> Difference | None:
        """The first of two sides of one line-up less the second; None where there are more or fewer, or arms."""
        if len(self.names.arms) > 1 or len(self._distinct) != 2:
            return None
        return self._between(sums)[0]

    def pooled(self, sums: SideSums) -> tuple[Difference, ...]:
        """Every two configurations of one line-up of which some has copies: these are one side, by their mean.

        Empty where there are no copies, or nothing else.
        """
        pools = self._pools()
        if len(self.names.arms) > 1 or self.names.has_teams or not 1 < len(pools) < len(self._distinct):
            return ()
        found = queries.differences(queries.BETWEEN, self.experiment)
        pairs = list(combinations(pools, 2))
        family, rows = self._family(len(pairs)), []
        for one, two in pairs:
            won = (_total(sums, 0, one[0].place).wins, _total(sums, 0, two[0].place).wins)
            rows.append(family.paired((_pool(one), _pool(two)), won, _pooled_looks(one, two, found), 0))
        return _corrected(rows)

    def _pools(self) -> list[list[Side]]:
        """Sides of one line-up, those of one configuration together, in the order of the first of each."""
        seats, pools = self.experiment.spec["arms"][0]["seats"], list[list[Side]]()
        for side in self._distinct:
            known = next((pool for pool in pools if seats[pool[0].place] == seats[side.place]), None)
            if known is None:
                pools.append([side])
            else:
                known.append(side)
        return pools

    @property
    def _distinct(self) -> list[Side]:
        """The sides of the first arm, those that only change seats with an equal as one."""
        num_sides = counted.seating(self.experiment)[0].sides
        return [side for side in self.names.parties[0] if side.place < num_sides]

    def _family(self, size: int) -> Family:
        return Family(self.measure, _each(size), self.method, len(self.names.parties[0]))

    def _between(self, sums: SideSums) -> tuple[Difference, ...]:
        """Every two sides of one line-up."""
        found = queries.differences(queries.BETWEEN, self.experiment)
        pairs = list(combinations(self._distinct, 2))
        family, rows = self._family(len(pairs)), []
        for side, other in pairs:
            won = (_total(sums, 0, side.place).wins, _total(sums, 0, other.place).wins)
            rows.append(family.paired((side, other), won, found.get((side.place, other.place), ()), 0))
        return _corrected(rows)

    def _independent(self, sums: SideSums, family: Family) -> Callable[[int, int], Difference]:
        """How arms differ that met no deal in common."""
        seating = counted.seating(self.experiment)

        def total(arm: int) -> Sums:
            return _total(sums, arm, self.names.focus % seating[arm].sides)

        def difference(arm: int, baseline: int) -> Difference:
            sides = (self.names.focal(arm), self.names.focal(baseline))
            return family.independent(sides, total(arm), total(baseline))

        return difference

    def _paired(self, sums: SideSums, best: int, family: Family) -> Callable[[int, int], Difference]:
        """How arms differ on the deals that both have played whole."""
        side = counted.side_of(self.experiment, sql.Literal(self.names.focus))
        parts: dict[str, queries.Value] = {"side": side, "best": best, "base": self.names.baseline}
        found = queries.differences(queries.PAIRS, self.experiment, parts)
        seating = counted.seating(self.experiment)

        def total(arm: int) -> Sums:
            return _total(sums, arm, self.names.focus % seating[arm].sides)

        def difference(arm: int, baseline: int) -> Difference:
            pair = found.get((arm, baseline), ())
            won = (total(arm).wins, total(baseline).wins)
            common = pair[-1].wins[0].n if pair else 0
            left_out = sum(row.blocks for row in won) - 2 * common
            return family.paired((self.names.focal(arm), self.names.focal(baseline)), won, pair, left_out)

        return difference


def _pool(sides: Sequence[Side]) -> Side:
    """Copies of one configuration as one side."""
    if len(sides) == 1:
        return sides[0]
    places = tuple(place for side in sides for place in side.places)
    return replace(sides[0], name=teams.count_names([sides[0].kind] * len(sides)), places=places)


def _pooled_looks(one: Sequence[Side], two: Sequence[Side], found: queries.Differences) -> list[PairSums]:
    """Sums of the mean of one pool less that of another, at each look: all sides meet in every match."""
    places = [side.place for side in (*one, *two)]
    pairs = {(i, j): found.get((min(a, b), max(a, b)), []) for (i, a), (j, b) in combinations(enumerate(places), 2)}
    ours = [1 / len(one)] * len(one) + [0.0] * len(two)
    theirs = [0.0] * len(one) + [1 / len(two)] * len(two)
    less = [a - b for a, b in zip(ours, theirs, strict=True)]

    def together(of: Callable[[PairSums], Paired], look: int) -> Paired:
        sums = {pair: of(rows[look]) for pair, rows in pairs.items()}
        own = [_own(sums, i, places) for i in range(len(places))]
        between = {pair: row[0] for pair, row in sums.items()}
        return (
            weighted_moments(less, own, between),
            weighted_moments(ours, own, between),
            weighted_moments(theirs, own, between),
        )

    return [
        PairSums(
            together(lambda row: row.wins, look),
            together(lambda row: row.points, look),
            together(lambda row: row.places, look),
        )
        for look in range(min(map(len, pairs.values())))
    ]


def _own(sums: Mapping[tuple[int, int], Paired], i: int, places: Sequence[int]) -> Moments:
    """The moments of one side, out of any pair that it is in."""
    (a, b), row = next((pair, row) for pair, row in sums.items() if i in pair)
    other = b if a == i else a
    return row[1] if places[i] < places[other] else row[2]


def _corrected(family: Sequence[Difference]) -> tuple[Difference, ...]:
    """The differences with their Holm-adjusted p-values."""
    wins = holm.adjust([row.wins.p for row in family])
    points = holm.adjust([row.points.p for row in family])
    places = holm.adjust([row.places.p for row in family])
    return tuple(
        replace(row, wins_p=wins_p, points_p=points_p, places_p=places_p)
        for row, wins_p, points_p, places_p in zip(family, wins, points, places, strict=True)
    )
