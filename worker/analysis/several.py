"""Several estimates at once: their mean, and whether they are all alike, where deals are shared.

Cells of a table and arms of a sweep meet the same deals, so their errors go together. What one deal
adds to each estimate is known; the sum of its squares and products over deals is their covariance
(ratio estimates over clusters, Cochran 1977, section 6.3; Rao and Scott 1981).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.analysis.intervals import CONFIDENCE, Interval, student
from worker.analysis.lazy_scipy import special

Array = NDArray[np.float64]
Deals = Mapping[int, tuple[float, float]]
"""Deal -> number of values of it, and their sum."""


@dataclass(frozen=True, eq=False)
class Estimates:
    """Means of k kinds of values over the same deals. values: float64[k]; covariance: float64[k, k].

    deals: independent units behind the covariance; None where it is known exactly. sizes: numbers of values.
    """

    values: Array
    covariance: Array
    deals: int | None
    sizes: Array

    @classmethod
    def of_deals(cls, kinds: Sequence[Deals]) -> Estimates | None:
        """Means over all values of each kind; None where one has none, or all together have fewer than two deals."""
        deals = sorted(set().union(*kinds))
        if len(deals) < 2 or not all(kinds):
            return None
        table = np.array([[kind.get(deal, (0.0, 0.0)) for kind in kinds] for deal in deals], dtype=np.float64)
        counts, totals = table[..., 0], table[..., 1]
        sizes = counts.sum(axis=0)
        values = totals.sum(axis=0) / sizes
        parts = (totals - values * counts) / sizes
        return cls(values, len(deals) / (len(deals) - 1) * parts.T @ parts, len(deals), sizes)

    @classmethod
    def independent(cls, values: Sequence[float], variances: Sequence[float]) -> Estimates:
        """Estimates whose errors have nothing to do with each other."""
        return cls(np.array(values), np.diag(variances), None, np.ones(len(values)))

    def __add__(self, other: Estimates) -> Estimates:
        """Estimates from the values of both, which met different deals."""
        assert self.deals is not None
        assert other.deals is not None
        sizes = self.sizes + other.sizes
        mine, theirs = self.sizes / sizes, other.sizes / sizes
        return Estimates(
            mine * self.values + theirs * other.values,
            self.covariance * np.outer(mine, mine) + other.covariance * np.outer(theirs, theirs),
            self.deals + other.deals,
            sizes,
        )

    def less(self, others: Estimates) -> Estimates:
        """Differences from estimates that are independent of these."""
        return Estimates(self.values - others.values, self.covariance + others.covariance, self.deals, self.sizes)

    def some(self, which: Sequence[int]) -> Estimates:
        """Some of the estimates, by their numbers."""
        at = np.array(which, dtype=np.intp)
        return Estimates(self.values[at], self.covariance[np.ix_(at, at)], self.deals, self.sizes[at])

    def mean(self) -> Mean:
        """The mean of all estimates, each counting alike."""
        k = len(self.values)
        return Mean(float(self.values.mean()), float(np.sqrt(max(0.0, self.covariance.sum()))) / k, self.freedom)

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the covariance."""
        return np.inf if self.deals is None else self.deals - 1


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of estimates and its standard error, with its degrees of freedom."""

    value: float
    error: float
    freedom: float

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Student's interval; None where the error is unknown."""
        return student(self.value, self.error, self.freedom, confidence) if self.error > 0 else None


@dataclass(frozen=True, slots=True)
class Homogeneity:
    """Test of whether several estimates are of one and the same number.

    q: statistic; freedom: of its distribution, chi-square; below: where the errors are estimated, degrees of freedom
    below, and q / freedom is compared with F.
    """

    q: float
    freedom: float
    p: float
    below: float | None = None


def homogeneity(estimates: Estimates) -> Homogeneity | None:
    """Test that all estimates are of one number; None for fewer than two, or where one has no error.

    Cochran's Q (1954, Biometrics 10): the sum of squared distances from the weighted mean, in standard
    errors. Where errors go together it is a mixture of chi-squares, whose first two moments give its
    scale and its degrees of freedom (Rao and Scott 1981, JASA 76, second-order correction; Satterthwaite
    1946). As the errors are estimated from few deals, it is compared with F (Rao and Thomas 1989, in
    Analysis of Complex Surveys, section 4.3). q is that which is compared with chi-square.
    """
    variances = estimates.covariance.diagonal()
    k = len(estimates.values)
    if k < 2 or not (variances > 0).all():
        return None
    weights = 1 / variances
    middle = (weights * estimates.values).sum() / weights.sum()
    found = float((weights * (estimates.values - middle) ** 2).sum())
    spread = (np.diag(weights) - np.outer(weights, weights) / weights.sum()) @ estimates.covariance
    first, second = float(np.trace(spread)), float((spread * spread.T).sum())
    if first <= 0:
        return None
    freedom = first**2 / second
    q = found * freedom / first
    if estimates.deals is None:
        return Homogeneity(q, freedom, float(special.chdtrc(freedom, q)))
    below = freedom * estimates.freedom
    return Homogeneity(q, freedom, float(special.fdtrc(freedom, below, q / freedom)), below)
