"""The curve with one peak that is nearest to the outcomes of a sweep.

Least squares among all curves that do not fall up to some value and do not rise after it (Frisen 1986, *The
Statistician* 35; Stout 2008, Computational Statistics and Data Analysis 53): isotonic regression on both
sides of each possible peak, of which the best is kept. Rising, falling, level and saturating curves are
among them. A parabola is not used: of curves that level off it puts the top in the wrong place, the surer
the more deals there are (`docs/findings/sweeps.md`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def fit(means: Array) -> Array:
    """Heights of the curve. means: float64[values], in the order of the axis, each of as many deals."""
    peaks = range(len(means))
    curves = (np.concatenate([_rising(means[:peak]), _rising(means[peak:][::-1])[::-1]]) for peak in peaks)
    return min(curves, key=lambda curve: float(((curve - means) ** 2).sum()))


def _rising(means: Array) -> Array:
    """The nearest curve that never falls (pool adjacent violators)."""
    pools: list[tuple[float, int]] = []
    for mean in means:
        total, size = float(mean), 1
        while pools and pools[-1][0] / pools[-1][1] >= total / size:
            before, number = pools.pop()
            total, size = total + before, size + number
        pools.append((total, size))
    return np.repeat([total / size for total, size in pools], [size for _, size in pools])
