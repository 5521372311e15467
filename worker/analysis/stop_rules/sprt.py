"""Sequential probability ratio test of two hypotheses on the mean of a deal.

Two kinds of evidence may end it. The likelihood ratio says which of both hypotheses is nearer to what was seen; it has
nearly all of the errors that are allowed, and decides where the truth is near them. Where the truth is far beyond both
it grows slowly: no outcome can speak for the one against the other by more than their distance to the outermost
possible outcome allows. There an e-value against the one that is rejected decides (`beyond`), which has `CLEAR` of the
errors. Together they are wrong as often as the sum of both at most.

The test is Wald's (1945), with the generalised likelihood ratio of `likelihood`: nothing is assumed of a deal's
outcomes but their mean, as fishtest does with the five outcomes of a pair of games. Wald's bounds
log((1 - beta) / alpha) and log(beta / (1 - alpha)) are made for a ratio that ends on them. It ends beyond, by about
half a step (Siegmund 1985, *Sequential Analysis*, chapter X), so the bounds lie that much nearer; and farther away for
points that are skewed (`SKEWED`). Errors by simulation: `tests/bench/bench_stop_rules.py`.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from worker.analysis import beyond, likelihood
from worker.analysis.lazy_scipy import special
from worker.analysis.running import running
from worker.analysis.stop_rules import model
from worker.analysis.stop_rules.model import (
    BEYOND,
    BEYOND_LOWER,
    BEYOND_UPPER,
    H0,
    H1,
    LOWER,
    MARGIN,
    NORMALISED,
    RATIO,
    UPPER,
    WIN_RATE,
    Array,
    Course,
    Drop,
    Expected,
    RuleError,
    Stop,
    Truth,
)

ON = (MARGIN, WIN_RATE, NORMALISED)
LEVEL = 0.05
CLEAR = 0.1
"""Part of alpha, and of beta, that e-values may spend. The ratio's bounds lie 0.11 farther for it."""
LARGEST = 0.5
"""Largest normalised hypothesis: such differences are seen in 30 deals, and the likelihood is made for small ones."""
OVERSHOOT = 0.5
"""By how many steps to its side a walk ends beyond a bound: 0.5 where all are of one size, 0.583 where they are normal.

The smaller number errs on the safe side.
"""
SPARE = 3
"""Deals that pay for the unknown deviation: of n normal values the mean of 1 / s^2 is n / (n - 3) times too large."""
NEAREST = 0.5
"""Part of Wald's bound that is left at least, where steps are large."""
SKEWED = 2 / 3
"""Part of a bound by which it is farther away, for each unit of skewness times effect, on the side that needs it.

To first order a studentised walk whose steps have the skewness s, and the effect d = (h1 - h0) / deviation between
both hypotheses, crosses a bound as often as an ideal walk crosses one that is 1 - 2 / 3 s d times as far: the third
cumulant of t is -2 s (Johnson 1978), and the exponent of Wald's identity moves by a third of it. One standard error
of the skewness is added, and no bound comes nearer.
"""
LEAN = 0.25
"""By how much the mean at the end lies farther out than the truth, on average where h0 or h1 is true, in h1 - h0.

0.25 where such a test takes 560 deals, 0.16 where it takes 70, 0 halfway between both
(`tests/bench/bench_stop_rules.py`, part lean).
"""
LOOKED_AT = 512
"""Deals whose ratios are worked out at once: the test ends in the first such part that has the end."""
DIGITS = 9
"""Digits to which two outcomes are the same."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """After each deal: the ratio, its corrected bounds, and the logarithm of the e-values (`Sprt._clear`)."""

    stop: Stop | None
    ratio: Array
    lower: Array
    upper: Array
    beyond: Array


@dataclass(frozen=True, slots=True)
class Sprt:
    """Rule: play until h1 or h0 is accepted.

    on: MARGIN, of points without bounds; WIN_RATE, of rates from 0 to 1, or the difference of two; NORMALISED, of
    mean / deviation of values that are 0 on average between equals. The values are those of the only arm, or those
    of the second less those of the first. alpha: error where h0 is true, beta: where h1 is. clear: part of both that
    e-values spend; 0 for tests that ended before there were any.
    """

    on: str
    h0: float
    h1: float
    alpha: float = LEVEL
    beta: float = LEVEL
    clear: float = CLEAR

    def __post_init__(self) -> None:
        if self.on not in ON:
            raise RuleError("on", f"must be one of {', '.join(ON)}, not {self.on!r}")
        if not math.isfinite(self.h0):
            raise RuleError("h0", f"must be a number, not {self.h0!r}")
        if not self.h0 < self.h1 < math.inf:
            raise RuleError("h1", f"must be above h0, which is {self.h0:g}, not {self.h1!r}")
        for name, value in (("h0", self.h0), ("h1", self.h1)):
            if self.on == WIN_RATE and not -1 < value < 1:
                raise RuleError(name, f"a win rate or a difference of two lies between -1 and 1, not at {value:g}")
            if self.on == NORMALISED and abs(value) > LARGEST:
                raise RuleError(name, f"must lie between -{LARGEST} and {LARGEST} deviations, not at {value:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise RuleError(name, f"must be above 0 and below 0.5, not {value!r}")
        if not 0 <= self.clear < 1:
            raise RuleError("clear", f"must be at least 0 and below 1, not {self.clear!r}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log-likelihood ratio, below and above, before they are corrected."""
        alpha, beta = ((1 - self.clear) * level for level in (self.alpha, self.beta))
        return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)

    @property
    def clear_bounds(self) -> tuple[float, float]:
        """Bounds of the logarithm of both e-values: against h1, with the sign turned round, and against h0."""
        if not self.clear:
            return -math.inf, math.inf
        return math.log(self.clear * self.beta), -math.log(self.clear * self.alpha)

    @property
    def lean(self) -> float:
        """By how much a mean at the end leans outward, about, on average (`LEAN`), in the unit of the hypotheses."""
        return LEAN * (self.h1 - self.h0)

    def to_json(self) -> dict[str, Any]:
        """The rule as JSON."""
        return {"rule": "sprt"} | dataclasses.asdict(self)

    def first_stop(self, values: Array, planned: int) -> Stop | None:
        """The first number of deals at which the ratio, or an e-value, is at or beyond a bound."""
        values = model.checked(values, planned)
        return self._walk(values).stop or model.at_planned(values, planned)

    def drops(self, values: Array, planned: int) -> tuple[Drop, ...]:
        """Nothing is dropped."""
        return ()

    def course(self, values: Array, planned: int) -> Course:
        """The log-likelihood ratio, the logarithm of the e-values, and the bounds of both."""
        walk = self._walk(model.checked(values, planned))
        curves: dict[tuple[str, int | None], Array] = {
            (RATIO, None): walk.ratio,
            (LOWER, None): walk.lower,
            (UPPER, None): walk.upper,
        }
        if self.clear:
            low, high = (np.full(len(walk.ratio), bound) for bound in self.clear_bounds)
            curves |= {(BEYOND, None): walk.beyond, (BEYOND_LOWER, None): low, (BEYOND_UPPER, None): high}
        return model.course_of(curves, walk.stop.deals if walk.stop else len(walk.ratio))

    def expected(self, truth: Truth, planned: int) -> Expected:
        """Deals by Wald's approximation (Siegmund 1985, equations 2.14 and 2.15), beside the fixed test.

        Far beyond both hypotheses those that the e-value takes, where these are fewer.
        """
        arms, unit = len(truth.means), 1.0 if self.on == NORMALISED else truth.deviation
        mean = float(model.contrast(np.array(truth.means)[:, None])[0]) / truth.deviation
        h0, h1 = self.h0 / unit, self.h1 / unit
        effect, middle = h1 - h0, (h0 + h1) / 2
        needed = _duration(effect * (mean - middle), effect, *self.bounds)
        if self.clear:
            above, below = (
                beyond.deals(mean - h0, self.clear * self.alpha),
                beyond.deals(h1 - mean, self.clear * self.beta),
            )
            needed = min(needed, above, below)
        deals = min(planned, max(model.LEAST, needed))
        z = float(special.ndtri(1 - self.alpha) + special.ndtri(1 - self.beta))
        fixed = math.ceil((z / effect) ** 2)
        return Expected(deals, deals * arms, fixed, fixed * arms)

    def _single(self, values: Array) -> tuple[Array, float]:
        """What the hypotheses are about, and the lowest that it may be if it has bounds."""
        single, floor = model.contrast(values), -1.0 if len(values) == 2 else 0.0
        if self.on == WIN_RATE:
            if ((values < 0) | (values > 1)).any():
                raise ValueError("win rates must lie between 0 and 1")
            if self.h0 <= floor:
                raise RuleError("h0", f"the win rate of one arm lies above 0, not at {self.h0:g}")
        return single, floor

    def _walk(self, values: Array) -> _Walk:
        """The end, if there is one, and what was seen after each deal until there or a little farther."""
        single, floor = self._single(values)
        ratio = np.empty(0)
        walk = _Walk(None, ratio, ratio, ratio, ratio)
        for start in range(0, len(single), LOOKED_AT):
            until = min(start + LOOKED_AT, len(single))
            ratio = np.concatenate([ratio, self._ratios(single[:until], floor, start)])
            lower, upper = self._bounds(single[:until], ratio)
            clear = self._clear(single[:until], floor)
            low, high = self.clear_bounds
            ends = np.flatnonzero((ratio <= lower) | (ratio >= upper) | (clear <= low) | (clear >= high))
            ends = ends[ends >= max(start, model.LEAST - 1)]
            walk = _Walk(None, ratio, lower, upper, clear)
            if len(ends):
                end = int(ends[0])
                by_ratio = ratio[end] <= lower[end] or ratio[end] >= upper[end]
                is_above = ratio[end] >= upper[end] if by_ratio else clear[end] > 0
                return replace(walk, stop=Stop(end + 1, H1 if is_above else H0, by=RATIO if by_ratio else BEYOND))
        return walk

    def _clear(self, single: Array, floor: float) -> Array:
        """Logarithm of the e-value against h0 after each deal, or of that against h1 with the sign turned round.

        Of both the one that is nearer to its bound; 0 where neither is above 1.
        """
        if not self.clear:
            return np.zeros(len(single))
        levels = self.clear * self.alpha, self.clear * self.beta
        claims = zip((self.h0, self.h1), levels, strict=True)
        if self.on == WIN_RATE:
            width = 1 - floor
            found = [beyond.of_rates((single - floor) / width, (claim - floor) / width, p) for claim, p in claims]
        else:
            of = beyond.of_sizes if self.on == NORMALISED else beyond.of_means
            found = [of(single, claim, p) for claim, p in claims]
        above, below = np.maximum(found[0][0], 0), np.maximum(found[1][1], 0)
        low, high = self.clear_bounds
        return np.where(above - high >= below + low, above, -below)

    def _ratios(self, single: Array, floor: float, start: int) -> Array:
        """Log-likelihood ratios after each deal from the one at `start` on."""
        part = np.round(single, DIGITS)
        outcomes, numbers = np.unique(part, return_inverse=True)
        before = np.bincount(numbers[:start], minlength=len(outcomes))
        seen = before + (numbers[start:, None] == np.arange(len(outcomes))).cumsum(axis=0, dtype=np.float64)
        lowest, highest = np.minimum.accumulate(part)[start:], np.maximum.accumulate(part)[start:]
        low, high = self._ends(lowest, highest, floor)
        rows = np.column_stack([np.broadcast_to(outcomes, seen.shape), low, high])
        unseen = likelihood.UNSEEN * np.column_stack([low < lowest, high > highest])
        ratio = likelihood.normalised_ratio if self.on == NORMALISED else likelihood.mean_ratio
        count = np.arange(start + 1, len(single) + 1)
        return ratio(rows, np.column_stack([seen, unseen]), self.h0, self.h1) * np.maximum(count - SPARE, 0) / count

    def _ends(self, lowest: Array, highest: Array, floor: float) -> tuple[Array, Array]:
        """Lowest and highest possible outcome, where these are the ones that were seen.

        Points have no bounds: theirs are the outermost ones seen, mirrored, and lie beyond both hypotheses.
        """
        if self.on == WIN_RATE:
            return np.full(lowest.shape, floor), np.ones(lowest.shape)
        if self.on == NORMALISED:
            reach = np.maximum(highest, -lowest)
            reach = np.where(reach > 0, reach, 1.0)
            return -reach, reach
        twice = self.h0 + self.h1
        low = np.minimum(np.minimum(lowest, twice - highest), 2 * self.h0 - self.h1)
        return low, twice - low

    def _bounds(self, single: Array, ratio: Array) -> tuple[Array, Array]:
        """Corrected bounds after each deal."""
        moments, steps = running(single), np.diff(ratio, prepend=0.0)
        farther = self._farther(single) * SKEWED
        unsure, (lower, upper) = np.sqrt(6 / moments.count), self.bounds
        return (
            lower * (1 + farther * np.maximum(unsure + moments.skewness, 0)) + _nearer(-steps, -lower),
            upper * (1 + farther * np.maximum(unsure - moments.skewness, 0)) - _nearer(steps, upper),
        )

    def _farther(self, single: Array) -> Array:
        """The effect between both hypotheses, seen from the middle of them; 0 where skewness does no harm.

        Of rates the whole distribution is known as soon as the mean is, but for draws and pairs.
        """
        if self.on != MARGIN:
            return np.full(len(single), 0.0 if self.on == WIN_RATE else self.h1 - self.h0)
        count, gap = np.arange(1, len(single) + 1), self.h1 - self.h0
        around = np.sqrt(((single - (self.h0 + self.h1) / 2) ** 2).cumsum() / count)
        return gap / np.maximum(around, 1e-9 * gap)


def _nearer(steps: Array, bound: float) -> Array:
    """By how much a bound lies nearer, where these are the steps so far and those above 0 lead to it."""
    square = 2 * (np.maximum(steps, 0) ** 2).cumsum() / np.arange(1, len(steps) + 1)
    return np.minimum(OVERSHOOT * np.sqrt(square), NEAREST * bound)


def _duration(drift: float, deviation: float, lower: float, upper: float) -> float:
    """Expected steps until a random walk with normal steps is at a bound (the corrections are for its overshoot)."""
    exponent = -2 * drift / deviation**2
    if abs(exponent) * max(upper, -lower) < 1e-6:
        return -lower * upper / deviation**2
    up = -math.expm1(min(exponent * lower, 700.0)) / (
        math.exp(min(exponent * upper, 700.0)) - math.exp(min(exponent * lower, 700.0))
    )
    return (up * upper + (1 - up) * lower) / drift
