"""Numbers by ply, and of whole matches, read from the summaries that recording keeps.

These are of all finished matches. What does not count (`counted`) is read match by match and
taken away again: it is little, but for experiments of before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from psycopg import sql

from webapp.lab.results import counted, queries
from webapp.lab.results.cache import per_version
from webapp.records import waiting_summaries
from webapp.records.archive import table
from webapp.records.archive.table import Wanted
from webapp.records.metrics import WHOLE_MATCH, bins
from webapp.records.models import Experiment
from webapp.records.summaries import Total
from worker.analysis.moments import Moments


@dataclass(frozen=True)
class Sum:
    """What many values of one metric add up to; counts: int64[bins], where it has bins."""

    moments: Moments
    counts: NDArray[np.int64] | None


VALUES = {
    "score": ("p.scores[s.seat + 1]", ""),
    "legal_actions": ("p.legal_count", "AND p.seat = s.seat"),
}
"""Metric by ply -> its value as SQL, and of which plies a seat has one."""
UNCOUNTED = """
SELECT p.ply, {value} AS value, count(*)
FROM {seat} s JOIN {ply} p ON p.match_id = s.match_id {own}
WHERE s.match_id = ANY({matches}) AND s.arm_index = {arm} {places} GROUP BY 1, 2
"""


@per_version
def by_ply(experiment: Experiment, metric: str, arm: int, places: tuple[int, ...] = ()) -> dict[int, Sum]:
    """Ply (from 0) -> sum over the matches of an arm that count; places: of these alone. Empty without plies."""
    if not experiment.keeps_plies:
        return {}  # what does not count could not be taken away
    with queries.snapshot(experiment):
        found = _by_ply(experiment, metric, arm, places)
        values: dict[int, list[tuple[int, int]]] = {}
        for ply, value, n in _uncounted(experiment, metric, arm, places):
            values.setdefault(ply, []).append((value, n))
        kept = {ply: _less(row, metric, ply, values.get(ply, ())) for ply, row in found.items()}
    return {ply: row for ply, row in kept.items() if row.moments.n}


def _by_ply(experiment: Experiment, metric: str, arm: int, places: tuple[int, ...]) -> dict[int, Sum]:
    found: dict[int, Sum] = {}
    for row in waiting_summaries.rows(experiment.pk, [metric], by_ply=True, arm=arm):
        if not places or row.lineup in places:
            found[row.ply] = _added(found.get(row.ply), row)
    return found


def _uncounted(
    experiment: Experiment, metric: str, arm: int, places: tuple[int, ...] = ()
) -> Sequence[tuple[int, int, int]]:
    """(ply, value, how often) in the matches that do not count."""
    matches = counted.uncounted(experiment)
    if not matches:
        return ()
    value, own = map(sql.SQL, VALUES[metric])
    chosen = sql.SQL("AND s.lineup_index = ANY({})").format(sql.Literal(list(places))) if places else sql.SQL("")
    query = sql.SQL(UNCOUNTED).format(
        value=value,
        seat=counted.SEAT,
        ply=table.relation(experiment, Wanted(matches=matches)),
        own=own,
        matches=sql.Literal(matches),
        arm=sql.Literal(arm),
        places=chosen,
    )
    return queries.fetched(query)


@per_version
def legal_actions(experiment: Experiment, arm: int) -> Sum:
    """Sum over all plies of an arm's matches that count; nothing without plies."""
    if not experiment.keeps_plies:
        return Sum(Moments(), None)
    with queries.snapshot(experiment):
        values = [(value, n) for _, value, n in _uncounted(experiment, "legal_actions", arm)]
        return _less(of_matches(experiment, "legal_actions", arm), "legal_actions", WHOLE_MATCH, values)


@per_version
def of_matches(experiment: Experiment, metric: str, arm: int) -> Sum:
    """Sum over all sides of an arm, seats and finished matches."""
    total = Sum(Moments(), None)
    for row in waiting_summaries.rows(experiment.pk, [metric], arm=arm):
        total = _added(total, row)
    return total


@per_version
def known_metrics(experiment: Experiment, arm: int, metrics: tuple[str, ...]) -> frozenset[str]:
    """Those of some metrics of whole matches that finished matches of an arm have a number of."""
    return frozenset(row.metric for row in waiting_summaries.rows(experiment.pk, metrics, arm=arm) if row.n)


def _added(so_far: Sum | None, row: Total) -> Sum:
    moments, counts = Moments(row.n, row.total, row.total_squares), row.histogram
    if so_far is None:
        return Sum(moments, counts)
    merged = counts if so_far.counts is None else so_far.counts + counts if counts is not None else so_far.counts
    return Sum(so_far.moments + moments, merged)


def _less(found: Sum, metric: str, ply: int, values: Sequence[tuple[int, int]]) -> Sum:
    """The sum without some values, each so many times."""
    if not values:
        return found
    of, times = (np.array(column, dtype=np.int64) for column in zip(*values, strict=True))
    total, squares = float((of * times).sum()), float((of * of * times).sum())
    moments = found.moments + Moments(-int(times.sum()), -total, -squares)
    shape = bins(metric, ply)
    if found.counts is None or shape is None:
        return Sum(moments, found.counts)
    less = np.bincount(shape.positions(of.astype(np.float64)), weights=times, minlength=shape.count)
    return Sum(moments, found.counts - less.astype(np.int64))


def quantile(metric: str, ply: int, found: Sum, share: float) -> float | None:
    """A quantile from the histogram; None without values or bins."""
    shape = bins(metric, ply)
    return None if shape is None or found.counts is None else shape.quantile(found.counts, share)
