"""Moments of the first 1, 2, 3, ... values: what somebody knows who looks after each of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.analysis.moments import ROUNDING

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Running:
    """Moments after each value, float64[..., n] each.

    count: 1, 2, ..., float64[n]; spread: sum of squared deviations; skewness: third moment over the cube of the
    deviation. Spread and skewness are 0 where the values so far are equal.
    """

    count: Array
    mean: Array
    spread: Array
    skewness: Array

    @property
    def error(self) -> Array:
        """Standard error of the mean; 0 where values are equal, and for one value."""
        return np.sqrt(self.spread / (self.count * np.maximum(self.count - 1, 1)))

    @property
    def deviation(self) -> Array:
        """Deviation with the number of values as divisor."""
        return np.sqrt(self.spread / self.count)


def running(values: Array) -> Running:
    """Moments of the first values along the last axis."""
    count = np.arange(1, values.shape[-1] + 1, dtype=np.float64)
    origin = values[..., :1]
    shifted = values - origin
    squares = (shifted**2).cumsum(axis=-1)
    mean = shifted.cumsum(axis=-1) / count
    spread = squares - count * mean**2
    spread = np.where(spread > ROUNDING * squares, spread, 0.0)
    cubes = (shifted**3).cumsum(axis=-1) - 3 * mean * squares + 2 * count * mean**3
    with np.errstate(divide="ignore", invalid="ignore"):
        skewness = np.where(spread > 0, cubes * np.sqrt(count) / spread**1.5, 0.0)
    return Running(count, mean + origin, spread, skewness)
