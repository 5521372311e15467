"""By which method intervals are made: for one look at a planned number of deals, or for any number of looks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from worker.analysis import always_valid, independent, paired, rate_differences, rates
from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import PairedDifference
from worker.analysis.rates import Share

Paired = tuple[Moments, Moments, Moments]
"""Over the deals of both: first less second, the first, the second."""


WIDEST = 30
"""Times the width for one look that an interval of a mean for every look may have: a wider one tells nothing."""


class Method(Protocol):
    """Makes the intervals of one result. Intervals are None where there is none."""

    def rate(self, blocks: BlockMoments) -> Interval | None:
        """Interval of a rate with blocks as units."""

    def mean(self, blocks: BlockMoments) -> Interval | None:
        """Interval of a mean with blocks as units."""

    def bounded(self, blocks: BlockMoments, lowest: int, highest: int) -> Interval | None:
        """Interval of a mean of whole numbers between two bounds."""

    def paired(self, sums: Paired, left_out: int, confidence: float) -> PairedDifference:
        """Difference of two means on the same deals; left_out: deals that one of them lacks."""

    def paired_rates(
        self, sums: Paired, sizes: tuple[float, float], left_out: int, confidence: float
    ) -> PairedDifference:
        """The same of rates; sizes: matches of a deal in each."""

    def independent(self, first: Moments, second: Moments, confidence: float) -> PairedDifference:
        """Difference of two means that have no deal in common."""

    def independent_rates(self, first: BlockMoments, second: BlockMoments, confidence: float) -> PairedDifference:
        """The same of rates."""


class _Fixed:
    """For a number of deals that was planned before, or that did not depend on what was seen."""

    def rate(self, blocks: BlockMoments) -> Interval | None:
        return rates.rate_interval(blocks)

    def mean(self, blocks: BlockMoments) -> Interval | None:
        return blocks.interval()

    def bounded(self, blocks: BlockMoments, lowest: int, highest: int) -> Interval | None:
        return rates.bounded_interval(blocks, lowest, highest)

    def paired(self, sums: Paired, left_out: int, confidence: float) -> PairedDifference:
        return paired.paired_from_sums(*sums, left_out, confidence)

    def paired_rates(
        self, sums: Paired, sizes: tuple[float, float], left_out: int, confidence: float
    ) -> PairedDifference:
        return rate_differences.paired_rates_from_sums(sums, sizes, left_out, confidence)

    def independent(self, first: Moments, second: Moments, confidence: float) -> PairedDifference:
        return independent.independent_difference(first, second, confidence)

    def independent_rates(self, first: BlockMoments, second: BlockMoments, confidence: float) -> PairedDifference:
        ours, theirs = (Share.of_blocks(blocks) or Share(0, 0) for blocks in (first, second))
        return rate_differences.independent_rates(ours, theirs, confidence)


FIXED: Method = _Fixed()


@dataclass(frozen=True, slots=True)
class AlwaysValid:
    """For any number of looks, and a stop at whichever; planned: deals near which intervals are narrowest.

    Means and differences are those of `FIXED`; there is no p, which would be for one look.
    """

    planned: int

    def rate(self, blocks: BlockMoments) -> Interval | None:
        """As `Method` says."""
        return always_valid.of_rate(blocks)

    def mean(self, blocks: BlockMoments) -> Interval | None:
        """As `Method` says."""
        return _telling(always_valid.of_blocks(blocks, self.planned), FIXED.mean(blocks))

    def bounded(self, blocks: BlockMoments, lowest: int, highest: int) -> Interval | None:
        """As `Method` says."""
        return always_valid.of_bounded(blocks, lowest, highest, 1)

    def paired(self, sums: Paired, left_out: int, confidence: float) -> PairedDifference:
        """As `Method` says; no interval where the difference is the same in every deal."""
        found, interval = FIXED.paired(sums, left_out, confidence), None
        if sums[0].variance:
            interval = _telling(always_valid.of_moments(sums[0], self.planned, confidence), found.interval)
        return replace(found, interval=interval, p=None)

    def paired_rates(
        self, sums: Paired, sizes: tuple[float, float], left_out: int, confidence: float
    ) -> PairedDifference:
        """As `Method` says; no interval where the difference is the same in every deal.

        Never narrower than for one look: where all but a few deals ended alike, that knows more of rare ones.
        """
        differences = sums[0]
        interval = None
        if differences.variance:
            n, total, squares = differences.n, differences.total, differences.total_squares
            blocks = BlockMoments(n, n, total, squares, total, n)
            at_any = always_valid.of_bounded(blocks, -1, 1, 1 / max(sizes), confidence)
            interval = _both(at_any, FIXED.paired_rates(sums, sizes, left_out, confidence).interval)
        return replace(FIXED.paired(sums, left_out, confidence), interval=interval, p=None)

    def independent(self, first: Moments, second: Moments, confidence: float) -> PairedDifference:
        """As `Method` says: from the intervals of both, which hold together."""
        each = (1 + confidence) / 2
        ours, theirs = (always_valid.of_moments(values, self.planned, each) for values in (first, second))
        return replace(FIXED.independent(first, second, confidence), interval=_less(ours, theirs), p=None)

    def independent_rates(self, first: BlockMoments, second: BlockMoments, confidence: float) -> PairedDifference:
        """As `Method` says: from the intervals of both, which hold together."""
        each = (1 + confidence) / 2
        ours, theirs = (always_valid.of_rate(blocks, each) for blocks in (first, second))
        return replace(FIXED.independent_rates(first, second, confidence), interval=_less(ours, theirs), p=None)


def _telling(at_any: Interval | None, at_one: Interval | None) -> Interval | None:
    """An interval of a mean for any look; None where it is so much wider than that for one that it tells nothing.

    After 5 deals of 400 it is 18 million standard errors to each side, after 11 deals 45.
    """
    if at_any is None or at_one is None:
        return at_any
    return at_any if at_any.high - at_any.low <= WIDEST * (at_one.high - at_one.low) else None


def _both(first: Interval | None, second: Interval | None) -> Interval | None:
    """What holds all numbers of two intervals."""
    if first is None or second is None:
        return first or second
    return Interval(min(first.low, second.low), max(first.high, second.high))


def _less(first: Interval | None, second: Interval | None) -> Interval | None:
    """All differences of numbers of two intervals."""
    return Interval(first.low - second.high, first.high - second.low) if first and second else None
