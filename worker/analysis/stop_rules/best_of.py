"""Stop rule that plays several variants and a baseline on the same deals until one arm is left.

A variant is dropped as soon as the confidence sequence of its difference to another arm that still plays (the
baseline, the leader, or any other) leaves out 0 on the wrong side. All pairs of arms share the error (Bonferroni), so
that the probability of any false claim, of all that are ever made, is at most alpha, however many deals are looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from worker.analysis import sequences
from worker.analysis.lazy_scipy import special
from worker.analysis.stop_rules import model
from worker.analysis.stop_rules.model import (
    AT_PLANNED,
    BEST,
    HIGH,
    LOW,
    MARGIN,
    WIN_RATE,
    Array,
    Course,
    Drop,
    Expected,
    RuleError,
    Stop,
    Truth,
)

ON = (MARGIN, WIN_RATE)
LEVEL = 0.05
POWER = 0.9
"""Power of the fixed design that a plan is compared with."""
TRIALS, SEED = 100, 20_210_915
"""Experiments that are simulated for a plan, and the seed of their luck."""
STEPS = 400
"""Looks of such an experiment."""


@dataclass(frozen=True, slots=True)
class BestOf:
    """Rule: play until the best arm is known; the baseline plays to the end.

    on: MARGIN, of points; WIN_RATE, of rates from 0 to 1. alpha: probability of any false claim that one arm is worse
    than another. baseline: number of that arm.
    """

    on: str
    alpha: float = LEVEL
    baseline: int = 0

    def __post_init__(self) -> None:
        if self.on not in ON:
            raise RuleError("on", f"must be one of {', '.join(ON)}, not {self.on!r}")
        if not 0 < self.alpha < 0.5:
            raise RuleError("alpha", f"must be above 0 and below 0.5, not {self.alpha!r}")

    def first_stop(self, values: Array, planned: int) -> Stop | None:
        """The first number of deals after which one arm is left.

        The baseline is left if all variants are dropped; a variant if it alone is, and is better than the baseline.
        values: as elsewhere, but the row of a variant may end (in NaN) at or after the deal that drops it.
        """
        race = self._race(values, planned)
        if race.stop is None and race.deals >= planned:
            return Stop(planned, AT_PLANNED, drops=tuple(race.drops))
        return race.stop

    def drops(self, values: Array, planned: int) -> tuple[Drop, ...]:
        """Variants that are not played any longer, in the order in which they were dropped."""
        return tuple(self._race(values, planned).drops)

    def course(self, values: Array, planned: int) -> Course:
        """Ends of `differences`."""
        race, curves = self._race(values, planned), dict[tuple[str, int | None], Array]()
        for arm, found in self.differences(values, planned).items():
            for name, row in ((LOW, found.low), (HIGH, found.high)):
                curves[name, arm] = np.concatenate([row, np.full(race.deals - len(row), np.nan)])
        return model.course_of(curves, race.deals)

    def differences(self, values: Array, planned: int) -> dict[int, sequences.ConfidenceSequence]:
        """Confidence sequence of each variant's difference to the baseline, until the variant was dropped.

        Their confidence is that of the claims: all sequences of all pairs together hold with 1 - alpha.
        """
        return self.less(self.baseline, values, planned)

    def less(self, other: int, values: Array, planned: int) -> dict[int, sequences.ConfidenceSequence]:
        """The same of each arm's difference to any other one, until either of the two was dropped."""
        race, confidence = self._race(values, planned), 1 - self._level(len(values))
        ends = {drop.arm: drop.deals for drop in race.drops}
        sequence = sequences.mean_sequence if self.on == MARGIN else sequences.difference_sequence
        found = {}
        for arm in (arm for arm in range(len(values)) if arm != other):
            until = min(*(ends.get(one, race.deals) for one in (arm, other)), race.deals)
            found[arm] = sequence(values[arm, :until] - values[other, :until], planned, confidence)
        return found

    def expected(self, truth: Truth, planned: int) -> Expected:
        """Deals by a simulation with normal values, beside a design that plays all arms to the end.

        That design tells the best arm from the second with `POWER`, by Student's test with Bonferroni's correction.
        """
        arms, means = len(truth.means), sorted(truth.means)
        deals, played = _simulated(self, truth, planned)
        gap = means[-1] - means[-2] if arms > 1 else 0.0
        if gap <= 0:
            return Expected(deals, played, None, None)
        z = float(special.ndtri(1 - self._level(arms) / 2) + special.ndtri(POWER))
        fixed = math.ceil((z * truth.deviation / gap) ** 2)
        return Expected(deals, played, fixed, fixed * arms)

    def _level(self, arms: int) -> float:
        """Error of each pair of arms."""
        return self.alpha / math.comb(arms, 2)

    def _race(self, values: Array, planned: int) -> _Race:
        """Go through the claims in the order of deals, as far as all arms that play are known."""
        known = _known(values, planned, self.on)
        race = _Race(known, self.baseline)
        race.run(self._claims(values, known, planned))
        return race

    def _claims(self, values: Array, known: list[int], planned: int) -> Iterator[tuple[int, int, int]]:
        """(number of deals, worse arm, better arm) for all pairs that differ at some look."""
        outside = sequences.first_outside if self.on == MARGIN else sequences.first_outside_rates
        for a, b in combinations(range(len(values)), 2):
            deals = min(known[a], known[b])
            above, below = outside(values[b, :deals] - values[a, :deals], planned, self._level(len(values)))
            if above is not None:
                yield above, a, b
            if below is not None:
                yield below, b, a


class _Race:
    """Arms that still play. known: number of deals from the first on that each arm has.

    beaten_by: arms that are better than the baseline.
    """

    def __init__(self, known: list[int], baseline: int = 0) -> None:
        self.drops: list[Drop] = []
        self.stop: Stop | None = None
        self._known, self._baseline = known, baseline
        self._gone: dict[int, int] = {}
        self.beaten_by: set[int] = set()

    @property
    def deals(self) -> int:
        """Deals that all arms that play have, or those of the end."""
        if self.stop:
            return self.stop.deals
        return min(number for arm, number in enumerate(self._known) if arm not in self._gone)

    @property
    def arm_deals(self) -> int:
        """Deals of all arms together, where none is missing."""
        return self.deals * (len(self._known) - len(self.drops)) + sum(drop.deals for drop in self.drops)

    def run(self, claims: Iterable[tuple[int, int, int]]) -> None:
        """Take claims, (number of deals, worse arm, better arm), in the order of deals until the end is known."""
        for deals, worse, better in sorted(claims):
            if self.stop or deals > self.deals:
                break
            if worse not in self._gone and self._gone.get(better, deals) >= deals:
                self._take(deals, worse, better)

    def _take(self, deals: int, worse: int, better: int) -> None:
        if worse == self._baseline:
            self.beaten_by.add(better)
        else:
            self._gone[worse] = deals
            self.drops.append(Drop(worse, better, deals))
        playing = [arm for arm in range(len(self._known)) if arm not in self._gone and arm != self._baseline]
        if not playing or (len(playing) == 1 and playing[0] in self.beaten_by):
            self.stop = Stop(deals, BEST, playing[0] if playing else self._baseline, tuple(self.drops))


def _known(values: Array, planned: int, on: str) -> list[int]:
    """Number of deals from the first on that each arm has. Raises ValueError where values are not as they should be."""
    if planned < 1:
        raise ValueError(f"planned must be at least 1, not {planned!r}")
    if values.ndim != 2 or len(values) < 2:
        raise ValueError(f"values must be float64[arms, deals] of two arms or more, not of shape {values.shape}")
    rows = values[:, :planned]
    if np.isinf(rows).any() or (on == WIN_RATE and ((rows < 0) | (rows > 1)).any()):
        raise ValueError("win rates must lie between 0 and 1" if on == WIN_RATE else "values must be finite numbers")
    missing = np.isnan(rows)
    return [int(row.argmax()) if row.any() else rows.shape[1] for row in missing]


def race(arms: int, planned: int, claims: Iterable[tuple[int, int, int]]) -> _Race:
    """The race of some claims, (number of deals, worse arm, better arm), in which no deal is missing."""
    found = _Race([planned] * arms)
    found.run(claims)
    return found


def _simulated(rule: BestOf, truth: Truth, planned: int) -> tuple[float, float]:
    """Mean number of deals, and of deals of all arms, where the values of an arm are normal and independent."""
    rng = np.random.Generator(np.random.PCG64(SEED))
    arms, looks = len(truth.means), np.unique(np.linspace(1, planned, min(planned, STEPS)).round().astype(np.int64))
    limit, _ = sequences.limits(np.zeros(planned), planned, rule.alpha / math.comb(arms, 2))
    edge = truth.deviation * limit[looks - 1] * np.sqrt(looks)
    spread = truth.deviation * np.sqrt(np.diff(looks, prepend=0) / 2)
    deals = played = 0
    for _ in range(TRIALS):
        luck = (spread * rng.standard_normal((arms, len(looks)))).cumsum(axis=1)
        totals, claims = np.array(truth.means)[:, None] * looks + luck, []
        for worse, better in permutations(range(arms), 2):
            ahead = totals[better] - totals[worse] > edge
            if ahead.any():
                claims.append((int(looks[ahead.argmax()]), worse, better))
        found = race(arms, planned, claims)
        deals += found.deals
        played += found.arm_deals
    return deals / TRIALS, played / TRIALS
