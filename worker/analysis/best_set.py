"""The arms that cannot be told from the best: a set that holds the truly best one with a stated confidence.

An arm is out where another is better beyond doubt. Whichever arm is truly best, it is put out only if one
of the k - 1 comparisons with the others errs on that side; each may do so with (1 - confidence) / (k - 1), so
that all together do with at most 1 - confidence (Gupta 1965, Technometrics 7; Hsu 1984, Annals of Statistics
12, with Bonferroni's bound in place of equal variances, since arms share their deals). Nothing is assumed of
how the outcome depends on the values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from worker.analysis.intervals import CONFIDENCE
from worker.analysis.methods import Method
from worker.analysis.moments import Moments
from worker.analysis.paired import PairedDifference

Array = NDArray[np.float64]
Compare = Callable[[int, int, float], PairedDifference]

RIVALS = 8
"""Arms that each one is compared with, those of the highest means; more would seldom put out another arm."""


def of_means(values: Array, method: Method, confidence: float = CONFIDENCE) -> tuple[int, ...]:
    """Arms whose mean may be the highest. values: float64[deals, arms]."""

    def compare(arm: int, other: int, each: float) -> PairedDifference:
        return method.paired(_sums(values, arm, other), 0, each)

    return _not_worse(values, compare, confidence)


def of_rates(values: Array, sizes: Sequence[float], method: Method, confidence: float = CONFIDENCE) -> tuple[int, ...]:
    """Arms whose rate may be the highest. values: float64[deals, arms], rates of a deal; sizes: matches of a deal."""

    def compare(arm: int, other: int, each: float) -> PairedDifference:
        return method.paired_rates(_sums(values, arm, other), (sizes[arm], sizes[other]), 0, each)

    return _not_worse(values, compare, confidence)


def _sums(values: Array, arm: int, other: int) -> tuple[Moments, Moments, Moments]:
    ours, theirs = values[:, arm], values[:, other]
    return Moments.of(ours - theirs), Moments.of(ours), Moments.of(theirs)


def _not_worse(values: Array, compare: Compare, confidence: float) -> tuple[int, ...]:
    """Arms that none of their rivals beats. Intervals have two sides, of which one is asked."""
    arms = values.shape[1]
    if not len(values) or arms < 2:
        return tuple(range(arms))
    means = values.mean(axis=0)
    rivals = np.argsort(-means, kind="stable")[:RIVALS]
    each = 1 - 2 * (1 - confidence) / (arms - 1)
    kept = []
    for arm in range(arms):
        better = [int(rival) for rival in rivals if means[rival] > means[arm]]
        found = (compare(arm, rival, each).interval for rival in better)
        if not any(interval is not None and interval.high < 0 for interval in found):
            kept.append(arm)
    return tuple(kept)


def span(kept: Sequence[int], values: Sequence[float]) -> tuple[float, float]:
    """Between which values of an axis the best one lies, of all there are, if the outcome has one peak over them.

    kept: which of the values may be the best of those tried. With a single peak the best of all lies between the
    neighbours of the best of those tried, so the span holds it whenever the set holds that.
    """
    ordered = sorted(values)
    at = sorted(ordered.index(values[arm]) for arm in kept)
    return ordered[max(at[0] - 1, 0)], ordered[min(at[-1] + 1, len(ordered) - 1)]
