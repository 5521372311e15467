"""Means of two samples that met no deal in common: every match is a block of its own."""

from __future__ import annotations

import math
from typing import NamedTuple

from worker.analysis.moments import Moments


class Difference(NamedTuple):
    """A difference of means, its standard error, and the degrees of freedom of that."""

    mean: float
    error: float
    freedom: float


def welch(first: Moments, second: Moments) -> Difference | None:
    """First less second (Welch 1947): the squared error is v1 / n1 + v2 / n2.

    None where neither varies, or one has fewer than two values.
    """
    if first.mean is None or second.mean is None or first.variance is None or second.variance is None:
        return None
    ours, theirs = first.variance / first.n, second.variance / second.n
    if not ours + theirs:
        return None
    freedom = (ours + theirs) ** 2 / (ours**2 / (first.n - 1) + theirs**2 / (second.n - 1))
    return Difference(first.mean - second.mean, math.sqrt(ours + theirs), freedom)
