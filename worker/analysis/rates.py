"""Rates whose units are blocks: win rates over deals, near 0 and 1 and for few deals, too.

A rate of blocks is worth as many independent trials as would give it the error that its blocks
show (the effective sample of Korn and Graubard 1998, Survey Methodology 24, section 2), and has
Wilson's interval (1927) over that number.
"""

from __future__ import annotations

from dataclasses import dataclass

from scipy import special

from worker.analysis.intervals import CONFIDENCE, Interval, wilson
from worker.analysis.moments import BlockMoments


@dataclass(frozen=True, slots=True)
class Share:
    """Share of successes among trials.

    effect: squared error of the rate, as a multiple of what independent trials would give;
    freedom: degrees of freedom of that error, None where trials are independent.
    """

    successes: int
    trials: int
    effect: float = 1.0
    freedom: int | None = None

    @classmethod
    def of_blocks(cls, blocks: BlockMoments) -> Share | None:
        """Successes counted in blocks, which are the units; None without trials.

        Where all trials ended alike, or there is one block only, how alike those of a block are
        cannot be seen: then a block counts as one trial. Where every block has the same rate in
        between, one success of one block counts as if it had gone otherwise.
        """
        rate = blocks.mean
        if rate is None:
            return None
        share = cls(round(blocks.total), blocks.n, effect=blocks.n_squares / blocks.n)
        if blocks.blocks < 2 or not 0 < rate < 1:
            return share
        spread = max(1.0, blocks.spread)
        square = blocks.blocks / (blocks.blocks - 1) * spread / blocks.n**2
        return cls(share.successes, share.trials, square * blocks.n / (rate * (1 - rate)), blocks.blocks - 1)

    @property
    def value(self) -> float | None:
        """The rate; None without trials."""
        return self.successes / self.trials if self.trials else None

    def weight(self, confidence: float = CONFIDENCE) -> float:
        """Number of independent trials that one of these is worth."""
        if self.freedom is None:
            return 1 / self.effect
        tail = (1 + confidence) / 2
        return float(special.ndtri(tail) / special.stdtrit(self.freedom, tail)) ** 2 / self.effect

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Wilson's interval over as many independent trials as these are worth; None without trials."""
        weight = self.weight(confidence)
        return wilson(self.successes * weight, self.trials * weight, confidence)


def rate_interval(blocks: BlockMoments, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a rate with blocks as units; None without trials."""
    share = Share.of_blocks(blocks)
    return None if share is None else share.interval(confidence)
