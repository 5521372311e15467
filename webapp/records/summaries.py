"""Totals of matches for pages: added up here, merged into `Summary` rows in SQL.

Only finished matches count, but for the metric `failed`. Merging is exact for whole numbers;
other totals depend on the order of additions in their last bits.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import psycopg
from numpy.typing import NDArray

from webapp.records import copy_format, metrics
from webapp.records.batches import Batch, Played
from webapp.records.metrics import PLY_BINS, WHOLE_MATCH
from worker.records import MatchRecord

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


def summarise(batch: Batch) -> list[Total]:
    """Add up matches."""
    totals = [*_failures(batch), *_of_matches(batch), *_of_metrics(batch)]
    for played in batch.played:
        totals += _of_plies(batch, played)
    return totals


def _alike(batch: Batch, places: Iterable[int]) -> dict[tuple[int, tuple[int, ...]], list[int]]:
    """Places of matches by arm and line-up."""
    alike: dict[tuple[int, tuple[int, ...]], list[int]] = defaultdict(list)
    for place in places:
        record = batch.records[place]
        alike[record.arm, record.lineup].append(place)
    return alike


def _failures(batch: Batch) -> Iterator[Total]:
    """Of each side, in how many of its matches its engine failed."""
    matches: Counter[Side] = Counter()
    for (arm, lineup), places in _alike(batch, range(len(batch.records))).items():
        for seat, entry in enumerate(lineup):
            matches[arm, entry, seat] += len(places)
    failed: Counter[Side] = Counter()
    for record in batch.records:
        if record.failure is not None and record.failure.seat is not None:
            failed[record.arm, record.lineup[record.failure.seat], record.failure.seat] += 1
    for side, n in matches.items():
        yield Total("failed", *side, WHOLE_MATCH, n, float(failed[side]), float(failed[side]), None)


_OF_MATCH = ("score", "margin", "win", "draw", "loss", "num_plies", "playouts", "nodes", "cpu_s")


def _of_matches(batch: Batch) -> Iterator[Total]:
    """Totals of what _OF_MATCH names, of each side."""
    margins = dict(zip(batch.finished, batch.margins, strict=True))
    thoughts: dict[int, NDArray[np.float64]] = {}
    for played in batch.played:
        thoughts.update(zip(played.places, played.table.thoughts(), strict=True))
    values: dict[Side, list[NDArray[np.float64]]] = defaultdict(list)
    for (arm, lineup), places in _alike(batch, batch.finished).items():
        rows = _match_values([batch.records[place] for place in places])
        rows[:, :, 1] = [margins[place] for place in places]
        for row, place in zip(rows, places, strict=True):
            row[:, 6:] = thoughts.get(place, np.nan)
        for seat, entry in enumerate(lineup):
            values[arm, entry, seat].append(rows[:, seat])
    for side, parts in values.items():
        for metric, column in zip(_OF_MATCH, np.concatenate(parts).T, strict=True):
            finite = column[np.isfinite(column)]
            if len(finite):
                yield _total(metric, side, WHOLE_MATCH, finite)


def _match_values(records: Sequence[MatchRecord]) -> NDArray[np.float64]:
    """What _OF_MATCH names, of matches of one line-up, as far as records say it: [matches, seats, names]."""
    results = np.array([record.results for record in records])
    values = np.empty((*results.shape, len(_OF_MATCH)))
    values[:, :, 0] = [record.scores for record in records]
    for place, result in enumerate(_OF_MATCH[2:5], 2):
        values[:, :, place] = results == result
    values[:, :, 5] = np.array([record.num_plies for record in records])[:, None]
    return values


def _of_metrics(batch: Batch) -> Iterator[Total]:
    """Totals of the game's metrics, of each side."""
    sizes = (len(batch.records[place].lineup) for place in batch.finished)
    first_rows = dict(zip(batch.finished, accumulate(sizes, initial=0), strict=False))
    rows: dict[Side, list[int]] = defaultdict(list)
    for (arm, lineup), places in _alike(batch, batch.finished).items():
        for seat, entry in enumerate(lineup):
            rows[arm, entry, seat] += [first_rows[place] + seat for place in places]
    for side, own in rows.items():
        values = batch.metrics.values[own]
        is_there = np.isfinite(values)
        values = np.where(is_there, values, 0.0)
        sums = zip(
            batch.metrics.names,
            is_there.sum(axis=0).tolist(),
            values.sum(axis=0).tolist(),
            (values**2).sum(axis=0).tolist(),
            strict=True,
        )
        for metric, n, total, total_squares in sums:
            if n:
                yield Total(metric, *side, WHOLE_MATCH, n, total, total_squares, None)


def _total(metric: str, side: Side, ply: int, values: NDArray[np.float64]) -> Total:
    bins = metrics.bins(metric, ply)
    histogram = None if bins is None else bins.counts(values)
    return Total(metric, *side, ply, len(values), float(values.sum()), float((values**2).sum()), histogram)


def _of_plies(batch: Batch, played: Played) -> Iterator[Total]:
    """Totals by ply of the finished matches among these, of each side."""
    records, table = [batch.records[place] for place in played.places], played.table
    arms = np.array([record.arm for record in records])
    are_finished = np.array([record.status == "finished" for record in records])
    lineups = table.spread(np.array([record.lineup for record in records]))
    for arm in np.unique(arms[are_finished]).tolist():
        are_own = table.spread(are_finished & (arms == arm))
        for seat in range(lineups.shape[1]):
            for lineup in np.unique(lineups[are_own, seat]).tolist():
                side = (arm, lineup, seat)
                there = are_own & (lineups[:, seat] == lineup)
                yield from _by_ply("score", side, table.plies[there], table.scores[there, seat].astype(np.float64))
                moved = there & (table.seats == seat)
                legal = table.legal_counts[moved].astype(np.float64)
                yield from _by_ply("legal_actions", side, table.plies[moved], legal)
                if moved.any():
                    yield _total("legal_actions", side, WHOLE_MATCH, legal)


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
