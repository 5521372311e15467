"""Ratios of costs: how much less (or more) one way costs than another on the same cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.lazy_scipy import special
from worker.analysis.moments import ROUNDING, Moments
from worker.analysis.numbers import finite

Values = Sequence[float] | NDArray[np.float64]


class Estimate(NamedTuple):
    """A number and its interval; None where it is undefined."""

    value: float | None
    interval: Interval | None


NOTHING = Estimate(None, None)


def gain(base: Values, values: Values, confidence: float = CONFIDENCE) -> Estimate:
    """Percent by which the mean of `values` lies below that of `base`, case by case the same ones.

    The interval is Fieller's (`ratio_interval`); None under two cases, and where these leave the ratio
    unbounded. Costs are never below 0: where none is, no gain is above 100. A mean of `base` that is not
    above 0 leaves all undefined.
    """
    first, second = _pairs(base, values)
    if not len(first) or not first.mean() > 0:
        return NOTHING
    value = float(100 * (1 - second.mean() / first.mean()))
    low, high = (float(end) for end in ratio_interval(first, second, confidence))
    if math.isnan(low):
        return Estimate(value, None)
    least = max(0.0, low) if second.min() >= 0 else low
    return Estimate(value, Interval(100 * (1 - high), 100 * (1 - least)))


def ratio_interval(
    base: NDArray[np.float64], values: NDArray[np.float64], confidence: float = CONFIDENCE
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ends of the interval of mean(values) / mean(base), over the last axis; NaN where it is unbounded.

    base, values: float64[..., n], case by case the same ones. It holds every ratio r for which Student's
    test finds no mean of values - r * base other than 0 (Fieller 1954), so skewed costs widen it, where
    Student's interval of the ratio is too short (docs/findings/gains.md). It is unbounded where the
    mean of `base` is not told from 0 by the same test. Cases that all have one ratio give that ratio.
    """
    n = base.shape[-1]
    if n < 2:
        nothing = np.full(base.shape[:-1], np.nan)
        return nothing, nothing
    quantile = float(special.stdtrit(n - 1, (1 + confidence) / 2)) ** 2 / (n * (n - 1))
    mean = base.mean(axis=-1)
    ratio = values.mean(axis=-1) / mean
    rest, spread = values - ratio[..., None] * base, base - mean[..., None]
    errors = quantile * (rest * rest).sum(axis=-1)
    common = quantile * (rest * spread).sum(axis=-1)
    is_exact = (rest * rest).sum(axis=-1) <= ROUNDING * (values * values).sum(axis=-1)
    room = mean * mean - quantile * (spread * spread).sum(axis=-1)
    is_bounded = room > 0
    room = np.where(is_bounded, room, 1.0)
    # of room * d^2 + 2 * common * d = errors, for d = r - ratio
    half = np.where(is_bounded, np.sqrt(np.maximum(common * common + room * errors, 0.0)), np.nan)
    low, high = ratio - (common + half) / room, ratio - (common - half) / room
    return np.where(is_exact, ratio, low), np.where(is_exact, ratio, high)


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
