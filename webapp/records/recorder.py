"""Writes ended matches into Postgres: by COPY, whole or not at all, each match once.

A match that is there already is left alone, with all that belongs to it. So a repeat does no
harm, and totals count exactly the matches that were inserted.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import psycopg

from webapp.records import copy_binary, metric_numbers, ply_rows, summaries, waiting_summaries
from webapp.records.batches import Batch
from webapp.records.copy_binary import NULL
from webapp.records.copy_format import document, send
from webapp.records.metric_numbers import Names
from worker import code_version
from worker.records import Failure, MatchRecord

MAX_MESSAGE = 2000


@dataclass(frozen=True)
class Target:
    """Target of records. configurations: arm -> configuration id by place of the line-up."""

    experiment_id: int
    configurations: Mapping[int, Sequence[int]]
    worker: str = ""
    shard: int = 0


_MATCH_COLUMNS = (
    "arm_index",
    "deal",
    "rotation",
    "seed",
    "deal_seed",
    "status",
    "num_plies",
    "digest",
    "versions",
    "failure",
    "elapsed_s",
    "cpu_s",
)
_SEAT_COLUMNS = (
    "match_id",
    "experiment_id",
    "arm_index",
    "deal",
    "seat",
    "lineup_index",
    "configuration_id",
    "score",
    "margin",
    "rank",
    "result",
    "counts",
    "measures",
)
_INSERT = f"""
insert into records_match (experiment_id, finished_at, worker, code_id, {", ".join(_MATCH_COLUMNS)})
select %s, clock_timestamp(), %s, (select id from records_codeversion where hash = %s), {", ".join(_MATCH_COLUMNS)}
from incoming_match order by arm_index, deal, rotation
on conflict (experiment_id, arm_index, deal, rotation) do nothing
returning arm_index, deal, rotation, id
"""


REFUSED = (psycopg.DataError, psycopg.errors.CheckViolation, *copy_binary.TOO_LARGE)
"""Postgres does not take a number: none that an engine can mean is beyond its columns."""


def write(connection: psycopg.Connection[Any], target: Target, records: Sequence[MatchRecord]) -> int:
    """Write matches in one transaction (or within the caller's); return how many were new.

    One with an impossible number is kept as failed, for that reason, and costs no other. Raises psycopg.DataError
    where even what identifies it cannot be kept.
    """
    try:
        return _write(connection, target, records)
    except REFUSED:
        with connection.transaction():
            return sum(_write_by_itself(connection, target, record) for record in records)


def _write_by_itself(connection: psycopg.Connection[Any], target: Target, record: MatchRecord) -> int:
    try:
        return _write(connection, target, [record])
    except REFUSED as error:
        reason = str(error).partition("\n")[0]
        failure = Failure(None, "exception", f"an impossible number was to be recorded: {reason}")
        return _write(connection, target, [replace(record, status="failed", failure=failure, plies=(), num_plies=0)])


def _write(connection: psycopg.Connection[Any], target: Target, records: Sequence[MatchRecord]) -> int:
    with connection.transaction(), connection.cursor() as cursor:
        summaries.lock_shared(cursor, target.experiment_id)
        ids, batch = _insert_matches(cursor, target, records)
        names = metric_numbers.hold(cursor, target.experiment_id, batch.metrics)
        copy_binary.send(cursor, "records_seat", _SEAT_COLUMNS, _seat_rows(ids, batch, target, names))
        copy_binary.send(cursor, "records_ply", ply_rows.COLUMNS, ply_rows.ply_rows(ids, batch))
        waiting_summaries.add(cursor, target.experiment_id, target.shard, len(ids), summaries.summarise(batch))
    return len(ids)


def _insert_matches(
    cursor: psycopg.Cursor[Any], target: Target, records: Sequence[MatchRecord]
) -> tuple[list[int], Batch]:
    """Insert the matches that are not there yet; return their ids, and them."""
    cursor.execute(
        f"create temp table if not exists incoming_match on commit delete rows as "
        f"select {', '.join(_MATCH_COLUMNS)} from records_match with no data"
    )
    cursor.execute("delete from incoming_match")  # rows of an earlier call in this transaction
    by_place = {(record.arm, record.deal, record.rotation): record for record in records}
    send(cursor, "incoming_match", _MATCH_COLUMNS, [_match_line(record) for record in by_place.values()])
    cursor.execute(_INSERT, (target.experiment_id, target.worker, code_version.content_hash()))
    inserted = cursor.fetchall()
    return [match_id for *_, match_id in inserted], Batch(
        [by_place[arm, deal, rotation] for arm, deal, rotation, _ in inserted]
    )


def _match_line(record: MatchRecord) -> str:
    failure = None
    if record.failure is not None:
        failure = {
            "seat": record.failure.seat,
            "kind": record.failure.kind,
            "message": record.failure.message[:MAX_MESSAGE],
        }
    return (
        f"{record.arm}\t{record.deal}\t{record.rotation}\t{record.seed}\t{record.deal_seed}\t{record.status}\t"
        f"{record.num_plies}\t{record.digest}\t{document(dict(record.versions))}\t{document(failure)}\t"
        f"{record.elapsed_s!r}\t{record.cpu_s!r}"
    )


_of_seat = struct.Struct(">iqiqihiiihihiq").pack
_of_result = struct.Struct(">iiiiih").pack
_NO_RESULT = 4 * NULL
_result = lru_cache(copy_binary.text)


def _seat_rows(ids: Sequence[int], batch: Batch, target: Target, names: Names) -> Iterator[bytes]:
    """The rows of the seats of a batch. ids: of its matches; names: of the game's metrics."""
    margins, arrays = iter(batch.margins), iter(names.arrays(batch.metrics))
    for match_id, record in zip(ids, batch.records, strict=True):
        configurations = target.configurations[record.arm]
        where = (8, match_id, 8, target.experiment_id, 2, record.arm, 4, record.deal)
        has_result = record.status == "finished"
        own_margins = next(margins) if has_result else ()
        for seat, lineup in enumerate(record.lineup):
            head = _of_seat(*where, 2, seat, 2, lineup, 8, configurations[lineup])
            if has_result:
                numbers = _of_result(4, record.scores[seat], 4, own_margins[seat], 2, record.ranks[seat])
                yield b"".join((head, numbers, _result(record.results[seat]), *next(arrays)))
            else:
                yield b"".join((head, _NO_RESULT, *metric_numbers.NO_ARRAYS))
