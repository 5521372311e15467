"""Paired differences: two arms that met the same deals, compared deal by deal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from worker.analysis.intervals import CONFIDENCE, Interval, student_p
from worker.analysis.moments import ROUNDING, Moments


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """First arm minus second, over deals that both have whole.

    interval: of numbers, None under two blocks, and where the difference is the same in every block:
    that tells nothing about its error; rates always have one (`worker.analysis.rate_differences`).
    p: two-sided, of the paired test that there is no difference; None where there is no interval.
    variance_ratio: variance of the paired difference over that of independent samples
    (below 1: sharing the deals pays); None where neither arm varies or under two blocks.
    left_out: deals that one arm lacks.
    """

    blocks: int
    mean: float | None
    interval: Interval | None
    p: float | None
    variance_ratio: float | None
    left_out: int


class PairedMoments(NamedTuple):
    """Sums over the block means of the deals that two arms share; difference: first minus second, deal by deal."""

    difference: Moments
    first: Moments
    second: Moments
    left_out: int


def paired_moments(first: Mapping[int, Moments], second: Mapping[int, Moments]) -> PairedMoments:
    """Pair two arms. first, second: deal -> moments of the values of its matches, of whole deals alone."""
    deals = sorted(first.keys() & second.keys())
    ours = [first[deal].total / first[deal].n for deal in deals]
    theirs = [second[deal].total / second[deal].n for deal in deals]
    difference = Moments.of([a - b for a, b in zip(ours, theirs, strict=True)])
    left_out = len(first.keys() | second.keys()) - len(deals)
    return PairedMoments(difference, Moments.of(ours), Moments.of(theirs), left_out)


def weighted_moments(
    weights: Sequence[float], own: Sequence[Moments], differences: Mapping[tuple[int, int], Moments]
) -> Moments:
    """Moments of the weighted sum of several values that are known in every block, from sums over pairs alone.

    own: of each value; differences: of value i less value j, for i < j, over the same blocks. With W the sum of the
    weights w, (sum w x)^2 = W sum w x^2 - sum over i < j of w_i w_j (x_i - x_j)^2 (Lagrange's identity for variances:
    Steele 2004, The Cauchy-Schwarz Master Class, chapter 3).
    """
    whole = math.fsum(weights)
    total = math.fsum(w * values.total for w, values in zip(weights, own, strict=True))
    parts = [whole * w * values.total_squares for w, values in zip(weights, own, strict=True)]
    parts += [-weights[i] * weights[j] * values.total_squares for (i, j), values in differences.items()]
    squares = math.fsum(parts)
    is_rounding = abs(squares) <= ROUNDING * math.fsum(map(abs, parts))
    return Moments(own[0].n, total, 0.0 if is_rounding else squares)


def paired_difference(
    first: Mapping[int, Moments], second: Mapping[int, Moments], confidence: float = CONFIDENCE
) -> PairedDifference:
    """Compare two arms by the block means of the deals they share.

    first, second: deal -> moments of the values of its matches, of whole deals alone.
    """
    return paired_from_sums(*paired_moments(first, second), confidence)


def paired_from_sums(
    difference: Moments, first: Moments, second: Moments, left_out: int, confidence: float = CONFIDENCE
) -> PairedDifference:
    """Compare two arms from sums over the block means of the deals they share.

    difference: of first minus second, deal by deal; left_out: as `PairedDifference` has it.
    """
    return PairedDifference(
        blocks=difference.n,
        mean=difference.mean,
        interval=difference.interval(confidence) if difference.variance else None,
        p=_p(difference),
        variance_ratio=variance_ratio(difference, first, second),
        left_out=left_out,
    )


def variance_ratio(difference: Moments, first: Moments, second: Moments) -> float | None:
    """Variance of a paired difference over that of independent samples; None where it cannot be told."""
    paired, ours, theirs = difference.variance, first.variance, second.variance
    if paired is None or ours is None or theirs is None or ours + theirs == 0:
        return None
    return paired / (ours + theirs)


def _p(difference: Moments) -> float | None:
    if difference.mean is None or not difference.deviation:
        return None
    return student_p(difference.mean, difference.deviation / math.sqrt(difference.n), difference.n - 1)
