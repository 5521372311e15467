"""Power of the intervals that result pages show: which true difference they will show, and from how many deals on.

A difference is seen where its interval leaves out 0 on the right side. Several comparisons share the error of their
intervals (Bonferroni), as on pages. The interval is Student's over deals, or the one that holds at every look; that of
a difference of win rates (`rate_differences`) is as good as Student's here, by simulation in the tests.

The mean of n values over its standard error has the noncentral t distribution with n - 1 degrees of freedom (Cohen
1988, *Statistical Power Analysis for the Behavioral Sciences*; Johnson and Welch 1940, Biometrika 31).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from worker.analysis import always_valid
from worker.analysis.intervals import CONFIDENCE
from worker.analysis.lazy_scipy import optimize, special
from worker.analysis.moments import BlockMoments

POWER = 0.8
"""Chance with which a difference is to be seen, where nothing else is said (Cohen's convention)."""
LEAST_DEALS = 2
"""Of one deal no error is known."""
STEP = 0.01
"""The least by which values with bounds differ: of no account where they vary."""
MOST_DEALS = 10**9
"""No plan looks farther."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparisons that are alike.

    deviation: of what is compared on a deal; alpha: error of all of them together; bounds: the lowest and the highest
    value, and that of equals, where there are such: rates have another interval for every look than points have.
    """

    deviation: float
    comparisons: int = 1
    alpha: float = 1 - CONFIDENCE
    bounds: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.deviation < math.inf:
            raise ValueError(f"deviation must be a number from 0 up, not {self.deviation!r}")
        if self.comparisons < 1 or not 0 < self.alpha < 1:
            raise ValueError(f"no error of {self.alpha!r} over {self.comparisons!r} comparisons")

    @property
    def confidence(self) -> float:
        """Confidence of each interval."""
        return 1 - self.alpha / self.comparisons

    def half_width(self, deals: int) -> float:
        """Half of the interval after so many deals; infinite where there is none."""
        return self._error(deals) * self._limit(deals, None)

    def power(self, difference: float, deals: int, planned: int | None = None) -> float:
        """Chance that a true difference is seen after so many deals, at that one look.

        planned: by the interval that holds at every look, made narrow for this number; None: by that for one look.
        """
        if difference <= 0 or deals < LEAST_DEALS:
            return 0.0
        if not self.deviation:
            return 1.0
        limit = self._limit(deals, planned)
        return 0.0 if math.isinf(limit) else _beyond(limit, deals - 1, difference / self._error(deals))

    def detectable(self, deals: int, power: float = POWER, planned: int | None = None) -> float | None:
        """The least difference that is seen with this chance; None where no interval is known."""
        if deals < LEAST_DEALS:
            return None
        if not self.deviation:
            return 0.0
        limit = self._limit(deals, planned)
        if math.isinf(limit):
            return None
        off = _root(lambda away: _beyond(limit, deals - 1, away) - power, limit, 4.0)
        return off * self._error(deals)

    def deals(self, difference: float, power: float = POWER) -> int | None:
        """The fewest deals after which a difference is seen with this chance; None where these are no plan."""
        if difference <= 0 or self.power(difference, MOST_DEALS) < power:
            return None
        low, high = 1, LEAST_DEALS
        while self.power(difference, high) < power:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.power(difference, middle) >= power else (middle, high)
        return high

    def _error(self, deals: int) -> float:
        return self.deviation / math.sqrt(deals)

    def _limit(self, deals: int, planned: int | None) -> float:
        """How many standard errors the interval reaches to."""
        if planned is None:
            tail = (1 + self.confidence) / 2
            return float(special.stdtrit(deals - 1, tail)) if deals >= LEAST_DEALS else math.inf
        if self.bounds is None:
            found = always_valid.mean_interval(0.0, 1.0, deals, planned, self.confidence)
            return math.inf if found is None else found.high
        lowest, highest, even = self.bounds
        squares = (deals - 1) * self.deviation**2 + deals * even**2
        blocks = BlockMoments(deals, deals, deals * even, squares, deals * even, deals)
        found = always_valid.of_bounded(blocks, lowest, highest, STEP, self.confidence)
        return math.inf if found is None else (even - found.low) / self._error(deals)


def _beyond(limit: float, freedom: int, away: float) -> float:
    """Chance that noncentral t lies above a limit; normal where freedom is so large that they are one."""
    if freedom > 10_000:
        return float(special.ndtr(away - limit))
    return 1 - float(special.nctdtr(freedom, away, limit))


def _root(function: Callable[[float], float], start: float, reach: float) -> float:
    """The zero of a growing function, near and beyond a number of standard errors."""
    high = start + reach
    while function(high) < 0:
        high *= 2
    return float(optimize.brentq(function, 0.0, high, xtol=1e-12))
