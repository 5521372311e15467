"""How an outcome depends on what a sweep varies: trends, the best values, the curve. For pages and files alike."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.analysis import best_set, holm, one_peak, trend
from worker.analysis.intervals import CONFIDENCE
from worker.analysis.methods import Method
from worker.analysis.paired import PairedDifference
from worker.spec.model import Axis, combinations

Array = NDArray[np.float64]

LEAST_DEALS = 2


@dataclass(frozen=True)
class AxisTrend:
    """Mean slope along an axis, averaged over the values of the others.

    axis: its number; scale: of `trend.scale_of`; slope: change of the outcome by a step of 1, or by a doubling on
    the logarithmic scale; confidence: of its interval, chosen so that those of all axes hold together (Bonferroni);
    p: corrected for the number of axes (Holm), None where intervals hold at every look; is_constant: whether the slope
    is the same on every deal, which shows nothing of its error.
    """

    axis: int
    scale: str
    slope: PairedDifference
    confidence: float
    is_constant: bool
    p: float | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the interval leaves out 0."""
        interval = self.slope.interval
        return interval is not None and not interval.low <= 0 <= interval.high


@dataclass(frozen=True)
class Response:
    """Outcomes of the arms of a sweep over the deals that all of them have whole.

    best: the arm with the highest mean; kept: arms that cannot be told from the truly best one, which is among them
    in 95 of 100 experiments. Of a sweep of one numeric axis alone: curve, heights of the nearest curve with one peak by
    arm; span: values between which the best of all values lies if the true curve has one peak, too.
    """

    deals: int
    means: tuple[float, ...]
    best: int
    kept: tuple[int, ...]
    trends: tuple[AxisTrend, ...]
    curve: tuple[float, ...] | None
    span: tuple[float, float] | None

    def to_json(self) -> dict[str, Any]:
        """As reports have it."""
        return dataclasses.asdict(self)


def response(
    axes: Sequence[Axis], values: Array, method: Method, sizes: Sequence[float] | None = None
) -> Response | None:
    """The response of an outcome; None while fewer than two deals are whole.

    values: float64[deals, arms], means over the matches of a deal; sizes: matches of a deal in each arm where the
    outcome is a rate, None where it is a number.
    """
    if len(values) < LEAST_DEALS:
        return None
    means = values.mean(axis=0)
    if sizes is None:
        kept = best_set.of_means(values, method)
    else:
        kept = best_set.of_rates(values, sizes, method)
    is_curve = len(axes) == 1 and axes[0].is_numeric
    order = np.argsort(np.array(axes[0].values, dtype=np.float64)) if is_curve else np.arange(len(means))
    curve = np.empty(len(means))
    curve[order] = one_peak.fit(means[order])
    return Response(
        deals=len(values),
        means=tuple(map(float, means)),
        best=int(means.argmax()),
        kept=kept,
        trends=_trends(axes, values, method),
        curve=tuple(map(float, curve)) if is_curve else None,
        span=best_set.span(kept, [float(value) for value in axes[0].values]) if is_curve else None,
    )


def _trends(axes: Sequence[Axis], values: Array, method: Method) -> tuple[AxisTrend, ...]:
    """A trend for each numeric axis, corrected for their number."""
    numeric = [index for index, axis in enumerate(axes) if axis.is_numeric]
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(numeric))
    found = []
    for index in numeric:
        of_values = [float(value) for value in axes[index].values]
        scale = trend.scale_of(of_values)
        at = trend.places(of_values, scale)[[indices[index] for indices in combinations(axes)]]
        slopes = trend.slopes_of(values, at)
        found.append(AxisTrend(index, scale, trend.trend(slopes, method, confidence), confidence, not slopes.variance))
    corrected = holm.adjust([row.slope.p for row in found])
    return tuple(replace(row, p=p) for row, p in zip(found, corrected, strict=True))


def skipped(response: Response, values: Sequence[float]) -> list[float]:
    """Values between some that may be the best which are worse all the same: more than one peak shows in them."""
    at = [values[arm] for arm in response.kept]
    low, high = (min(at), max(at)) if at else (math.inf, -math.inf)
    return sorted(value for arm, value in enumerate(values) if low < value < high and arm not in response.kept)
