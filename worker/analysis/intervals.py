"""Confidence intervals: Wilson for rates, Student for means."""

from __future__ import annotations

import math
from typing import NamedTuple

from worker.analysis.lazy_scipy import special

CONFIDENCE = 0.95


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
