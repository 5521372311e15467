"""Rates whose units are blocks: win rates over deals, near 0 and 1 and for few deals, too.

A rate of blocks is worth as many independent trials as would give it the error that its blocks
show (the effective sample of Korn and Graubard 1998, Survey Methodology 24, section 2), and has
Wilson's interval (1927) over that number. What is wide in it is how alike the matches of a block
are; where successes or failures are rare this is known from few, see `_error`.
"""

from __future__ import annotations

from dataclasses import dataclass

from worker.analysis.intervals import CONFIDENCE, Interval, wilson
from worker.analysis.lazy_scipy import special
from worker.analysis.moments import BlockMoments

UNSEEN_LIKENESS = 1 / 30
"""Chance with which the other matches of a block are taken to go like one success, before any has been seen."""
LOG_ODDS_VARIANCE = 8.0
"""Variance of the log-odds of how alike the matches of a block are, where it is known from one cluster of successes."""
LEAST_FREEDOM = 3
"""Degrees of freedom that few successes cannot take away. These three make the simulated coverage what is wanted."""


@dataclass(frozen=True, slots=True)
class Share:
    """Share of successes among trials.

    effect: squared error of the rate, as a multiple of what independent trials would give;
    freedom: degrees of freedom of that error, None where trials are independent.
    """

    successes: int
    trials: int
    effect: float = 1.0
    freedom: float | None = None

    @classmethod
    def of_blocks(cls, blocks: BlockMoments) -> Share | None:
        """Successes counted in blocks, which are the units; None without trials."""
        if not blocks.n:
            return None
        return cls(round(blocks.total), blocks.n, *_error(blocks, 1.0))

    @property
    def value(self) -> float | None:
        """The rate; None without trials."""
        return self.successes / self.trials if self.trials else None

    def weight(self, confidence: float = CONFIDENCE) -> float:
        """Number of independent trials that one of these is worth."""
        return _weight(self.effect, self.freedom, confidence)

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Wilson's interval over as many independent trials as these are worth; None without trials."""
        weight = self.weight(confidence)
        return wilson(self.successes * weight, self.trials * weight, confidence)


def rate_interval(blocks: BlockMoments, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a rate with blocks as units; None without trials."""
    share = Share.of_blocks(blocks)
    return None if share is None else share.interval(confidence)


def bounded_interval(
    blocks: BlockMoments, lowest: int, highest: int, confidence: float = CONFIDENCE
) -> Interval | None:
    """Interval of the mean of whole numbers between two bounds, such as places; None without values.

    It is that of a rate, the highest number being 1: a mean at a bound is not known exactly
    because nothing else came.
    """
    if not blocks.n:
        return None
    size = highest - lowest
    found = wilson(*effective_trials(blocks, lowest, highest, 1, confidence), confidence)
    return found and Interval(lowest + size * found.low, lowest + size * found.high)


def effective_trials(
    blocks: BlockMoments, lowest: float, highest: float, step: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Successes and trials, independent ones, that values between two bounds are worth, of which there are some.

    step: the least by which two values differ; confidence: of the interval that will be made of them.
    """
    size = highest - lowest
    share = BlockMoments(
        blocks.blocks,
        blocks.n,
        (blocks.total - lowest * blocks.n) / size,
        (blocks.total_squares - 2 * lowest * blocks.cross + lowest**2 * blocks.n_squares) / size**2,
        (blocks.cross - lowest * blocks.n_squares) / size,
        blocks.n_squares,
    )
    weight = _weight(*_error(share, step / size), confidence)
    return share.total * weight, share.n * weight


def _weight(effect: float, freedom: float | None, confidence: float) -> float:
    """Number of independent trials that one trial is worth."""
    if freedom is None:
        return 1 / effect
    tail = (1 + confidence) / 2
    return float(special.ndtri(tail) / special.stdtrit(freedom, tail)) ** 2 / effect


def _error(blocks: BlockMoments, step: float) -> tuple[float, float | None]:
    """Effect and freedom, as `Share` has them, of a mean of values from 0 to 1; step: the least that two differ by.

    Where all values were 0, or all 1, or there is one block only, how alike those of a block are
    cannot be seen: then a block counts as one trial. From there to many successes leads one step
    up from 0 (or down from 1) that is added to those seen, and whose block went like it with the
    chance `UNSEEN_LIKENESS`. Where every block has the same mean in between, one value counts as
    if it had been a step away.
    """
    n, size = blocks.n, blocks.n_squares / blocks.n
    rate = blocks.total / n
    if blocks.blocks < 2 or not 0 < rate < 1:
        return size, None
    variance = rate * (1 - rate)
    seen = blocks.blocks / (blocks.blocks - 1) * max(step**2, blocks.spread) / n / variance
    unseen = step**2 * UNSEEN_LIKENESS * (size - 1) / min(blocks.total, n - blocks.total)
    effect = min(max(seen, size), seen + unseen)
    return effect, _freedom(blocks, effect, size)


def _freedom(blocks: BlockMoments, effect: float, size: float) -> float:
    """Degrees of freedom of the error of a rate: blocks less one, or fewer where few clusters of successes show it.

    With `alike` the correlation of two trials of a block, the effect is 1 + (size - 1) * alike, and
    the log-odds of `alike` have the variance `LOG_ODDS_VARIANCE` / clusters. So the squared relative
    error of the effect is that / clusters * ((effect - 1) / effect * (1 - alike))^2, and a variance
    that is known so well has 2 / it degrees of freedom (Satterthwaite 1946). Clusters: the effective
    trials by the squared skewness of a trial, which near 0 are the effective successes; at one half
    the variance of a trial does not hang on the rate, and they are without number.
    """
    most = blocks.blocks - 1
    rate = blocks.total / blocks.n
    skewness = (1 - 2 * rate) ** 2 / (rate * (1 - rate))
    if not 1 < effect < size or not skewness:
        return most
    alike = (effect - 1) / (size - 1)
    clusters = blocks.n / effect / skewness
    square = LOG_ODDS_VARIANCE / clusters * ((effect - 1) / effect * (1 - alike)) ** 2
    return min(most, max(LEAST_FREEDOM, 2 / square))
