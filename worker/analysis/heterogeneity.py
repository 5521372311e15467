"""Independent estimates of one number: whether they agree, how far they spread, and where the next would fall.

Each is a mean of deals that no other has, so it comes as the moments of these. Cochran's Q is judged by Welch's test,
since the errors are estimated, too; the spread between runs is that of Paule and Mandel, with the interval of
Viechtbauer's Q profile; the mean over a spread has the error of Hartung and Knapp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from worker.analysis import holm
from worker.analysis.independent import independent_difference
from worker.analysis.intervals import CONFIDENCE, Interval, student
from worker.analysis.lazy_scipy import optimize, special
from worker.analysis.moments import Moments
from worker.analysis.paired import PairedDifference

LEAST_RUNS = 3
"""Of fewer runs nobody can say where the next would fall."""
PRECISION = 1e-12
"""Part of the largest squared error to which a spread is known."""


class Estimate(NamedTuple):
    """A mean, the square of its standard error, and the number of deals behind it."""

    value: float
    variance: float
    deals: int


def estimates(runs: Sequence[Moments]) -> list[Estimate]:
    """Those of runs that vary: without an error of its own a mean can be weighed against no other."""
    found = [(run, run.mean, run.variance) for run in runs]
    return [Estimate(mean, variance / run.n, run.n) for run, mean, variance in found if mean is not None and variance]


@dataclass(frozen=True, slots=True)
class Heterogeneity:
    """How much estimates differ beyond the luck of their deals.

    q: Cochran's statistic, on `freedom` degrees; p: by Welch's test, for which it is compared with F on `below`.
    i_squared: part of the variation that is beyond luck, from 0 to 1. tau: standard deviation between runs, and its
    interval. runs: that could be weighed.
    """

    q: float
    freedom: int
    p: float
    below: float
    i_squared: float
    tau: float
    tau_interval: Interval
    runs: int


def heterogeneity(runs: Sequence[Moments], confidence: float = CONFIDENCE) -> Heterogeneity | None:
    """Of at least two runs that vary; None of fewer.

    Q is the sum of squared distances from the weighted mean, in standard errors (Cochran 1954, Biometrics 10). I² is
    the part of it beyond its degrees of freedom (Higgins and Thompson 2002, Statistics in Medicine 21, equation 10).
    """
    rows = estimates(runs)
    if len(rows) < 2:
        return None
    q, freedom = _q(rows, 0.0), len(rows) - 1
    p, below = _welch(rows, q)
    return Heterogeneity(
        q=q,
        freedom=freedom,
        p=p,
        below=below,
        i_squared=max(0.0, (q - freedom) / q) if q else 0.0,
        tau=math.sqrt(_tau_squared(rows)),
        tau_interval=_tau_interval(rows, confidence),
        runs=len(rows),
    )


def _q(rows: Sequence[Estimate], tau_squared: float) -> float:
    """Q where the runs themselves spread by so much: it falls as that grows."""
    weights = [1 / (row.variance + tau_squared) for row in rows]
    mean = sum(w * row.value for w, row in zip(weights, rows, strict=True)) / sum(weights)
    return sum(w * (row.value - mean) ** 2 for w, row in zip(weights, rows, strict=True))


def _welch(rows: Sequence[Estimate], q: float) -> tuple[float, float]:
    """p and the degrees of freedom below (Welch 1951, Biometrika 38): of two estimates it is Welch's t test."""
    k, weights = len(rows), [1 / row.variance for row in rows]
    whole = sum(weights)
    unsure = sum((1 - w / whole) ** 2 / (row.deals - 1) for w, row in zip(weights, rows, strict=True))
    f = q / (k - 1) / (1 + 2 * (k - 2) / (k * k - 1) * unsure)
    below = (k * k - 1) / (3 * unsure)
    return float(special.fdtrc(k - 1, below, f)), below


def _tau_squared(rows: Sequence[Estimate]) -> float:
    """The spread at which Q is what it is on average (Paule and Mandel 1982, J. Res. Nat. Bur. Stand. 87)."""
    return _solved(rows, len(rows) - 1)


def _tau_interval(rows: Sequence[Estimate], confidence: float) -> Interval:
    """The spreads at which Q is no rare one (Viechtbauer 2007, Statistics in Medicine 26, section 3.2)."""
    freedom, tail = len(rows) - 1, (1 - confidence) / 2
    low, high = (_solved(rows, float(special.chdtri(freedom, part))) for part in (tail, 1 - tail))
    return Interval(math.sqrt(low), math.sqrt(high))


def _solved(rows: Sequence[Estimate], wanted: float) -> float:
    """The spread, squared, that makes Q what is wanted; 0 where it is below that without any."""
    if _q(rows, 0.0) <= wanted:
        return 0.0

    def beyond(spread: float) -> float:
        return _q(rows, spread) - wanted

    high = least = max(row.variance for row in rows)
    while beyond(high) > 0:
        high *= 2
    return float(optimize.brentq(beyond, 0.0, high, xtol=PRECISION * least))


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean of runs that may each have a number of their own, and its interval."""

    mean: float
    interval: Interval | None
    tau: float
    error: float
    runs: int


def spread_mean(runs: Sequence[Moments], confidence: float = CONFIDENCE) -> Spread | None:
    """The mean over runs by random effects; None of fewer than two that vary.

    Weights are 1 / (v + tau²). The error is that of Hartung and Knapp (2001, Statistics in Medicine 20), with Student's
    distribution, never smaller than the weights themselves say (Röver, Knapp and Friede 2015, BMC Med. Res. Meth. 15).
    """
    rows = estimates(runs)
    if len(rows) < 2:
        return None
    tau_squared, freedom = _tau_squared(rows), len(rows) - 1
    weights = [1 / (row.variance + tau_squared) for row in rows]
    whole = sum(weights)
    mean = sum(w * row.value for w, row in zip(weights, rows, strict=True)) / whole
    error = math.sqrt(max(1.0, _q(rows, tau_squared) / freedom) / whole)
    return Spread(mean, student(mean, error, freedom, confidence), math.sqrt(tau_squared), error, len(rows))


def next_run(runs: Sequence[Moments], deals: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Where the estimate of one more run of so many deals falls; None of fewer than LEAST_RUNS that vary.

    The spread between runs, the error of their mean and the luck of its own deals add up (Higgins, Thompson and
    Spiegelhalter 2009, J. R. Statist. Soc. A 172, section 4.3, with the degrees of freedom of the error).
    """
    known = spread_mean(runs)
    if known is None or known.runs < LEAST_RUNS:
        return None
    inner = sum((run.n - 1) * run.variance for run in runs if run.variance)
    within = inner / sum(run.n - 1 for run in runs if run.variance)
    error = math.sqrt(known.tau**2 + known.error**2 + within / deals)
    return student(known.mean, error, known.runs - 1, confidence)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One run beside all others together. z: by how many standard errors it is apart; p: corrected for all runs (Holm).

    rest: moments of the others, which is what would be pooled without it.
    """

    difference: PairedDifference
    z: float | None
    p: float | None
    rest: Moments


def leave_one_out(runs: Sequence[Moments], confidence: float = CONFIDENCE) -> tuple[LeftOut, ...]:
    """Every run less the others together: the externally studentized residuals of a meta-analysis.

    (Viechtbauer and Cheung 2010, Research Synthesis Methods 1, section 2.2, with the degrees of freedom of Welch 1947.)
    """
    rests = [sum((run for j, run in enumerate(runs) if j != i), Moments()) for i in range(len(runs))]
    found = [independent_difference(run, rest, confidence) for run, rest in zip(runs, rests, strict=True)]
    adjusted = holm.adjust([row.p for row in found])
    return tuple(
        LeftOut(row, _z(row, run, rest), p, rest)
        for row, run, rest, p in zip(found, runs, rests, adjusted, strict=True)
    )


def odd_one_out(found: Sequence[LeftOut]) -> int | None:
    """Which run is apart from all others: the farthest, where chance makes any run look so in 5 of 100 cases at most.

    None too of two runs, of which neither is the odd one. Only the farthest: it pulls the others' rest towards itself,
    so that they may look apart because of it.
    """
    if len(found) < LEAST_RUNS:
        return None
    far = max(range(len(found)), key=lambda i: abs(found[i].z or 0.0))
    return far if holm.is_rejected(found[far].p) else None


def _z(found: PairedDifference, run: Moments, rest: Moments) -> float | None:
    """The difference in standard errors; None where it has none."""
    if found.mean is None or run.variance is None or rest.variance is None:
        return None
    error = math.sqrt(run.variance / run.n + rest.variance / rest.n)
    return found.mean / error if error else None
