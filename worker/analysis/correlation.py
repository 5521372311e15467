"""Correlation of two numbers: Pearson's coefficient, and the line that fits best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.lazy_scipy import special
from worker.analysis.numbers import finite


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r of n pairs, and how much y grows with each unit of x.

    interval: of r, by Fisher's transformation; None where it rests on fewer than four independent pairs.
    """

    n: int
    r: float
    slope: float
    interval: Interval | None

    @property
    def share(self) -> float:
        """Part of the variance of y that the line accounts for, from 0 to 1."""
        return self.r * self.r


def correlation(
    x: Sequence[float], y: Sequence[float], independent: int | None = None, confidence: float = CONFIDENCE
) -> Correlation | None:
    """Correlation of pairs; None where one of the two never changes.

    independent: as how many independent pairs these count for the interval (Fisher 1921: the inverse hyperbolic
    tangent of r has the error 1 / sqrt(n - 3)); None: all. Raises ValueError where a number is not finite,
    or x and y have different lengths.
    """
    a, b = finite(x), finite(y)
    if len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} numbers make no pairs")
    if len(a) < 2:
        return None
    a, b = a - a.mean(), b - b.mean()
    of_a, of_b, both = float(a @ a), float(b @ b), float(a @ b)
    if of_a == 0.0 or of_b == 0.0:
        return None
    r = float(np.clip(both / math.sqrt(of_a * of_b), -1.0, 1.0))
    return Correlation(len(a), r, both / of_a, _interval(r, len(a) if independent is None else independent, confidence))


def _interval(r: float, n: int, confidence: float) -> Interval | None:
    if n < 4:
        return None
    if abs(r) == 1.0:
        return Interval(r, r)
    half = float(special.ndtri((1 + confidence) / 2)) / math.sqrt(n - 3)
    return Interval(math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))
