"""A published figure beside our own, in one of four words, each with its margin.

*Equivalent*: the 90 % interval of the difference, the published sampling error included, lies
within the margin (two one-sided tests at 5 %, Schuirmann 1987). *Differs*: its 99 % interval leaves
out 0, and it is not equivalent. *Compatible*: neither, though ours alone is known to the margin;
the gap that may hide is the far end of the 90 % interval. *Cannot tell*: ours is not known to the
margin; so many more units would make it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from worker.analysis.intervals import CONFIDENCE, Interval, student, student_p
from worker.analysis.lazy_scipy import special
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rate_differences import TwoRates
from worker.analysis.rates import Share

EQUIVALENT, COMPATIBLE, DIFFERS, CANNOT_TELL = "equivalent", "compatible", "differs", "cannot tell"
LEAST_CONSTANT = 5
"""Independent units that must be equal before ours is taken never to vary."""
MOST_UNITS = 10**9
"""More matches than this are not worth counting."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Chances of a wrong word: of "differs" where there is no difference, of "equivalent" where it is the margin."""

    differs: float = 0.01
    equivalent: float = 0.05

    @classmethod
    def of_look(cls, number: int) -> Levels:
        """Levels of a look, counted from 1: each has half of those before it.

        Who adds another run after he has seen the verdict looks again. Over all looks together the
        chances of a wrong word are at most twice the first ones (Bonferroni over 1 + 1/2 + 1/4 + ...).
        """
        return cls(cls().differs / 2 ** (number - 1), cls().equivalent / 2 ** (number - 1))

    @property
    def sure(self) -> float:
        """Confidence of the interval that must leave out 0."""
        return 1 - self.differs

    @property
    def within(self) -> float:
        """Confidence of the interval that must lie within the margin: both one-sided tests have the level."""
        return 1 - 2 * self.equivalent


ONE_LOOK = Levels()


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

    @property
    def error(self) -> float | None:
        """Standard error; None where the deviation is unknown."""
        return None if self.deviation is None else self.deviation / math.sqrt(self.n)

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Student's interval; None where the deviation is unknown, or 0 and so tells nothing."""
        if not self.deviation:
            return None
        return student(self.value, self.deviation / math.sqrt(self.n), self.degrees, confidence)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of a figure.

    difference: ours less the published figure; interval: of it, at 1 - `Levels.differs`; narrow: at
    1 - 2 * `Levels.equivalent`. half_width: of our own 95 % interval; margin: what is too small to matter.
    needed: further units (matches, positions) of ours until its half-width is within the margin, where that alone is
    missing; else None. p: of the test that there is no difference; level: at which it would be called one; None
    and 0 where nothing is left to chance.
    """

    verdict: str
    difference: float
    interval: Interval | None = None
    narrow: Interval | None = None
    half_width: float | None = None
    margin: float | None = None
    needed: int | None = None
    p: float | None = None
    level: float = 0.0

    @property
    def hidden(self) -> float | None:
        """The largest gap that is not ruled out: the far end of the narrow interval."""
        return None if self.narrow is None else max(abs(self.narrow.low), abs(self.narrow.high))


def judge_shares(ours: Share, published: Share, margin: float, levels: Levels = ONE_LOOK) -> Judgement | None:
    """Compare two rates by the score interval of their difference; None where one has no trials."""
    own = ours.interval()
    if own is None or not published.trials:
        return None
    rates = TwoRates(ours, published)
    found = _Difference(rates.difference, rates.interval, rates.p())
    half = (own.high - own.low) / 2
    return found.judged(half, margin, lambda: _more(ours.trials, margin, _wilson_half(ours)), levels)


def judge_samples(ours: Sample, published: Sample, margin: float, levels: Levels = ONE_LOOK) -> Judgement:
    """Compare two means: Welch's interval, or ours for both where the published deviation is unknown.

    With one deviation for both, the degrees of freedom are those of ours. Where ours never varied it
    is judged exactly: by the published error, or, where none is known, by the margin.
    """
    difference = ours.value - published.value
    if ours.deviation == 0:
        return _judge_constant(ours, published, margin, levels)
    own = ours.interval()
    if own is None or ours.deviation is None:
        return Judgement(CANNOT_TELL, difference, margin=margin, level=levels.differs)
    square = ours.deviation**2 / ours.n
    if published.deviation is None:
        their_square, freedom = ours.deviation**2 / published.n, float(ours.degrees)
    else:
        their_square = published.deviation**2 / published.n
        freedom = _welch(square, ours.degrees, their_square, published.degrees)
    half = (own.high - own.low) / 2
    return _Difference.of_mean(difference, math.sqrt(square + their_square), freedom).judged(
        half, margin, lambda: _more(ours.n, margin, _student_half(ours)), levels
    )


def _judge_constant(ours: Sample, published: Sample, margin: float, levels: Levels) -> Judgement:
    """Judge a mean of ours that never varied."""
    difference, units = ours.value - published.value, ours.degrees + 1
    if units < LEAST_CONSTANT:
        more = math.ceil((LEAST_CONSTANT - units) * ours.n / units)
        return Judgement(CANNOT_TELL, difference, margin=margin, needed=more, level=levels.differs)
    error = published.error
    if not error or published.degrees < 1:
        bound = 0.0 if published.deviation == 0 else margin
        word = EQUIVALENT if abs(difference) <= bound else DIFFERS
        return Judgement(word, difference, half_width=0.0, margin=margin)
    return _Difference.of_mean(difference, error, published.degrees).judged(0.0, margin, lambda: None, levels)


def judge_exact(ours: float, published: float, digits: int | None) -> Judgement:
    """Compare two numbers without chance by the significant digits that were printed; None: all of them."""
    same = ours == published if digits is None else f"{ours:.{digits - 1}e}" == f"{published:.{digits - 1}e}"
    return Judgement(EQUIVALENT if same else DIFFERS, ours - published)


def judge_claim(ours: Share | Sample | None, low: float, high: float, levels: Levels = ONE_LOOK) -> Judgement | None:
    """Judge a claim without a number: that a value lies between two bounds, which are its margin.

    Our whole 99 % interval inside: equivalent; outside: differs; across a bound: cannot tell. Only one end
    of it can be wrong to call a true claim false, so the level is half of that of a figure. A mean of ours that never
    varies is judged exactly.
    """
    interval = None if ours is None else ours.interval(levels.sure)
    if ours is None or ours.value is None:
        return None
    outside = max(low - ours.value, ours.value - high, 0.0)
    if isinstance(ours, Sample) and ours.deviation == 0 and ours.degrees + 1 >= LEAST_CONSTANT:
        return Judgement(DIFFERS if outside else EQUIVALENT, outside)
    if interval is None:
        return None
    level, p = levels.differs / 2, _claim_p(ours, low if ours.value < low else high) if outside else 1.0
    if low <= interval.low and interval.high <= high:
        return Judgement(EQUIVALENT, outside, p=p, level=level)
    if interval.high < low or interval.low > high:
        return Judgement(DIFFERS, outside, p=p, level=level)
    near = min(abs(ours.value - bound) for bound in (low, high))
    n = ours.trials if isinstance(ours, Share) else ours.n
    half = _share_reach(ours, levels.sure, near) if isinstance(ours, Share) else _student_half(ours, levels.sure)
    needed = _more(n, near, half) if near else None
    return Judgement(CANNOT_TELL, outside, needed=needed or None, p=p, level=level)


def _claim_p(ours: Share | Sample, bound: float) -> float:
    """One-sided p of a value on the wrong side of a bound: the test whose interval the claim is judged by."""
    assert ours.value is not None
    if isinstance(ours, Share):
        variance = bound * (1 - bound) * ours.effect / ours.trials
        score = abs(ours.value - bound) / math.sqrt(variance) if variance else math.inf
        return float(special.ndtr(-score) if ours.freedom is None else special.stdtr(ours.freedom, -score))
    assert ours.error is not None
    return (student_p(ours.value - bound, ours.error, ours.degrees) or 0.0) / 2


@dataclass(frozen=True)
class _Difference:
    """A difference. interval: of it, by confidence."""

    value: float
    interval: Callable[[float], Interval]
    p: float

    @classmethod
    def of_mean(cls, value: float, error: float, freedom: float) -> _Difference:
        """One with Student's interval."""

        def interval(confidence: float) -> Interval:
            half = float(special.stdtrit(freedom, (1 + confidence) / 2)) * error
            return Interval(value - half, value + half)

        return cls(value, interval, float(2 * special.stdtr(freedom, -abs(value) / error)))

    def judged(self, half: float, margin: float, more: Callable[[], int | None], levels: Levels) -> Judgement:
        """The word. half: half-width of our own interval; more: further units until that is within the margin."""
        sure, narrow = self.interval(levels.sure), self.interval(levels.within)
        needed = None
        if -margin <= narrow.low and narrow.high <= margin:
            word = EQUIVALENT
        elif not sure.low <= 0 <= sure.high:
            word = DIFFERS
        elif half <= margin:
            word = COMPATIBLE
        else:
            word, needed = CANNOT_TELL, more()
        return Judgement(word, self.value, sure, narrow, half, margin, needed, self.p, levels.differs)


def judge_difference(value: float, error: float, freedom: float, margin: float, looks: int = 1) -> Judgement:
    """Judge a difference of which only its standard error is known, such as the mean over the cells of a table.

    There is no sample of ours alone, so half of the 95 % interval of the difference stands for its precision.
    """
    found = _Difference.of_mean(value, error, freedom)
    interval = found.interval(CONFIDENCE)
    return found.judged((interval.high - interval.low) / 2, margin, lambda: None, Levels.of_look(looks))


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


def _share_reach(share: Share, confidence: float, near: float) -> Callable[[int], float]:
    """Distance from a rate to the bound `near` it that is still in Wilson's interval, by number of trials: a score."""
    rate = share.successes / share.trials
    bounds = [bound for bound in (rate - near, rate + near) if 0 < bound < 1]
    worst = max((bound * (1 - bound) for bound in bounds), default=0.25)
    z, weight = float(special.ndtri((1 + confidence) / 2)), share.weight(confidence)
    return lambda n: z * math.sqrt(worst / (n * weight))


def _student_half(sample: Sample, confidence: float = CONFIDENCE) -> Callable[[int], float]:
    """Half-width of Student's interval by number of units, with blocks as large as they are."""
    assert sample.deviation is not None
    deviation, blocks_a_unit = sample.deviation, (sample.degrees + 1) / sample.n

    def half(n: int) -> float:
        freedom = max(1, round(n * blocks_a_unit) - 1)
        return float(special.stdtrit(freedom, (1 + confidence) / 2)) * deviation / math.sqrt(n)

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
