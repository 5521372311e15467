"""Totals of matches for pages: added up here, merged into `Summary` rows in SQL.

Only finished matches count, but for the metric `failed`. Merging is exact for whole numbers;
other totals depend on the order of additions in their last bits.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import psycopg
from numpy.typing import NDArray

from webapp.records import copy_format, metrics
from webapp.records.metric_table import MetricTable
from webapp.records.metrics import PLY_BINS, WHOLE_MATCH
from worker.records import MatchRecord, PlyRecord
from worker.whole_matches.plies import PlyColumns

SHARDS = 4
"""Number of copies over which rows are spread that concurrent workers add to."""

REBUILD_LOCK = 0x4D4C_0001
"""First key of the advisory lock that lets a rebuild see no half-added matches."""


class Total(NamedTuple):
    """One row to merge; histogram: int64[bins] or None."""

    metric: str
    arm: int
    lineup: int
    seat: int
    ply: int
    n: int
    total: float
    total_squares: float
    histogram: NDArray[np.int64] | None


Side = tuple[int, int, int]
"""(arm, place in the line-up, seat)."""


def summarise(
    records: Sequence[MatchRecord],
    table: MetricTable | None = None,
    margins: Sequence[tuple[int, ...]] | None = None,
) -> list[Total]:
    """Add up matches. table: the metrics of the seats of the finished ones, margins: theirs, where they are known."""
    finished = [record for record in records if record.status == "finished"]
    if table is None:
        table = MetricTable.of_matches([record.metrics for record in finished])
    if margins is None:
        margins = [record.margins() for record in finished]
    totals = list(_failures(records))
    values: dict[Side, list[NDArray[np.float64]]] = defaultdict(list)
    rows: dict[Side, list[NDArray[np.int64]]] = defaultdict(list)
    first_rows = np.cumsum([0, *(len(record.lineup) for record in finished)])
    for (arm, lineup), places in _alike(finished).items():
        columns = _match_values([finished[place] for place in places], [margins[place] for place in places])
        for seat, entry in enumerate(lineup):
            values[arm, entry, seat].append(columns[:, seat])
            rows[arm, entry, seat].append(first_rows[places] + seat)
    totals += [
        _total(metric, side, WHOLE_MATCH, finite)
        for side, parts in values.items()
        for metric, found in zip(_OF_MATCH, np.concatenate(parts).T, strict=True)
        if len(finite := found[np.isfinite(found)])
    ]
    totals += _of_table(table, {side: np.concatenate(parts) for side, parts in rows.items()})
    by_arm: dict[tuple[int, int], list[MatchRecord]] = defaultdict(list)
    for record in finished:
        if record.plies:
            by_arm[record.arm, len(record.lineup)].append(record)
    for (arm, _), played in by_arm.items():
        totals.extend(_ply_totals(arm, played))
    return totals


def _alike(records: Sequence[MatchRecord]) -> dict[tuple[int, tuple[int, ...]], list[int]]:
    """Places of matches by arm and line-up."""
    places: dict[tuple[int, tuple[int, ...]], list[int]] = defaultdict(list)
    for place, record in enumerate(records):
        places[record.arm, record.lineup].append(place)
    return places


def _failures(records: Sequence[MatchRecord]) -> Iterator[Total]:
    """Of each side, in how many of its matches its engine failed."""
    matches: Counter[Side] = Counter()
    for (arm, lineup), places in _alike(records).items():
        for seat, entry in enumerate(lineup):
            matches[arm, entry, seat] += len(places)
    failed: Counter[Side] = Counter()
    for record in records:
        if record.failure is not None and record.failure.seat is not None:
            failed[record.arm, record.lineup[record.failure.seat], record.failure.seat] += 1
    for side, n in matches.items():
        yield Total("failed", *side, WHOLE_MATCH, n, float(failed[side]), float(failed[side]), None)


def _of_table(table: MetricTable, rows: Mapping[Side, NDArray[np.int64]]) -> Iterator[Total]:
    """Totals of the metrics of seats, of each side. rows: those of a side."""
    for side, own in rows.items():
        values = table.values[own]
        is_there = np.isfinite(values)
        values = np.where(is_there, values, 0.0)
        sums = zip(
            table.names,
            is_there.sum(axis=0).tolist(),
            values.sum(axis=0).tolist(),
            (values**2).sum(axis=0).tolist(),
            strict=True,
        )
        for metric, n, total, total_squares in sums:
            if n:
                yield Total(metric, *side, WHOLE_MATCH, n, total, total_squares, None)


class _Thought(NamedTuple):
    """What a seat's decisions took in a match."""

    playouts: int
    nodes: int
    cpu_s: float


def _thoughts(record: MatchRecord) -> list[_Thought]:
    """By seat, where plies are recorded."""
    plies, seats = record.plies, range(len(record.lineup))
    if isinstance(plies, PlyColumns):
        moved = np.bincount(plies.seats, minlength=len(seats)).tolist()
        return [_Thought(0, 0, sum(repeat(plies.cpu_s, times), 0.0)) for times in moved]
    own: list[list[PlyRecord]] = [[] for _ in seats]
    for ply in plies:
        own[ply.seat].append(ply)
    return [
        _Thought(sum(ply.playouts for ply in mine), sum(ply.nodes for ply in mine), sum(ply.cpu_s for ply in mine))
        for mine in own
    ]


_OF_MATCH = ("score", "margin", "win", "draw", "loss", "num_plies", *_Thought._fields)


def _match_values(records: Sequence[MatchRecord], margins: Sequence[tuple[int, ...]]) -> NDArray[np.float64]:
    """What _OF_MATCH names, of finished matches of one line-up: [matches, seats, names]; NaN: not recorded."""
    results = np.array([record.results for record in records])
    values = np.empty((*results.shape, len(_OF_MATCH)))
    values[:, :, 0] = [record.scores for record in records]
    values[:, :, 1] = margins
    for place, name in enumerate(("win", "draw", "loss"), 2):
        values[:, :, place] = results == name
    values[:, :, 5] = np.array([record.num_plies for record in records])[:, None]
    values[:, :, 6:] = np.nan
    for row, record in zip(values, records, strict=True):
        if record.plies:
            row[:, 6:] = _thoughts(record)
    return values


def _total(metric: str, side: Side, ply: int, values: NDArray[np.float64]) -> Total:
    bins = metrics.bins(metric, ply)
    histogram = None if bins is None else bins.counts(values)
    return Total(metric, *side, ply, len(values), float(values.sum()), float((values**2).sum()), histogram)


def _ply_totals(arm: int, records: Sequence[MatchRecord]) -> Iterator[Total]:
    """Totals by ply of finished matches with recorded plies and equally many seats."""
    parts = zip(*map(_ply_columns, records), strict=True)
    index, mover, legal, scores = (np.concatenate(columns) for columns in parts)
    lineups = np.repeat([record.lineup for record in records], [len(record.plies) for record in records], axis=0)
    for seat in range(scores.shape[1]):
        for lineup in np.unique(lineups[:, seat]).tolist():
            side = (arm, lineup, seat)
            there = lineups[:, seat] == lineup
            yield from _by_ply("score", side, index[there], scores[there, seat])
            moved = there & (mover == seat)
            yield from _by_ply("legal_actions", side, index[moved], legal[moved])
            if moved.any():
                yield _total("legal_actions", side, WHOLE_MATCH, legal[moved])


def _ply_columns(
    record: MatchRecord,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Number, seat, legal actions and scores of each ply."""
    plies = record.plies
    if isinstance(plies, PlyColumns):
        return (
            np.arange(len(plies)),
            plies.seats,
            plies.legal_counts.astype(np.float64),
            plies.scores.astype(np.float64),
        )
    return (
        np.array([ply.ply for ply in plies], np.int64),
        np.array([ply.seat for ply in plies], np.int64),
        np.array([ply.legal_count for ply in plies], np.float64),
        np.array([ply.scores for ply in plies], np.float64),
    )


def _by_ply(metric: str, side: Side, plies: NDArray[np.int64], values: NDArray[np.float64]) -> Iterator[Total]:
    if not len(plies):
        return
    bins, length = PLY_BINS[metric], int(plies.max()) + 1
    n = np.bincount(plies)
    total = np.bincount(plies, weights=values)
    squares = np.bincount(plies, weights=values**2)
    cells = np.bincount(plies * bins.count + bins.positions(values), minlength=length * bins.count)
    histograms = cells.reshape(length, bins.count)
    for ply in np.flatnonzero(n).tolist():
        yield Total(metric, *side, ply, int(n[ply]), float(total[ply]), float(squares[ply]), histograms[ply])


_COLUMNS = ("metric", "arm_index", "lineup_index", "seat", "ply", "n", "total", "total_squares", "histogram")
_KEY = "metric, arm_index, lineup_index, seat, ply"

_MERGE = f"""
insert into {{table}} as kept (experiment_id, shard, {", ".join(_COLUMNS)})
select %s, %s, {", ".join(_COLUMNS)} from incoming_summary order by {_KEY}
on conflict (experiment_id, metric, arm_index, lineup_index, seat, ply, shard) do update set
    n = kept.n + excluded.n,
    total = kept.total + excluded.total,
    total_squares = kept.total_squares + excluded.total_squares,
    histogram = case when excluded.histogram is not null then array(
        select a + b from unnest(kept.histogram, excluded.histogram) as pair (a, b)
    ) end
"""
_ALL = f"experiment_id, shard, {', '.join(_COLUMNS)}"


def lock_shared(cursor: psycopg.Cursor[Any], experiment_id: int) -> None:
    """Keep a rebuild of this experiment away until the transaction ends."""
    cursor.execute("select pg_advisory_xact_lock_shared(%s::int, %s::int)", (REBUILD_LOCK, experiment_id % 2**31))


def lock_exclusive(cursor: psycopg.Cursor[Any], experiment_id: int) -> None:
    """Wait until nobody adds to this experiment, and keep all away until the transaction ends."""
    cursor.execute("select pg_advisory_xact_lock(%s::int, %s::int)", (REBUILD_LOCK, experiment_id % 2**31))


def merge(cursor: psycopg.Cursor[Any], experiment_id: int, shard: int, totals: Iterable[Total]) -> None:
    """Add totals to the rows kept, within the caller's transaction.

    Rows are touched in the order of their key, so concurrent merges cannot deadlock.
    """
    _merge_into("records_summary", cursor, experiment_id, shard, totals)


def make_apart(cursor: psycopg.Cursor[Any]) -> None:
    """Make an empty table like that of the rows kept, which this connection alone sees until `drop_apart`."""
    drop_apart(cursor)
    cursor.execute(f"create temp table summary_apart as select {_ALL} from records_summary with no data")
    cursor.execute(f"create unique index on summary_apart (experiment_id, {_KEY}, shard)")


def drop_apart(cursor: psycopg.Cursor[Any]) -> None:
    """Drop the table of `make_apart`, if there is one."""
    cursor.execute("drop table if exists pg_temp.summary_apart")


def merge_apart(cursor: psycopg.Cursor[Any], experiment_id: int, totals: Iterable[Total]) -> None:
    """Add totals to those that are kept apart."""
    _merge_into("pg_temp.summary_apart", cursor, experiment_id, 0, totals)


def take_over(cursor: psycopg.Cursor[Any]) -> None:
    """Copy what is kept apart to the rows kept."""
    cursor.execute(f"insert into records_summary ({_ALL}) select {_ALL} from pg_temp.summary_apart order by {_KEY}")


def _merge_into(
    table: str, cursor: psycopg.Cursor[Any], experiment_id: int, shard: int, totals: Iterable[Total]
) -> None:
    cursor.execute(
        f"create temp table if not exists incoming_summary on commit delete rows as "
        f"select {', '.join(_COLUMNS)} from records_summary with no data"
    )
    cursor.execute("delete from incoming_summary")  # rows of an earlier call in this transaction
    copy_format.send(cursor, "incoming_summary", _COLUMNS, [_line(total) for total in totals])
    cursor.execute(_MERGE.format(table=table), (experiment_id, shard))


def _line(total: Total) -> str:
    histogram = copy_format.NULL if total.histogram is None else _counts(total.histogram)
    return (
        f"{copy_format.text(total.metric)}\t{total.arm}\t{total.lineup}\t{total.seat}\t{total.ply}\t"
        f"{total.n}\t{total.total!r}\t{total.total_squares!r}\t{histogram}"
    )


def _counts(histogram: NDArray[np.int64]) -> str:
    """An array field; most counts are zero."""
    fields = ["0"] * len(histogram)
    for i in np.flatnonzero(histogram).tolist():
        fields[i] = str(histogram[i])
    return "{" + ",".join(fields) + "}"
