"""Confidence intervals: Wilson for rates, Student and bootstrap for means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from worker.analysis.numbers import finite

CONFIDENCE = 0.95
RESAMPLES = 2000
RESAMPLED_AT_ONCE = 4_000_000
"""Numbers that one step of the bootstrap holds in memory."""


class Interval(NamedTuple):
    """Both ends belong to it."""

    low: float
    high: float


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence!r}")


def wilson(successes: float, trials: float, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a rate (Wilson 1927); None without trials. Trials that are not independent count in parts.

    Holds its coverage near 0 and 1, where the usual approximation collapses to a point.
    """
    _check_confidence(confidence)
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if trials == 0:
        return None
    z = float(special.ndtri((1 + confidence) / 2))
    rate, weight = successes / trials, z * z / trials
    centre = (rate + weight / 2) / (1 + weight)
    half = z * math.sqrt(rate * (1 - rate) / trials + weight / (4 * trials)) / (1 + weight)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Interval(low, high)


def student(mean: float, error: float, freedom: float, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a mean whose standard error has `freedom` degrees; None without any."""
    _check_confidence(confidence)
    if freedom < 1:
        return None
    half = float(special.stdtrit(freedom, (1 + confidence) / 2)) * error
    return Interval(mean - half, mean + half)


def student_p(mean: float, error: float, freedom: float) -> float | None:
    """Two-sided p-value of Student's test of a mean of 0; None without freedom or without error.

    At most 1 - confidence exactly where the `student` interval leaves out 0.
    """
    if freedom < 1 or error <= 0:
        return None
    return float(2 * special.stdtr(freedom, -abs(mean) / error))


def bootstrap(
    values: Sequence[float] | NDArray[np.float64],
    seed: int,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
) -> Interval | None:
    """Percentile bootstrap interval of the mean (Efron 1979); None for fewer than two values.

    The same values, in the same order, and the same seed give the same interval.
    """
    _check_confidence(confidence)
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples!r}")
    sample = finite(values)
    size = len(sample)
    if size < 2:
        return None
    rng = np.random.Generator(np.random.PCG64(seed))
    means = np.empty(resamples)
    step = max(1, RESAMPLED_AT_ONCE // size)
    for start in range(0, resamples, step):
        stop = min(start + step, resamples)
        means[start:stop] = sample[rng.integers(0, size, (stop - start, size))].mean(axis=1)
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, (tail, 1 - tail))
    return Interval(float(low), float(high))
