"""Elo: shares of points as differences of strength, and back.

Logistic Elo is what ratings are in: a player who is 400 stronger has ten points for one. Normalised Elo
(Van den Bergh, *Normalized Elo*) is the mean of a match's points above a half over their deviation, in such
units that it is near logistic Elo where there are no draws; how many matches it takes to see a difference
depends on it alone. Both as in fishtest and fastchess.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.lazy_scipy import special
from worker.analysis.ratios import Estimate

Array = NDArray[np.float64]

UNIT = 800 / math.log(10)
"""Normalised Elo of one deviation of a match."""


def share(elo: float) -> float:
    """Expected share of points of a player who is stronger by so much logistic Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def difference(points: float) -> float | None:
    """Logistic Elo of a share of points; None at 0 and 1, where it has no bound."""
    return -400 * math.log10(1 / points - 1) if 0 < points < 1 else None


def deviations(elo: float, matches: int) -> float:
    """Normalised Elo as mean over deviation of the share of points in so many matches together."""
    return elo / UNIT * math.sqrt(matches)


def logistic(outcomes: Array, counts: Array, confidence: float = CONFIDENCE) -> Estimate:
    """Logistic Elo of observed shares of points, with the normal interval of the share.

    outcomes: float64[K], shares of points of a unit (a match, a pair); counts: float64[K], how often each came.
    """
    mean, deviation, n = _moments(outcomes, counts)
    half = float(special.ndtri((1 + confidence) / 2)) * deviation / math.sqrt(n)
    low, high = difference(mean - half), difference(mean + half)
    return Estimate(difference(mean), None if low is None or high is None else Interval(low, high))


def normalised(outcomes: Array, counts: Array, matches: int, confidence: float = CONFIDENCE) -> Estimate:
    """Normalised Elo of observed shares of points, each of so many matches; undefined where they are all equal."""
    mean, deviation, n = _moments(outcomes, counts)
    if deviation == 0:
        return Estimate(None, None)
    unit = UNIT / math.sqrt(matches)
    value, half = unit * (mean - 0.5) / deviation, unit * float(special.ndtri((1 + confidence) / 2)) / math.sqrt(n)
    return Estimate(value, Interval(value - half, value + half))


def _moments(outcomes: Array, counts: Array) -> tuple[float, float, float]:
    n = float(counts.sum())
    mean = float(counts @ outcomes) / n
    return mean, math.sqrt(float(counts @ (outcomes - mean) ** 2) / n), n
