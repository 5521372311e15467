"""How clearly values lie beyond a claim on their mean: e-values, which may be looked at after every deal.

An e-value is the capital of somebody who began with 1 and bets against the claim. If the claim is true, the capital
ever reaches 1 / level with a probability of at most `level` (Ville 1939), so a large one refutes it. Whatever lies
on the claim's own side of it is refuted along with it: "at most 0" by more than 0, "at least 5" by less than 5.

A likelihood ratio of two claims says which of them is nearer; where the truth is far from both it grows slowly
(`likelihood`). An e-value grows the faster the farther the truth is from the one claim that it is about.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from worker.analysis import betting, sequences
from worker.analysis.running import Running, running

Array = NDArray[np.float64]

PLANNED = 200
"""Deals for which e-values of means are made: they tell most after a quarter of these (`sequences.TUNED`)."""
PLANNED_BETS = 400
"""Deals for which bets on rates are made: for these, a quarter and a sixteenth of them."""


MOST, STEPS = 1e7, 400
"""Deals that are looked for at most, and numbers of deals that are tried."""


def of_rates(values: Array, claim: float, level: float) -> tuple[Array, Array]:
    """Logarithm of the evidence that the mean is above `claim`, and that it is below, after each value.

    values: float64[..., n], in [0, 1]; claim: in (0, 1); level: for which it is made, though it holds for
    all. Nothing is assumed of the values (`betting`). Two float64[..., n].
    """
    with np.errstate(over="ignore"):
        above, below = betting.capital(values, claim, PLANNED_BETS, level)
    with np.errstate(divide="ignore"):
        return np.log(above), np.log(below)


def of_means(values: Array, claim: float, level: float) -> tuple[Array, Array]:
    """The same for values without bounds; exact for normal ones.

    It is -inf where they are equal so far: nothing is known of a deviation of 0.
    """
    moments = running(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(moments.spread > 0, (moments.mean - claim) / moments.error, np.nan)
    return _of_t(t, moments, 1, level), _of_t(-t, moments, -1, level)


def of_sizes(values: Array, claim: float, level: float) -> tuple[Array, Array]:
    """The same for mean / deviation of the values.

    Its error, where the claim is true, is that of the mean of 1 + (x - m) / s - claim / 2 ((x - m)^2 / s^2 - 1), which
    is how mean / deviation changes with one value (for normal values s = 1 that is 1 + claim^2 / 2 of the variance).
    """
    moments = running(values)
    deviation = moments.deviation
    with np.errstate(divide="ignore", invalid="ignore"):
        size = moments.mean / deviation
        fourth = _fourth(values, moments) / deviation**4
        variance = 1 - claim * moments.skewness + claim**2 / 4 * (fourth - 1)
        t = (size - claim) * np.sqrt((moments.count - 1) / variance)
    t = np.where((moments.spread > 0) & (variance > 0), t, np.nan)
    return _of_t(t, moments, 1, level), _of_t(-t, moments, -1, level)


def deals(size: float, level: float) -> float:
    """How many deals it takes until 1 / level, about, where the mean lies `size` deviations beyond the claim."""
    if size <= 0:
        return math.inf
    count = np.unique(np.geomspace(2, MOST, STEPS).round())
    found = _of_t(size * np.sqrt(count), Running(count, *np.zeros((3, len(count)))), 1, level)
    reached = count[found >= -math.log(level)]
    return float(reached[0]) if len(reached) else math.inf


def _of_t(t: Array, moments: Running, sign: int, level: float) -> Array:
    """Logarithm of the e-value of Student's t for a mean above the claim (sign 1) or below it (-1).

    The mixture over a normal prior of mean / deviation (Lai 1976; Wang and Ramdas 2023, theorem 4.9). It reaches
    1 / level where t reaches `sequences.limits`, whose correction for skewness is taken off t here.
    """
    count = moments.count
    wide = np.maximum(np.sqrt(6 / count) - sign * moments.skewness, 0) / (6 * np.sqrt(count))
    with np.errstate(divide="ignore", invalid="ignore"):
        left = (np.sqrt(1 + 8 * wide * np.maximum(t - wide, 0)) - 1) / (4 * wide)
        left = np.where(wide > 0, left, t)
        spread = 1 + count * sequences.prior(PLANNED, level)
        growth = (left**2 + count - 1) / (left**2 / spread + count - 1)
        found = (count * np.log(growth) - np.log(spread)) / 2
    return np.where((t > 0) & (count > 1), found, -np.inf)


def _fourth(values: Array, moments: Running) -> Array:
    """Mean fourth power of what values are above the mean so far, after each value."""
    shifted = values - values[..., :1]
    mean = moments.mean - values[..., :1]
    first, second, third, fourth = ((shifted**power).cumsum(axis=-1) / moments.count for power in (1, 2, 3, 4))
    return np.asarray(fourth - 4 * mean * third + 6 * mean**2 * second - 4 * mean**3 * first + mean**4)
