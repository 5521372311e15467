"""Histograms with fixed bins: they merge by adding, and quantiles come from the counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.analysis.numbers import finite

Counts = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bins:
    """`count` bins of equal `width`; bin i holds low + i * width <= value < low + (i + 1) * width.

    The outer bins also hold what lies beyond them. For whole numbers put the numbers at the
    middle of bins: low = first - 0.5, width 1.
    """

    low: float
    width: float
    count: int

    def __post_init__(self) -> None:
        if not self.width > 0 or self.count < 1:
            raise ValueError(f"bins need a width above 0 and a count of at least 1, not {self.width!r}, {self.count!r}")

    def positions(self, values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.int64]:
        """Bin of each value. Raises ValueError where one is not finite."""
        positions = np.floor((finite(values) - self.low) / self.width)
        return np.clip(positions, 0, self.count - 1).astype(np.int64)

    def counts(self, values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.int64]:
        """Count the values per bin: int64[count]. Raises ValueError where one is not finite."""
        return np.bincount(self.positions(values), minlength=self.count)

    def quantile(self, counts: Counts, share: float) -> float | None:
        """Value below which `share` of the counted numbers lie; None without any.

        Numbers are taken as spread evenly over their bin, so the error is at most a width.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"share must be from 0 to 1, not {share!r}")
        array = np.asarray(counts, dtype=np.int64)
        if len(array) != self.count or (array < 0).any():
            raise ValueError(f"{self.count} counts of at least 0 are needed")
        below = np.cumsum(array)
        if below[-1] == 0:
            return None
        filled = np.flatnonzero(array)
        wanted = share * float(below[-1])
        index = int(filled[np.searchsorted(below[filled], wanted)])
        inside = (wanted - float(below[index] - array[index])) / float(array[index])
        return float(self.low + self.width * (index + inside))
