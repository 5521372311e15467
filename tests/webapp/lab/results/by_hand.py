"""Intervals of rates from the single matches, deal by deal, written down once more to check those of the pages.

The error of a rate p of n matches in B deals, n_i in each and s_i of them successes, is that of a ratio of two
totals (Cochran 1977, section 6.3): B / (B - 1) * sum (s_i - n_i p)^2 / n^2, with a sum of 1 at least. It is worth
p (1 - p) / error independent matches, fewer by (z / t)^2 since the error is estimated; of so many the interval is
Wilson's (1927). Where all matches ended alike a deal is worth one match.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from scipy import stats

Z = NormalDist().inv_cdf(0.975)


def rate_bounds(deals: Sequence[Sequence[bool]]) -> tuple[float, float]:
    """Both ends of the 95 % interval of the rate of successes; deals: each match of each, empty ones do not count."""
    counts = [(len(deal), sum(deal)) for deal in deals if deal]
    number, matches = len(counts), sum(n for n, _ in counts)
    rate = sum(s for _, s in counts) / matches
    if number == 1 or rate in (0, 1):
        return wilson(rate, matches / (sum(n * n for n, _ in counts) / matches))
    spread = max(1.0, sum((s - n * rate) ** 2 for n, s in counts))
    error = number / (number - 1) * spread / matches**2
    student = float(stats.t.ppf(0.975, number - 1))
    return wilson(rate, rate * (1 - rate) / error * (Z / student) ** 2)


def wilson(rate: float, matches: float) -> tuple[float, float]:
    """Both ends of Wilson's interval, as roots of (x - rate)^2 = z^2 x (1 - x) / matches."""
    a, b, c = 1 + Z * Z / matches, -(2 * rate + Z * Z / matches), rate * rate
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)
