"""Trend of an outcome over the values of a sweep: one number a deal, then the ordinary interval of a mean.

The arms of a sweep meet the same deals. On each deal the least-squares slope of the outcome over the
values is a weighted sum of what its arms had; the slopes of deals are independent and of one law, so
their mean has Student's interval, or one for every look (summary measures: Matthews, Altman, Campbell and
Royston 1990, British Medical Journal 300, 230-235). Nothing is assumed of the curve: a trend is its
average slope. Several comparisons of pairs ask more of the same deals, and see less.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from worker.analysis.methods import Method
from worker.analysis.moments import Moments
from worker.analysis.paired import PairedDifference

Array = NDArray[np.float64]

NATURAL, LOG = "natural", "log"
"""Scales of an axis: the values themselves, and how often they have doubled."""


def scale_of(values: Sequence[float]) -> str:
    """The scale on which the steps between the values are more alike; of two values the natural one."""
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    if len(ordered) < 3 or ordered[0] <= 0:
        return NATURAL
    return LOG if _unevenness(np.log2(ordered)) < _unevenness(ordered) - 1e-9 else NATURAL


def _unevenness(ordered: Array) -> float:
    """Deviation of the steps over their mean."""
    steps = np.diff(ordered)
    return float(steps.std() / steps.mean())


def places(values: Sequence[float], scale: str) -> Array:
    """Where the values stand on a scale."""
    found = np.asarray(values, dtype=np.float64)
    return np.log2(found) if scale == LOG else found


def weights(at: Array) -> Array:
    """What each arm counts in the slope. at: float64[arms], places of the arms on the axis; several may share one."""
    centred = at - at.mean()
    return np.asarray(centred / (centred**2).sum())


def slopes_of(values: Array, at: Array) -> Moments:
    """Moments of the slopes of deals.

    values: float64[deals, arms], means over the matches of a deal; at: float64[arms], places on the axis.
    """
    return Moments.of(values @ weights(at))


def trend(slopes: Moments, method: Method, confidence: float) -> PairedDifference:
    """The mean slope, its interval and the p-value of no trend; neither where all slopes are the same."""
    return method.paired((slopes, slopes, Moments()), 0, confidence)
