"""Ratios of costs: how much less (or more) one way costs than another on the same cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.analysis.intervals import CONFIDENCE, RESAMPLES, Interval
from worker.analysis.moments import Moments
from worker.analysis.numbers import finite

Values = Sequence[float] | NDArray[np.float64]


class Estimate(NamedTuple):
    """A number and its interval; None where it is undefined."""

    value: float | None
    interval: Interval | None


NOTHING = Estimate(None, None)


def gain(
    base: Values, values: Values, seed: int, confidence: float = CONFIDENCE, resamples: int = RESAMPLES
) -> Estimate:
    """Percent by which the mean of `values` lies below that of `base`, case by case the same ones.

    The interval is the percentile bootstrap over cases (both costs of a case are drawn
    together, Efron 1979); None under two cases. A mean of `base` that is not above 0 leaves
    all undefined.
    """
    first, second = _pairs(base, values)
    if not len(first) or not first.mean() > 0:
        return NOTHING
    value = 100 * (1 - second.mean() / first.mean())
    if len(first) < 2:
        return Estimate(float(value), None)
    rng = np.random.Generator(np.random.PCG64(seed))
    drawn = rng.integers(0, len(first), (resamples, len(first)))
    bases = first[drawn].mean(axis=1)
    if not (bases > 0).all():
        return Estimate(float(value), None)
    tail = (1 - confidence) / 2
    low, high = np.quantile(100 * (1 - second[drawn].mean(axis=1) / bases), (tail, 1 - tail))
    return Estimate(float(value), Interval(float(low), float(high)))


def typical_ratio(base: Values, values: Values, confidence: float = CONFIDENCE) -> Estimate:
    """Geometric mean over cases of values / base, with Student's interval of the mean logarithm.

    Every case counts alike, however costly it is. Undefined unless all numbers are above 0.
    """
    first, second = _pairs(base, values)
    if not len(first) or not (first > 0).all() or not (second > 0).all():
        return NOTHING
    moments = Moments.of(np.log(second / first))
    assert moments.mean is not None
    interval = moments.interval(confidence)
    around = None if interval is None else Interval(math.exp(interval.low), math.exp(interval.high))
    return Estimate(math.exp(moments.mean), around)


def _pairs(base: Values, values: Values) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    first, second = finite(base), finite(values)
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} values are no pairs")
    return first, second
