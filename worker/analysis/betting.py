"""Bets on the mean of values between 0 and 1, one after another: what is lost when the mean is right.

For a supposed mean m somebody bets a part of his capital on every next value: it is multiplied by
1 + bet * (value - m). If m is the mean, whatever bets the past suggests, he has more than 1 / level
at any time with a probability of at most `level` (Ville 1939). So all means against which he would
have got that rich are left out: a confidence sequence, valid at every look and without a word about
the distribution (Waudby-Smith and Ramdas 2024, JRSS-B 86, section 4, the hedged capital: half of it
bets that the mean is higher, half that it is lower). Bets grow as the deviation seen so far is
smaller (their equation 26); three sizes at once, so that the interval is about 1.5 times as wide as
the fixed one from a tenth of the planned number of values to all of them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SIZES = (1.1, 2.2, 4.4)
"""Bets, in what would be best at the planned number: the larger ones are for the first 4th and the first 16th of it."""
SHARES = (4 / 7, 2 / 7, 1 / 7)
"""Capital that each size begins with."""
MOST = (0.5, 0.5, 0.9)
"""Part of its capital that each may lose at once; the largest, with which rates near 0 and 1 begin, is bold."""
POINTS = 128
"""Supposed means between both ends: an end is rounded outwards by at most this part of the width."""
FIRST = 32
"""Values after which the supposed means are chosen anew; then at twice, four times, ... as many."""
AT_ONCE = 2_000_000
"""Numbers in memory at once."""


def capital(values: Array, mean: Array | float, planned: int, level: float) -> tuple[Array, Array]:
    """Capitals after each value of those who bet that the mean is higher, and lower, than `mean`.

    values: float64[..., n], in [0, 1]; mean: float64[...] in (0, 1), broadcast over all but the last axis.
    level: error of either bettor, which only chooses the size of the bets.
    Returns two float64[..., n]; either reaches 1 / level with a probability of at most `level`, if the mean is right.
    """
    bets = _bets(values, planned, level)
    at = np.asarray(mean, dtype=np.float64)[..., None]
    excess = values - at
    higher = sum(share * _grown(np.minimum(size * bets, most / at), excess) for size, share, most in _BETTORS)
    lower = sum(share * _grown(np.minimum(size * bets, most / (1 - at)), -excess) for size, share, most in _BETTORS)
    return np.asarray(higher), np.asarray(lower)


_BETTORS = tuple(zip(SIZES, SHARES, MOST, strict=True))


def bounds(values: Array, planned: int, level: float) -> tuple[Array, Array]:
    """Lower and upper ends of the mean after each value: float64[n] each, in [0, 1].

    values: float64[n], in [0, 1]. An end never goes back: what is left out once stays out. Should nothing be
    left, one of the ends was wrong (nobody knows which), and both stay as they were before.
    level: error of either end.
    """
    low, high = np.zeros(len(values)), np.ones(len(values))
    start, stop, ends = 0, FIRST, (0.0, 1.0)
    while start < len(values):
        stop = min(stop, len(values))
        means = ends[0] + (ends[1] - ends[0]) * (np.arange(POINTS) + 0.5) / POINTS
        below, above = _left_out(values[:stop], means, planned, level)
        looks = np.arange(start, stop)
        count = np.searchsorted(below, looks, side="right")
        low[looks] = np.where(count > 0, means[count - 1], ends[0])
        count = np.searchsorted(above, looks, side="right")
        high[looks] = np.where(count > 0, means[POINTS - np.maximum(count, 1)], ends[1])
        crossed = np.flatnonzero(low[looks] >= high[looks])
        if len(crossed):
            last = start + int(crossed[0]) - 1
            low[last + 1 :], high[last + 1 :] = (low[last], high[last]) if last >= 0 else (0.0, 1.0)
            break
        ends = float(low[stop - 1]), float(high[stop - 1])
        start, stop = stop, 2 * stop
    return low, high


def _left_out(values: Array, means: Array, planned: int, level: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Index of the value at which each mean (from the lowest on, from the highest on) is left out; len(values): never.

    Capital falls as the supposed mean comes nearer (section 4.3), so means are left out from outside in; where
    rounding says otherwise the later one decides.
    """
    step = max(1, AT_ONCE // len(values))
    below: list[NDArray[np.intp]] = []
    above: list[NDArray[np.intp]] = []
    for i in range(0, len(means), step):
        for found, gained in zip((below, above), capital(values, means[i : i + step], planned, level), strict=True):
            reached = gained >= 1 / level
            found.append(np.where(reached.any(axis=1), reached.argmax(axis=1), len(values)))
    return np.maximum.accumulate(np.concatenate(below)), np.maximum.accumulate(np.concatenate(above)[::-1])


def _bets(values: Array, planned: int, level: float) -> Array:
    """Bets that would be best at the planned number if the deviation were as it has been until the value before."""
    count = np.arange(1, values.shape[-1] + 1)
    mean = (0.5 + values.cumsum(axis=-1)) / (count + 1)
    variance = (0.25 + ((values - mean) ** 2).cumsum(axis=-1)) / (count + 1)
    before = np.concatenate([np.full((*values.shape[:-1], 1), 0.25), variance[..., :-1]], axis=-1)
    return np.asarray(np.sqrt(2 * math.log(1 / level) / (planned * before)))


def _grown(bets: Array, excess: Array) -> Array:
    return np.asarray(np.cumprod(1 + bets * excess, axis=-1))
