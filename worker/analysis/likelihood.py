"""Likelihood ratios of two means where nothing is assumed of a distribution but its mean.

The generalised test of Van den Bergh (*Comments on normalized Elo*; *The generalized maximum
likelihood ratio for the expectation value of a distribution*), which fishtest and fastchess use:
of all distributions on the observed outcomes that have the mean of a hypothesis, the one that makes
the observations likeliest stands for it. (In statistics: empirical likelihood, Owen 1988, Biometrika
75.) Outcomes that were not observed but are possible count with `UNSEEN` each, as in fishtest, so
that a hypothesis beyond all observations has a likelihood, too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

UNSEEN = 1e-3
"""Count of an outcome that is possible but was not observed (fishtest, `LLRcalc.regularize`)."""
STEPS = 100
"""Bound on steps towards a root; halving alone needs about 60."""
ROUNDS = 10
"""Rounds of the fixed point for mean over deviation; fishtest has as many."""
CLOSE = 1e-13
"""Step towards a root, relative to its first bracket, that is not worth taking."""


def mean_ratio(outcomes: Array, counts: Array, h0: float, h1: float) -> Array:
    """Log-likelihood ratio of the mean h1 against the mean h0.

    outcomes: float64[..., K]; counts: float64[..., K], of which one below both means is above 0, and one above them.
    Returns float64[...].
    """
    return _against(outcomes - h1, counts) - _against(outcomes - h0, counts)


def normalised_ratio(outcomes: Array, counts: Array, h0: float, h1: float) -> Array:
    """Log-likelihood ratio of mean / deviation = h1 against h0 (Van den Bergh, *Normalized Elo*, section 4.1).

    Arguments as `mean_ratio` has them; outcomes are those of which equal sides have 0 on average. Where the fixed
    point fails, which it may for few or for equal outcomes, it is the ratio of normal distributions (section 4.2).
    """
    outcomes, counts = np.broadcast_arrays(outcomes, counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = _normalised(outcomes, counts, h1) - _normalised(outcomes, counts, h0)
    if np.isfinite(ratio).all():
        return ratio
    total = counts.sum(axis=-1)
    mean = (counts * outcomes).sum(axis=-1) / total
    size = mean / np.sqrt((counts * (outcomes - mean[..., None]) ** 2).sum(axis=-1) / total)
    normal = total / 2 * (np.log1p((size - h0) ** 2) - np.log1p((size - h1) ** 2))
    return np.where(np.isfinite(ratio), ratio, normal)


def _against(excess: Array, counts: Array) -> Array:
    """Log-likelihood of the likeliest distribution whose `excess` is 0 on average, less that of the observed one.

    It gives an outcome p / (1 + x * excess), p being its observed share (Van den Bergh, proposition 1.1).
    """
    excess = np.where(counts > 0, excess, 0.0)
    factor = 1 + _multiplier(excess, counts)[..., None] * excess
    return np.asarray(-(counts * np.log(factor)).sum(axis=-1), dtype=np.float64)


def _multiplier(excess: Array, counts: Array) -> Array:
    """Root x of sum counts * excess / (1 + x * excess), by Newton's steps inside of a shrinking bracket."""
    excess, counts = np.broadcast_arrays(excess, counts)
    shape = excess.shape[:-1]
    rows, weights = excess.reshape(-1, excess.shape[-1]), counts.reshape(-1, excess.shape[-1])
    low, high = -1 / rows.max(axis=1), -1 / rows.min(axis=1)
    x, left, close = np.zeros(len(rows)), np.arange(len(rows)), CLOSE * (high - low)
    for _ in range(STEPS):
        e, w, at = rows[left], weights[left], x[left]
        part = e / (1 + at[:, None] * e)
        value = (w * part).sum(axis=1)
        step = value / (w * part * part).sum(axis=1)
        low[left], high[left] = np.where(value > 0, at, low[left]), np.where(value > 0, high[left], at)
        inside = (low[left] < at + step) & (at + step < high[left])
        far = np.abs(step) > close[left]
        x[left] = np.where(far, np.where(inside, at + step, (low[left] + high[left]) / 2), at)
        left = left[far]
        if not len(left):
            break
    return x.reshape(shape)


def _normalised(outcomes: Array, counts: Array, ratio: float) -> Array:
    """Log-likelihood of the likeliest distribution with this mean / deviation, less that of the observed one."""
    total = counts.sum(axis=-1, keepdims=True)
    shares = (counts > 0) / (counts > 0).sum(axis=-1, keepdims=True)
    excess = outcomes
    for _ in range(ROUNDS):
        mean = (shares * outcomes).sum(axis=-1, keepdims=True)
        deviation = np.sqrt((shares * (outcomes - mean) ** 2).sum(axis=-1, keepdims=True))
        excess = outcomes - ratio * deviation * (1 + ((outcomes - mean) / deviation) ** 2) / 2
        excess = np.where(counts > 0, excess, 0.0)
        new = counts / total / (1 + _multiplier(excess, counts)[..., None] * excess)
        moved, shares = np.abs(new - shares).max(initial=0.0), new
        if moved < 1e-9:
            break
    return _against(excess, counts)
