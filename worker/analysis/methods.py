"""By which method intervals are made: for one look at a planned number of deals, or for any number of looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from worker.analysis import always_valid
from worker.analysis.independent import welch
from worker.analysis.intervals import CONFIDENCE, Interval, student
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import rate_interval


class Method(Protocol):
    """Makes the intervals of one result."""

    def rate(self, blocks: BlockMoments, confidence: float = CONFIDENCE) -> Interval | None:
        """Interval of a rate with blocks as units; None where there is none."""

    def mean(self, blocks: BlockMoments, confidence: float = CONFIDENCE) -> Interval | None:
        """Interval of a mean with blocks as units."""

    def difference(self, differences: Moments, confidence: float = CONFIDENCE) -> Interval | None:
        """Interval of the mean of differences, deal by deal."""

    def independent(self, first: Moments, second: Moments, confidence: float = CONFIDENCE) -> Interval | None:
        """Interval of the difference of two means that have no deal in common."""


class _Fixed:
    """For a number of deals that was planned before, or that did not depend on what was seen."""

    def rate(self, blocks: BlockMoments, confidence: float = CONFIDENCE) -> Interval | None:
        return rate_interval(blocks, confidence)

    def mean(self, blocks: BlockMoments, confidence: float = CONFIDENCE) -> Interval | None:
        return blocks.interval(confidence)

    def difference(self, differences: Moments, confidence: float = CONFIDENCE) -> Interval | None:
        return differences.interval(confidence)

    def independent(self, first: Moments, second: Moments, confidence: float = CONFIDENCE) -> Interval | None:
        found = welch(first, second)
        return None if found is None else student(*found, confidence)


FIXED: Method = _Fixed()


@dataclass(frozen=True, slots=True)
class AlwaysValid:
    """For any number of looks, and a stop at whichever; planned: deals near which intervals are narrowest."""

    planned: int

    def rate(self, blocks: BlockMoments, confidence: float = CONFIDENCE) -> Interval | None:
        """As `Method` says."""
        return always_valid.of_rate(blocks, confidence)

    def mean(self, blocks: BlockMoments, confidence: float = CONFIDENCE) -> Interval | None:
        """As `Method` says."""
        return always_valid.of_blocks(blocks, self.planned, confidence)

    def difference(self, differences: Moments, confidence: float = CONFIDENCE) -> Interval | None:
        """As `Method` says."""
        return always_valid.of_moments(differences, self.planned, confidence)

    def independent(self, first: Moments, second: Moments, confidence: float = CONFIDENCE) -> Interval | None:
        """As `Method` says: from the intervals of both, which hold together."""
        each = (1 + confidence) / 2
        ours, theirs = self.difference(first, each), self.difference(second, each)
        return Interval(ours.low - theirs.high, ours.high - theirs.low) if ours and theirs else None
