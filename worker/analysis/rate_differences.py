"""Differences of two rates: intervals and tests that hold near 0 and 1, and where nothing varied.

The score interval (Mee 1984; Miettinen and Nurminen 1985, Statistics in Medicine 4): it holds the
differences that the rates do not speak against, each judged by the error that the rates would have
if it were true. Trials count as the independent ones that they are worth (`Share`); rates that were
found on the same deals carry their correlation. p is that of the test whose interval this is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.lazy_scipy import optimize, special
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import PairedDifference, paired_moments, variance_ratio
from worker.analysis.rates import Share

PRECISION = 1e-9
"""An end of an interval is known to this."""


@dataclass(frozen=True, slots=True)
class TwoRates:
    """Two rates to be compared, both with trials; correlation: of their errors."""

    first: Share
    second: Share
    correlation: float = 0.0

    @classmethod
    def of_deals(cls, sums: tuple[Moments, Moments, Moments], sizes: tuple[float, float]) -> TwoRates:
        """Rates on the same deals, of which there are some, from sums as `paired_rates_from_sums` has them."""
        _, first, second = sums
        return cls(_share(first, sizes[0]), _share(second, sizes[1]), _correlation(*sums, 1 / max(sizes)))

    @property
    def difference(self) -> float:
        """The first rate less the second."""
        return self.first.successes / self.first.trials - self.second.successes / self.second.trials

    @property
    def freedom(self) -> float | None:
        """Degrees of freedom of the error, the fewer of both; None where all trials are independent.

        Where both rates are 0 or 1 nothing has shown the error: then one less than the effective
        trials, so that 2 of 2 against 0 of 2 is no proof.
        """
        shares = self.first, self.second
        known = [share.freedom for share in shares if share.freedom is not None]
        if known or any(0 < share.successes < share.trials for share in shares):
            return min(known, default=None)
        fewest = min(share.trials / share.effect for share in shares)
        return fewest - 1 if fewest >= 2 else None

    def score(self, difference: float) -> float:
        """What was found less a difference, in standard errors, if this were the true one."""
        ours, theirs = self.first.trials / self.first.effect, self.second.trials / self.second.effect
        rate, other = self.first.successes / self.first.trials, self.second.successes / self.second.trials
        one, two = _likeliest(rate, ours, other, theirs, difference)
        square, their_square = one * (1 - one) / ours, two * (1 - two) / theirs
        variance = square + their_square - 2 * self.correlation * math.sqrt(square * their_square)
        off = rate - other - difference
        if variance > 0:
            return off / math.sqrt(variance)
        return 0.0 if abs(off) <= PRECISION else math.copysign(math.inf, off)

    def bound(self, confidence: float = CONFIDENCE) -> float:
        """The score that the interval reaches to."""
        tail = (1 + confidence) / 2
        return float(special.ndtri(tail) if self.freedom is None else special.stdtrit(self.freedom, tail))

    def holds(self, difference: float, confidence: float = CONFIDENCE) -> bool:
        """Whether a difference is in the interval."""
        return abs(self.score(difference)) <= self.bound(confidence)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """The differences that are held, from the least to the greatest."""
        bound = self.bound(confidence)
        return Interval(self._end(-1.0, bound), self._end(1.0, bound))

    def p(self) -> float:
        """Two-sided p-value of the test that the rates are equal."""
        score = abs(self.score(0.0))
        return float(2 * (special.ndtr(-score) if self.freedom is None else special.stdtr(self.freedom, -score)))

    def _end(self, extreme: float, bound: float) -> float:
        """The last difference that is held on the way to the extreme one."""
        if abs(self.difference - extreme) <= PRECISION or abs(self.score(extreme)) <= bound:
            return extreme

        def beyond(difference: float) -> float:
            return min(1.0, abs(self.score(difference)) - bound)

        return float(optimize.brentq(beyond, self.difference, extreme, xtol=PRECISION))


def paired_rates(
    first: Mapping[int, Moments], second: Mapping[int, Moments], confidence: float = CONFIDENCE
) -> PairedDifference:
    """Compare the rates of two arms by the deals they share.

    first, second: deal -> moments of its matches, 1 for a success and 0 for none, of whole deals alone.
    """
    shared = next(iter(first.keys() & second.keys()), None)
    sizes = (1, 1) if shared is None else (first[shared].n, second[shared].n)
    sums = paired_moments(first, second)
    return paired_rates_from_sums(sums[:3], sizes, sums.left_out, confidence)


def paired_rates_from_sums(
    sums: tuple[Moments, Moments, Moments], sizes: tuple[float, float], left_out: int, confidence: float = CONFIDENCE
) -> PairedDifference:
    """Compare the rates of two arms from sums over the deals they share.

    sums: over the rates of the first arm in each deal less those of the second, over those of the
    first, and over those of the second; sizes: how many matches a deal has in each.
    """
    difference, first, second = sums
    if not difference.n:
        return PairedDifference(0, None, None, None, None, left_out)
    rates = TwoRates.of_deals(sums, sizes)
    ratio = variance_ratio(difference, first, second)
    return PairedDifference(difference.n, difference.mean, rates.interval(confidence), rates.p(), ratio, left_out)


def independent_rates(first: Share, second: Share, confidence: float = CONFIDENCE) -> PairedDifference:
    """First arm minus second, which met no deal in common; blocks counts the matches of both."""
    blocks = first.trials + second.trials
    if not first.trials or not second.trials:
        return PairedDifference(blocks, None, None, None, None, 0)
    rates = TwoRates(first, second)
    return PairedDifference(blocks, rates.difference, rates.interval(confidence), rates.p(), None, 0)


def _likeliest(rate: float, ours: float, other: float, theirs: float, difference: float) -> tuple[float, float]:
    """The likeliest two rates among those that differ by so much (Farrington and Manning 1990, appendix I).

    ours, theirs: numbers of independent trials in which the two rates were found.
    """
    ratio = theirs / ours
    a = 1 + ratio
    b = -(1 + ratio + rate + ratio * other + difference * (ratio + 2))
    c = difference**2 + difference * (2 * rate + ratio + 1) + rate + ratio * other
    d = -rate * difference * (1 + difference)
    third = b / (3 * a)
    v = third**3 - b * c / (6 * a * a) + d / (2 * a)
    u = math.copysign(math.sqrt(max(0.0, third**2 - c / (3 * a))), v)
    angle = math.acos(min(1.0, max(-1.0, v / u**3))) if u else math.pi / 2
    one = 2 * u * math.cos((math.pi + angle) / 3) - third
    one = min(max(one, difference, 0.0), 1.0, 1.0 + difference)
    return one, min(1.0, max(0.0, one - difference))


def _share(rates: Moments, size: float) -> Share:
    """A share from sums over the rates of deals that have `size` matches each."""
    deals = rates.n
    blocks = BlockMoments(
        deals,
        round(deals * size),
        rates.total * size,
        rates.total_squares * size**2,
        rates.total * size**2,
        round(deals * size**2),
    )
    share = Share.of_blocks(blocks)
    assert share is not None, "there are deals"
    return share


def _correlation(difference: Moments, first: Moments, second: Moments, step: float) -> float:
    """Correlation of two arms' rates in a deal; 0 where one never varies, or the deal is the only one.

    Where both had the same in every deal, one counts as if they had been a step apart in it.
    """
    if not first.variance or not second.variance or difference.variance is None:
        return 0.0
    apart = max(difference.variance, step**2 / (difference.n - 1))
    common = (first.variance + second.variance - apart) / 2
    return max(-1.0, min(1.0, common / math.sqrt(first.variance * second.variance)))
