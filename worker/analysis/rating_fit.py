"""Results of pairs beside what ratings expect of them: a test whether ratings say it all, and circles by name.

One number an engine cannot say that A beats B, B beats C and C beats A. What a pair won more often than its ratings
expect is a residual; the test adds up their squares, each over its variance, as Pearson's does. How large that sum is
by chance is taken from the same deals drawn again, less what they really show (Efron and Tibshirani 1993, *An
Introduction to the Bootstrap*, section 16.2), so that it holds where matches of a deal go alike.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.analysis import plackett_luce
from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments
from worker.analysis.plackett_luce import Counts
from worker.analysis.rates import rate_interval
from worker.analysis.ratings import ELO, LEAST_DEALS, Ratings, drawn_again

Array = NDArray[np.float64]

ROUNDING = 1e-9
"""Variance of a residual below which ratings follow it exactly: such a pair tests nothing."""
SURE = 0.95
"""Probability from which a circle is named."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """How often the first of two came in ahead of the second, half for ties, and how often ratings expect it.

    interval: of the share, with deals as units.
    """

    first: int
    second: int
    matches: float
    deals: int
    share: float
    expected: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Circle:
    """Three players of whom each beats the next, and the probability that all three really do."""

    players: tuple[int, int, int]
    probability: float


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether ratings explain the results of pairs.

    p: probability of residuals as large by chance, None where nothing can be tested; freedom: pairs beyond those that
    ratings follow; circles: those that are sure, the surest first.
    """

    p: float | None
    freedom: int
    circles: tuple[Circle, ...]


def pair_results(counted: Counts, ratings: Ratings) -> list[PairResult]:
    """All pairs that met."""
    expected = plackett_luce.expected_share(ratings.elo / ELO, counted.pairs)
    found = []
    for i, (first, second) in enumerate(counted.pairs):
        ahead, met = counted.ahead[:, i], counted.met[:, i]
        blocks = _blocks(ahead, met)
        found.append(
            PairResult(
                first,
                second,
                float(met.sum()),
                int((met > 0).sum()),
                float(ahead.sum() / met.sum()),
                float(expected[i]),
                rate_interval(blocks),
            )
        )
    return found


def _blocks(ahead: Array, met: Array) -> BlockMoments:
    """Deals on which a pair met, as blocks."""
    has, size = met > 0, met.sum()
    assert size
    return BlockMoments(
        blocks=int(has.sum()),
        n=int(size),
        total=float(ahead.sum()),
        total_squares=float((ahead * ahead).sum()),
        cross=float((ahead * met).sum()),
        n_squares=int((met * met).sum()),
    )


def check(counted: Counts, ratings: Ratings, seed: int = 0) -> Fit:
    """Test ratings that were made of the same counts with the same seed."""
    weights, ahead, behind = drawn_again(counted, seed, len(ratings.samples))
    return Fit(_p(counted, ratings, weights, ahead, behind), _freedom(counted), _circles(counted, weights))


def _freedom(counted: Counts) -> int:
    return len(counted.pairs) - (counted.players - len(counted.groups()))


def _p(counted: Counts, ratings: Ratings, weights: Array, ahead: Array, behind: Array) -> float | None:
    deals = len(counted.deals)
    if _freedom(counted) < 1 or int(counted.deals_of_each.min()) < LEAST_DEALS:
        return None
    scale = deals / weights.sum(axis=1, keepdims=True)
    half = counted.extra / 2
    ours = counted.ahead.sum(axis=0) + half
    ours = ours - (counted.met.sum(axis=0) + 2 * half) * plackett_luce.expected_share(ratings.elo / ELO, counted.pairs)
    again = weights @ counted.ahead + ahead
    expected = plackett_luce.expected_share(ratings.samples / ELO, counted.pairs)
    again = scale * (again - (weights @ counted.met + ahead + behind) * expected)
    variance = again.var(axis=0)
    tests = variance > ROUNDING * counted.met.sum(axis=0)
    statistic = float((ours[tests] ** 2 / variance[tests]).sum()) * (deals - 1) / (deals + 1)
    by_chance = ((again - again.mean(axis=0))[:, tests] ** 2 / variance[tests]).sum(axis=1)
    return (float((by_chance >= statistic).sum()) + 0.5) / (len(by_chance) + 1)


def _circles(counted: Counts, weights: Array) -> tuple[Circle, ...]:
    place = {pair: i for i, pair in enumerate(counted.pairs)}
    enough = (counted.met > 0).sum(axis=0) >= LEAST_DEALS
    share = counted.ahead.sum(axis=0) / counted.met.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        again = (weights @ counted.ahead) / (weights @ counted.met)
    found = []
    for a, b, c in itertools.combinations(range(counted.players), 3):
        if not all(pair in place and enough[place[pair]] for pair in ((a, b), (b, c), (a, c))):
            continue
        ab, bc, ac = place[a, b], place[b, c], place[a, c]
        sign = 1 if share[ab] > 0.5 else -1
        won = [sign * (values[..., ab] - 0.5) > 0 for values in (share, again)]
        won = [
            w & (sign * (v[..., bc] - 0.5) > 0) & (sign * (v[..., ac] - 0.5) < 0)
            for w, v in zip(won, (share, again), strict=True)
        ]
        if won[0]:
            probability = float(won[1].mean())
            found.append(Circle((a, b, c) if sign == 1 else (a, c, b), probability))
    sure = sorted((circle for circle in found if circle.probability >= SURE), key=lambda circle: -circle.probability)
    return tuple(sure)
