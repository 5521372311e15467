"""Differences of two sides: deal by deal where both met the same deals, else as independent samples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from worker.analysis.independent import welch
from worker.analysis.intervals import CONFIDENCE, Interval, student_p
from worker.analysis.methods import FIXED, Method
from worker.analysis.moments import Moments


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """First arm minus second, over deals that both have whole.

    interval: None under two blocks, and where the difference is the same in every block: that
    tells nothing about its error. p: two-sided, of the test that there is no difference, for one
    look at a planned number of deals; None where there is no interval.
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


def paired_difference(
    first: Mapping[int, Moments], second: Mapping[int, Moments], confidence: float = CONFIDENCE
) -> PairedDifference:
    """Compare two arms by the block means of the deals they share.

    first, second: deal -> moments of the values of its matches, of whole deals alone.
    """
    deals = sorted(first.keys() & second.keys())
    ours = [first[deal].total / first[deal].n for deal in deals]
    theirs = [second[deal].total / second[deal].n for deal in deals]
    difference = Moments.of([a - b for a, b in zip(ours, theirs, strict=True)])
    left_out = len(first.keys() | second.keys()) - len(deals)
    return paired_from_sums(difference, Moments.of(ours), Moments.of(theirs), left_out, confidence)


def paired_from_sums(
    difference: Moments,
    first: Moments,
    second: Moments,
    left_out: int,
    confidence: float = CONFIDENCE,
    method: Method = FIXED,
) -> PairedDifference:
    """Compare two arms from sums over the block means of the deals they share.

    difference: of first minus second, deal by deal; left_out: as `PairedDifference` has it.
    """
    return PairedDifference(
        blocks=difference.n,
        mean=difference.mean,
        interval=method.difference(difference, confidence) if difference.variance else None,
        p=_p(difference),
        variance_ratio=_ratio(difference.variance, first.variance, second.variance),
        left_out=left_out,
    )


def independent_difference(
    first: Moments, second: Moments, confidence: float = CONFIDENCE, method: Method = FIXED
) -> PairedDifference:
    """Compare two arms that met no deal in common, from the values of all their matches.

    blocks counts the matches of both, nothing is left out, and there is no variance ratio; where
    neither arm varies, or one has fewer than two matches, there is no interval and no p.
    """
    blocks = first.n + second.n
    if first.mean is None or second.mean is None:
        return PairedDifference(blocks, None, None, None, None, 0)
    found = welch(first, second)
    interval = None if found is None else method.independent(first, second, confidence)
    p = None if found is None else student_p(*found)
    return PairedDifference(blocks, first.mean - second.mean, interval, p, None, 0)


def _p(difference: Moments) -> float | None:
    if difference.mean is None or not difference.deviation:
        return None
    return student_p(difference.mean, difference.deviation / math.sqrt(difference.n), difference.n - 1)


def _ratio(paired: float | None, first: float | None, second: float | None) -> float | None:
    if paired is None or first is None or second is None or first + second == 0:
        return None
    return paired / (first + second)
