"""Numbers by ply, and of whole matches, read from the summaries that recording keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webapp.lab.results.cache import per_version
from webapp.records.metrics import WHOLE_MATCH, bins
from webapp.records.models import Experiment
from worker.analysis.moments import Moments


@dataclass(frozen=True)
class Sum:
    """What many values of one metric add up to; counts: int64[bins], where it has bins."""

    moments: Moments
    counts: NDArray[np.int64] | None


@per_version
def by_ply(experiment: Experiment, metric: str, arm: int, places: tuple[int, ...] = ()) -> dict[int, Sum]:
    """Ply (from 0) -> sum over the matches of an arm; places: of these alone."""
    rows = experiment.summaries.filter(metric=metric, arm_index=arm, ply__gte=0)
    if places:
        rows = rows.filter(lineup_index__in=places)
    found: dict[int, Sum] = {}
    listed = rows.order_by("ply").values_list("ply", "n", "total", "total_squares", "histogram")
    for ply, n, total, squares, histogram in listed:
        found[ply] = _added(found.get(ply), n, total, squares, histogram)
    return found


@per_version
def of_matches(experiment: Experiment, metric: str, arm: int) -> Sum:
    """Sum over all sides of an arm, seats and matches."""
    rows = experiment.summaries.filter(metric=metric, arm_index=arm, ply=WHOLE_MATCH)
    total = Sum(Moments(), None)
    for values in rows.values_list("n", "total", "total_squares", "histogram"):
        total = _added(total, *values)
    return total


@per_version
def known_metrics(experiment: Experiment, arm: int, metrics: tuple[str, ...]) -> frozenset[str]:
    """Those of some metrics of whole matches that finished matches of an arm have a number of."""
    rows = experiment.summaries.filter(metric__in=metrics, arm_index=arm, ply=WHOLE_MATCH, n__gt=0)
    return frozenset(rows.values_list("metric", flat=True))


def _added(so_far: Sum | None, n: int, total: float, squares: float, histogram: Sequence[int] | None) -> Sum:
    moments = Moments(n, total, squares)
    counts = None if histogram is None else np.asarray(histogram, dtype=np.int64)
    if so_far is None:
        return Sum(moments, counts)
    merged = counts if so_far.counts is None else so_far.counts + counts if counts is not None else so_far.counts
    return Sum(so_far.moments + moments, merged)


def quantile(metric: str, ply: int, found: Sum, share: float) -> float | None:
    """A quantile from the histogram; None without values or bins."""
    shape = bins(metric, ply)
    return None if shape is None or found.counts is None else shape.quantile(found.counts, share)
