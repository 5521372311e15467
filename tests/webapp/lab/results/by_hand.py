"""Intervals of rates from the single matches, deal by deal, written down once more to check those of the pages.

The error of a rate p of n matches in B deals, n_i in each and s_i of them successes, is that of a ratio of two
totals (Cochran 1977, section 6.3): B / (B - 1) * sum (s_i - n_i p)^2 / n^2, with a sum of 1 at least. The squared
error is so many times p (1 - p) / n, what independent matches have: the effect. A further success, whose deal went
like it once in 30 times, adds (m - 1) / 30 to the effect's numerator, for as many successes as there are (or
failures, where these are fewer), m being the matches of a deal. Of n / effect independent matches, fewer by (z / t)^2
since the error is estimated, the interval is Wilson's (1927). Where all matches ended alike a deal is worth one match.

Two rates are compared by the likeliest ones that differ by d (found by search), for every d.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, mean, variance

from scipy import optimize, stats

Z = NormalDist().inv_cdf(0.975)
Deals = Sequence[Sequence[bool]]
"""Successes: each match of each deal; empty ones do not count."""


def rate_bounds(deals: Deals) -> tuple[float, float]:
    """Both ends of the 95 % interval of a rate."""
    return _bounds(deals)


def place_bounds(deals: Sequence[Sequence[int]], last: int) -> tuple[float, float]:
    """Both ends of the 95 % interval of the mean of places from 1 to the last, of deals of the same size."""
    low, high = _bounds([[(place - 1) / (last - 1) for place in deal] for deal in deals], 1 / (last - 1))
    return 1 + (last - 1) * low, 1 + (last - 1) * high


def _bounds(deals: Sequence[Sequence[float]], step: float = 1.0) -> tuple[float, float]:
    rate, worth, freedom = worth_of(deals, step)
    return wilson(rate, worth if freedom is None else worth * (Z / float(stats.t.ppf(0.975, freedom))) ** 2)


def difference(ours: Deals, theirs: Deals, confidence: float = 0.95) -> tuple[float, float, float]:
    """Both ends of the interval of the first rate less the second on the same deals, and p."""
    (one, worth, freedom), (two, other, others) = worth_of(ours), worth_of(theirs)
    known = [value for value in (freedom, others) if value is not None]
    law = stats.t(min(known, default=min(worth, other) - 1))
    common = _correlation(list(map(mean, ours)), list(map(mean, theirs)), max(len(ours[0]), len(theirs[0])))

    def score(d: float) -> float:
        found = optimize.minimize_scalar(
            lambda q: -worth * _log_chance(one, q + d) - other * _log_chance(two, q),
            bounds=(max(0.0, -d), min(1.0, 1.0 - d)),
            method="bounded",
            options={"xatol": 1e-12},
        )
        a, b = (rate * (1 - rate) / n for rate, n in ((found.x + d, worth), (found.x, other)))
        error, off = math.sqrt(a + b - 2 * common * math.sqrt(a * b)), one - two - d
        return float(off / error) if error > 0 else math.copysign(1e9, off) if abs(off) > 1e-9 else 0.0

    bound = float(law.ppf((1 + confidence) / 2))

    def end(extreme: float) -> float:
        inside = extreme * (1 - 1e-9)
        if abs(one - two - extreme) < 1e-9 or abs(score(inside)) <= bound:
            return extreme
        return float(optimize.brentq(lambda d: abs(score(d)) - bound, one - two, inside, xtol=1e-9))

    return end(-1.0), end(1.0), float(2 * law.sf(abs(score(0))))


def worth_of(deals: Sequence[Sequence[float]], step: float = 1.0) -> tuple[float, float, float | None]:
    """A rate, how many independent matches it is worth, and degrees of freedom; None where nothing shows the error.

    Of values from 0 to 1 that differ by `step` at least.
    """
    counts = [(len(deal), sum(deal)) for deal in deals if deal]
    number, matches, won = len(counts), sum(n for n, _ in counts), sum(s for _, s in counts)
    rate, size = won / matches, sum(n * n for n, _ in counts) / matches
    if number == 1 or rate in (0, 1):
        return rate, matches / size, None
    spread = max(step**2, sum((s - n * rate) ** 2 for n, s in counts))
    effect = number / (number - 1) * spread / matches / (rate * (1 - rate))
    effect = min(max(effect, size), effect + step**2 * (size - 1) / 30 / min(won, matches - won))
    return rate, matches / effect, _freedom(rate, effect, matches, number, size)


def _freedom(rate: float, effect: float, matches: float, number: int, size: float) -> float:
    """One less than deals, or twice the inverse of the squared relative error that clusters of rare ends leave."""
    if not 1 < effect < size or rate == 0.5:
        return number - 1
    clusters = matches / effect * rate * (1 - rate) / (1 - 2 * rate) ** 2
    unlike = 1 - (effect - 1) / (size - 1)
    return min(number - 1, max(3, clusters / 4 / ((1 - 1 / effect) * unlike) ** 2))


def _correlation(ours: Sequence[float], theirs: Sequence[float], size: int) -> float:
    """That of the two rates in a deal; if they never differ they count as one match of one deal apart."""
    if len(ours) < 2 or not variance(ours) or not variance(theirs):
        return 0.0
    apart = max(variance([a - b for a, b in zip(ours, theirs, strict=True)]), 1 / size**2 / (len(ours) - 1))
    return (variance(ours) + variance(theirs) - apart) / 2 / math.sqrt(variance(ours) * variance(theirs))


def _log_chance(found: float, rate: float) -> float:
    """Logarithm of the chance of a rate that was found, in one match."""
    parts = ((found, rate), (1 - found, 1 - rate))
    return sum(part * math.log(max(chance, 1e-300)) for part, chance in parts if part)


def wilson(rate: float, matches: float) -> tuple[float, float]:
    """Both ends of Wilson's interval, as roots of (x - rate)^2 = z^2 x (1 - x) / matches."""
    a, b, c = 1 + Z * Z / matches, -(2 * rate + Z * Z / matches), rate * rate
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)
