"""Totals of an experiment as readers add them up: over shards, of merged rows and of those that wait."""

from __future__ import annotations

from typing import Any

from webapp.records.models import Summary, WaitingSummary
from webapp.records.waiting_summaries import unpacked

Key = tuple[str, int, int, int, int]
Sums = tuple[int, float, float, list[int] | None]


def kept(experiment_id: int) -> dict[Key, Sums]:
    """(metric, arm, place, seat, ply) -> number, sum, sum of squares, histogram."""
    fields = ("metric", "arm_index", "lineup_index", "seat", "ply", "n", "total", "total_squares", "histogram")
    rows: list[Any] = list(Summary.objects.filter(experiment=experiment_id).values_list(*fields))
    for packed in WaitingSummary.objects.filter(experiment=experiment_id).values_list("totals", flat=True):
        rows += unpacked(packed)
    found: dict[Key, Sums] = {}
    for *key, n, total, squares, histogram in rows:
        before_n, before, before_squares, counts = found.get(tuple(key), (0, 0.0, 0.0, None))
        if histogram is not None:
            counts = [a + int(b) for a, b in zip(counts or [0] * len(histogram), histogram, strict=True)]
        found[tuple(key)] = (before_n + n, before + total, before_squares + squares, counts)
    return found
