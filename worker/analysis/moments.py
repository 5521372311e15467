"""Totals that merge: means, deviations and intervals from sums alone.

Workers add up what they played, pages merge the sums: the order never matters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.analysis.intervals import CONFIDENCE, Interval, student
from worker.analysis.numbers import finite

ROUNDING = 1e-12
"""A spread below this part of the sum of squares is rounding: the values were equal."""


def _spread(squares: float, expected: float) -> float:
    """Return the sum of squared deviations, free of rounding below zero."""
    spread = squares - expected
    return spread if spread > ROUNDING * abs(squares) else 0.0


@dataclass(frozen=True, slots=True)
class Moments:
    """Moments of numbers: how many there are, their sum, and the sum of their squares."""

    n: int = 0
    total: float = 0.0
    total_squares: float = 0.0

    @classmethod
    def of(cls, values: Sequence[float] | NDArray[np.float64]) -> Moments:
        """Add up the values. Raises ValueError where one is not finite."""
        array = finite(values)
        return cls(len(array), float(array.sum()), float((array * array).sum()))

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.n + other.n, self.total + other.total, self.total_squares + other.total_squares)

    @property
    def mean(self) -> float | None:
        """None without values."""
        return self.total / self.n if self.n else None

    @property
    def variance(self) -> float | None:
        """Sample variance; None for fewer than two values."""
        if self.n < 2:
            return None
        return _spread(self.total_squares, self.total * self.total / self.n) / (self.n - 1)

    @property
    def deviation(self) -> float | None:
        """Sample standard deviation; None for fewer than two values."""
        variance = self.variance
        return None if variance is None else math.sqrt(variance)

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Student interval of the mean; None for fewer than two values."""
        deviation = self.deviation
        if deviation is None:
            return None
        return student(self.total / self.n, deviation / math.sqrt(self.n), self.n - 1, confidence)


@dataclass(frozen=True, slots=True)
class BlockMoments:
    """Sums over blocks of matches that share a deal: the block is the unit of analysis.

    With n the size of a block and s the sum of its values:
    blocks = number of blocks, n = sum n, total = sum s, total_squares = sum s*s,
    cross = sum s*n, n_squares = sum n*n.
    """

    blocks: int = 0
    n: int = 0
    total: float = 0.0
    total_squares: float = 0.0
    cross: float = 0.0
    n_squares: int = 0

    @classmethod
    def of(cls, blocks: Mapping[int, Moments] | Iterable[Moments]) -> BlockMoments:
        """Add up blocks, each given by the moments of its values; empty ones do not count."""
        rows = [m for m in (blocks.values() if isinstance(blocks, Mapping) else blocks) if m.n]
        return cls(
            blocks=len(rows),
            n=sum(m.n for m in rows),
            total=sum(m.total for m in rows),
            total_squares=sum(m.total * m.total for m in rows),
            cross=sum(m.total * m.n for m in rows),
            n_squares=sum(m.n * m.n for m in rows),
        )

    @classmethod
    def of_sums(cls, sizes: NDArray[Any], totals: NDArray[Any]) -> BlockMoments:
        """The same of how many values each block has, and their sums: both of shape [blocks]."""
        n, s = sizes[sizes > 0], totals[sizes > 0]
        return cls(len(n), int(n.sum()), float(s.sum()), float((s * s).sum()), float((s * n).sum()), int((n * n).sum()))

    def __add__(self, other: BlockMoments) -> BlockMoments:
        return BlockMoments(
            self.blocks + other.blocks,
            self.n + other.n,
            self.total + other.total,
            self.total_squares + other.total_squares,
            self.cross + other.cross,
            self.n_squares + other.n_squares,
        )

    @property
    def mean(self) -> float | None:
        """Mean over all values, whatever the block; None without any."""
        return self.total / self.n if self.n else None

    @property
    def spread(self) -> float:
        """Sum over blocks of the squared deviation from what a block of its size has on average; 0 without any."""
        mean = self.mean
        if mean is None:
            return 0.0
        return _spread(self.total_squares, 2 * mean * self.cross - mean * mean * self.n_squares)

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Student interval of the mean with blocks as units; None for fewer than two blocks.

        The ratio estimator for clusters (Cochran 1977, section 6.3): the squared error is
        B / (B - 1) * sum (s - n * mean)^2 / (sum n)^2. Where all blocks have one size it is the
        plain interval over block means; a block still being played only counts less.
        """
        if self.blocks < 2:
            return None
        error = math.sqrt(self.blocks / (self.blocks - 1) * self.spread) / self.n
        return student(self.total / self.n, error, self.blocks - 1, confidence)
