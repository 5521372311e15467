"""A published figure beside our own: agrees, differs, or cannot be told yet.

*Differs*: the 99 % interval of the difference, the published sampling error included, leaves
out 0. *Agrees*: it does not, and our own 95 % half-width is within the margin of the figure.
*Cannot tell*: anything else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from scipy import special

from worker.analysis.intervals import CONFIDENCE, Interval, student
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share

AGREES, DIFFERS, CANNOT_TELL = "agrees", "differs", "cannot tell"
SURE = 0.99
"""Confidence of the interval of a difference."""
MOST_UNITS = 10**9
"""More matches than this are not worth counting."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A mean over n units. deviation: of one unit; None where it was not published.

    freedom: degrees of freedom of the deviation, n - 1 where units are independent.
    """

    n: int
    value: float
    deviation: float | None = None
    freedom: int | None = None

    @classmethod
    def of(cls, moments: Moments) -> Sample | None:
        """The mean of some values; None without any."""
        return None if moments.mean is None else cls(moments.n, moments.mean, moments.deviation)

    @classmethod
    def of_blocks(cls, blocks: BlockMoments, units: int) -> Sample | None:
        """A mean, or a quotient of two totals, over blocks that hold `units` matches together.

        Its deviation is that of a match which alone would give the error of the blocks.
        """
        if blocks.mean is None:
            return None
        interval = blocks.interval()
        if interval is None:
            return cls(units, blocks.mean)
        freedom = blocks.blocks - 1
        error = (interval.high - blocks.mean) / float(special.stdtrit(freedom, (1 + CONFIDENCE) / 2))
        return cls(units, blocks.mean, error * math.sqrt(units), freedom)

    @classmethod
    def of_interval(cls, n: int, value: float, half: float) -> Sample:
        """A mean over n units of which half of its 95 % interval is known."""
        return cls(n, value, half / float(special.stdtrit(n - 1, (1 + CONFIDENCE) / 2)) * math.sqrt(n))

    @property
    def degrees(self) -> int:
        """Degrees of freedom."""
        return self.n - 1 if self.freedom is None else self.freedom

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Student's interval; None where the deviation is unknown, or 0 and so tells nothing."""
        if not self.deviation:
            return None
        return student(self.value, self.deviation / math.sqrt(self.n), self.degrees, confidence)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of a figure. difference: ours less the published figure; interval: of it, at 99 %.

    half_width: of our own 95 % interval; margin: how wide it may be. needed: further units
    (matches, positions) of ours until it is, where that alone is missing; else None.
    """

    verdict: str
    difference: float
    interval: Interval | None = None
    half_width: float | None = None
    margin: float | None = None
    needed: int | None = None


def share_difference(first: Share, second: Share, confidence: float) -> Interval | None:
    """Interval of first less second (Newcombe 1998, method 10); None where one has no trials."""
    rate, other = first.value, second.value
    mine, theirs = first.interval(confidence), second.interval(confidence)
    if rate is None or other is None or mine is None or theirs is None:
        return None
    below = math.hypot(rate - mine.low, theirs.high - other)
    above = math.hypot(mine.high - rate, other - theirs.low)
    return Interval(rate - other - below, rate - other + above)


def judge_shares(ours: Share, published: Share, margin: float) -> Judgement | None:
    """Compare two rates; None where one has no trials."""
    rate, theirs, own = ours.value, published.value, ours.interval()
    interval = share_difference(ours, published, SURE)
    if rate is None or theirs is None or own is None or interval is None:
        return None
    half = (own.high - own.low) / 2
    return _judged(rate - theirs, interval, half, margin, lambda: _more(ours.trials, margin, _wilson_half(ours)))


def judge_samples(ours: Sample, published: Sample, margin: float) -> Judgement:
    """Compare two means: Welch's interval, or ours for both where the published deviation is unknown.

    With one deviation for both, the degrees of freedom are those of ours. Where ours never varied it
    is judged exactly: by the published error, or, where none is known, by the margin.
    """
    difference = ours.value - published.value
    if ours.deviation == 0:
        return _judge_constant(difference, published, margin)
    own = ours.interval()
    if own is None or ours.deviation is None:
        return Judgement(CANNOT_TELL, difference, margin=margin)
    square = ours.deviation**2 / ours.n
    if published.deviation is None:
        their_square, freedom = ours.deviation**2 / published.n, float(ours.degrees)
    else:
        their_square = published.deviation**2 / published.n
        freedom = _welch(square, ours.degrees, their_square, published.degrees)
    width = float(special.stdtrit(freedom, (1 + SURE) / 2)) * math.sqrt(square + their_square)
    interval, half = Interval(difference - width, difference + width), (own.high - own.low) / 2
    return _judged(difference, interval, half, margin, lambda: _more(ours.n, margin, _student_half(ours)))


def _judge_constant(difference: float, published: Sample, margin: float) -> Judgement:
    """Judge a mean of ours that never varied; difference: of it less the published one."""
    around = published.interval(SURE)
    if around is None:
        bound = 0.0 if published.deviation == 0 else margin
        return Judgement(AGREES if abs(difference) <= bound else DIFFERS, difference, half_width=0.0, margin=margin)
    half = (around.high - around.low) / 2
    return _judged(difference, Interval(difference - half, difference + half), 0.0, margin, lambda: None)


def judge_exact(ours: float, published: float, digits: int | None) -> Judgement:
    """Compare two numbers without chance by the significant digits that were printed; None: all of them."""
    same = ours == published if digits is None else f"{ours:.{digits - 1}e}" == f"{published:.{digits - 1}e}"
    return Judgement(AGREES if same else DIFFERS, ours - published)


def judge_claim(ours: Interval | None, value: float | None, low: float, high: float) -> Judgement | None:
    """Judge a claim without a number: that a value lies between two bounds.

    ours: our 99 % interval. Inside: agrees; wholly outside: differs; across a bound: cannot tell.
    """
    if ours is None or value is None:
        return None
    outside = max(low - value, value - high, 0.0)
    if low <= ours.low and ours.high <= high:
        return Judgement(AGREES, outside)
    return Judgement(DIFFERS if ours.high < low or ours.low > high else CANNOT_TELL, outside)


def _judged(
    difference: float, interval: Interval, half: float, margin: float, more: Callable[[], int | None]
) -> Judgement:
    if not interval.low <= 0 <= interval.high:
        return Judgement(DIFFERS, difference, interval, half, margin)
    if half <= margin:
        return Judgement(AGREES, difference, interval, half, margin)
    return Judgement(CANNOT_TELL, difference, interval, half, margin, more())


def _welch(first: float, freedom: int, second: float, other: int) -> float:
    """Degrees of freedom of a difference (Welch 1947); first, second: squared errors of the means."""
    if other < 1:
        return float(freedom)
    return (first + second) ** 2 / (first**2 / freedom + second**2 / other)


def _wilson_half(share: Share) -> Callable[[int], float]:
    """Half-width of Wilson's interval at this rate, by number of trials worth as much as these."""
    z, rate, weight = float(special.ndtri((1 + CONFIDENCE) / 2)), share.successes / share.trials, share.weight()

    def half(n: int) -> float:
        n_independent = n * weight
        spread = rate * (1 - rate) / n_independent + (z / (2 * n_independent)) ** 2
        return z * math.sqrt(spread) / (1 + z * z / n_independent)

    return half


def _student_half(sample: Sample) -> Callable[[int], float]:
    """Half-width of Student's interval by number of units, with blocks as large as they are."""
    assert sample.deviation is not None
    deviation, blocks_a_unit = sample.deviation, (sample.degrees + 1) / sample.n

    def half(n: int) -> float:
        freedom = max(1, round(n * blocks_a_unit) - 1)
        return float(special.stdtrit(freedom, (1 + CONFIDENCE) / 2)) * deviation / math.sqrt(n)

    return half


def _more(n: int, margin: float, half: Callable[[int], float]) -> int | None:
    """Fewest units beyond n at which `half`, which falls with n, is within the margin; None: too many."""
    if half(n) <= margin:
        return 0
    low, high = n, n
    while half(high) > margin:
        low, high = high, 2 * high
        if high > MOST_UNITS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if half(middle) > margin else (low, middle)
    return high - n
