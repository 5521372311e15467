"""Totals of small batches of matches, which wait until many are merged into `Summary` rows at once.

Engines that think leave a handful of matches a write and hundreds of totals, each a row to be changed. So the
transaction that inserts few matches adds one row with all their totals instead. By time or size they are merged,
in a transaction that takes away the rows it merges: whatever dies, each match counts once. Readers count both
(`rows`), so nothing that is read lags behind what is written.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator
from typing import Any, cast

import numpy as np
import orjson
import psycopg
from django.db import connection, transaction
from numpy.typing import NDArray

from webapp.records import metrics, summaries
from webapp.records.metrics import WHOLE_MATCH
from webapp.records.summaries import Total

FEW = 100
"""Matches of a batch that is merged at once."""
MERGE_S, MERGE_MATCHES = 10.0, 500
"""Totals are merged with the next batch once the first have waited so long, or there are those of so many matches."""
LEFT_S = 60.0
"""Those that no batch has followed for so long are left to the sweeper."""
_LEVEL = 1

_PUT = """
insert into records_waitingsummary (experiment_id, shard, matches, plies, totals, written_at)
values (%s, %s, %s, %s, %s, clock_timestamp())
"""
_IS_DUE = """
select coalesce(sum(matches) >= %s or min(written_at) < clock_timestamp() - make_interval(secs => %s), false)
from records_waitingsummary where experiment_id = %s and shard = %s
"""
_TAKE = """
delete from records_waitingsummary where id in (
    select id from records_waitingsummary where experiment_id = %s and shard = %s order by id for update skip locked
) returning totals
"""
_LEFT = """
select distinct experiment_id, shard from records_waitingsummary
where written_at < clock_timestamp() - make_interval(secs => %s) order by 1, 2
"""
_ROWS = """
select metric, arm_index, lineup_index, seat, ply, n, total, total_squares, histogram, null::bytea
from records_summary where experiment_id = %(experiment)s and metric = any(%(metrics)s) and ply {plies}
union all
select null, 0, 0, 0, 0, 0, 0, 0, null, totals from records_waitingsummary where experiment_id = %(experiment)s
"""


def add(cursor: psycopg.Cursor[Any], experiment_id: int, shard: int, matches: int, totals: list[Total]) -> None:
    """Add the totals of matches, within the transaction that inserts them."""
    if matches >= FEW:
        summaries.merge(cursor, experiment_id, shard, totals)
        return
    if not matches:
        return
    plies = sum(int(total.total) for total in totals if total.metric == "num_plies" and total.seat == 0)
    cursor.execute(_PUT, (experiment_id, shard, matches, plies, _packed(totals)))
    cursor.execute(_IS_DUE, (MERGE_MATCHES, MERGE_S, experiment_id, shard))
    (is_due,) = cursor.fetchone() or (False,)
    if is_due:
        merge(cursor, experiment_id, shard)


def merge(cursor: psycopg.Cursor[Any], experiment_id: int, shard: int) -> None:
    """Merge what waits, within the caller's transaction, which keeps a rebuild away (`summaries.lock_shared`).

    What another merges at present is left to that one.
    """
    cursor.execute(_TAKE, (experiment_id, shard))
    waiting = [unpacked(totals) for (totals,) in cursor.fetchall()]
    if waiting:
        summaries.merge(cursor, experiment_id, shard, _added(total for batch in waiting for total in batch))


def sweep() -> int:
    """Merge what has waited for long, since nothing followed it; return of how many shards that was."""
    with connection.cursor() as asking:
        asking.execute(_LEFT, (LEFT_S,))
        left = asking.fetchall()
    for experiment_id, shard in left:
        with transaction.atomic(), connection.cursor() as wrapper:
            cursor = cast(psycopg.Cursor[Any], wrapper.cursor)  # psycopg's own, inside Django's
            summaries.lock_shared(cursor, experiment_id)
            merge(cursor, experiment_id, shard)
    return len(left)


def rows(experiment_id: int, wanted: Collection[str], *, by_ply: bool = False, arm: int | None = None) -> list[Total]:
    """All totals of some metrics, of whole matches or by ply, in the order of plies; of one side there may be several.

    One statement, so that a merge beside it changes nothing.
    """
    names = sorted(wanted)
    query = _ROWS.format(plies=">= 0" if by_ply else f"= {WHOLE_MATCH}")
    with connection.cursor() as cursor:
        cursor.execute(query, {"experiment": experiment_id, "metrics": names})
        fetched = cursor.fetchall()
    found = [total for row in fetched for total in _of_row(row) if total.metric in wanted]
    chosen = [total for total in found if (total.ply >= 0) == by_ply and arm in (None, total.arm)]
    return sorted(chosen, key=lambda total: total.ply)


def _of_row(row: tuple[Any, ...]) -> Iterator[Total]:
    waiting = row[-1]
    if waiting is not None:
        yield from unpacked(waiting)
    else:
        metric, arm, lineup, seat, ply, n, total, squares, histogram = row[:-1]
        counts = None if histogram is None else np.array(histogram, np.int64)
        yield Total(metric, arm, lineup, seat, ply, n, total, squares, counts)


def _packed(totals: Iterable[Total]) -> bytes:
    """Totals as compressed JSON; of a histogram the cells that are not empty."""
    listed = [(*total[:-1], None if total.histogram is None else _cells(total.histogram)) for total in totals]
    return zlib.compress(orjson.dumps(listed), _LEVEL)


def _cells(histogram: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    places = np.flatnonzero(histogram)
    return places.tolist(), histogram[places].tolist()


def unpacked(packed: bytes) -> Iterator[Total]:
    """The totals of a row that waits."""
    for metric, arm, lineup, seat, ply, n, total, squares, cells in orjson.loads(zlib.decompress(packed)):
        histogram = None
        if cells is not None:
            bins = metrics.bins(metric, ply)
            assert bins is not None, f"{metric} was summed up with bins"
            histogram = np.zeros(bins.count, np.int64)
            histogram[cells[0]] = cells[1]
        yield Total(metric, arm, lineup, seat, ply, n, total, squares, histogram)


def _added(totals: Iterable[Total]) -> Iterator[Total]:
    """Totals with those of one key added up."""
    found: dict[tuple[Any, ...], Total] = {}
    for total in totals:
        key = total[:5]
        before = found.get(key)
        found[key] = total if before is None else _sum(before, total)
    return iter(found.values())


def _sum(one: Total, other: Total) -> Total:
    histogram = None
    if one.histogram is not None and other.histogram is not None:
        histogram = one.histogram + other.histogram
    return one._replace(
        n=one.n + other.n,
        total=one.total + other.total,
        total_squares=one.total_squares + other.total_squares,
        histogram=histogram,
    )
