"""Differences of two arms that met no deal in common: every match is a block of its own."""

from __future__ import annotations

import math

from worker.analysis.intervals import CONFIDENCE, student, student_p
from worker.analysis.moments import Moments
from worker.analysis.paired import PairedDifference


def independent_difference(first: Moments, second: Moments, confidence: float = CONFIDENCE) -> PairedDifference:
    """First arm minus second, from the values of all their matches (Welch 1947).

    The squared error is v1 / n1 + v2 / n2, with Welch's degrees of freedom. In what comes out,
    blocks counts the matches of both, nothing is left out, and there is no variance ratio; where
    neither arm varies, or one has fewer than two matches, there is no interval and no p.
    """
    if first.mean is None or second.mean is None:
        return PairedDifference(first.n + second.n, None, None, None, None, 0)
    mean = first.mean - second.mean
    interval = p = None
    if first.variance is not None and second.variance is not None:
        ours, theirs = first.variance / first.n, second.variance / second.n
        if error := math.sqrt(ours + theirs):
            freedom = (ours + theirs) ** 2 / (ours**2 / (first.n - 1) + theirs**2 / (second.n - 1))
            interval = student(mean, error, freedom, confidence)
            p = student_p(mean, error, freedom)
    return PairedDifference(first.n + second.n, mean, interval, p, None, 0)
