"""What becomes of chunks, and pieces of studies, whose worker died.

Matches are written at least every `MAX_UNWRITTEN` of a chunk, so the one that killed its
worker is among the first so many unwritten ones: each of those becomes a chunk of its own
with one death more. What lies beyond was never begun and stays together. A single match that
dies twice is recorded as failed, and the batch goes on.

A piece of a study is put up again, and is marked as failed at its second death.

What lost its worker because Postgres itself was started anew since is given back without
counting a death.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, NamedTuple

import psycopg

from webapp.records import claims, drawn, locks, piece_claims, recorder
from worker import schedule
from worker.play import MAX_UNWRITTEN
from worker.records import Failure, MatchRecord
from worker.spec import SpecError

logger = logging.getLogger(__name__)

MAX_DEATHS = 2
"""So many deaths of a single match make it a failed one."""

DIED = "the worker playing this match ended without a word, twice"

Connection = psycopg.Connection[Any]

_CLAIMED = """
select id, claimed_at < pg_postmaster_start_time() from {table} where status = 'claimed' order by id
"""


class _Kind(NamedTuple):
    """What can be claimed, and how it is put up again."""

    word: str
    table: str
    lock_class: int
    reopen: Callable[[Connection, int], None]
    bury: Callable[[Connection, int, str], None]
    died: str


class _Dead(NamedTuple):
    id: int
    experiment_id: int
    arm: int
    first: int
    size: int
    written: int
    deaths: int


def recover(connection: Connection) -> int:
    """Find chunks and pieces that lost their worker and put them up again; return how many.

    One that cannot be put up again is logged, and does not keep the others waiting.
    """
    found = 0
    for kind in _KINDS:
        query = _CLAIMED.format(table=kind.table)
        for row_id, is_older_than_server in connection.execute(query).fetchall():  # type: ignore[arg-type]
            try:
                found += _recover_one(connection, kind, row_id, is_older_than_server)
            except Exception:
                if connection.closed:
                    raise
                logger.exception("%s %s cannot be put up again", kind.word, row_id)
    return found


def _recover_one(connection: Connection, kind: _Kind, row_id: int, is_older_than_server: bool) -> bool:
    """Put a claimed chunk or piece up again; False where it is being worked on."""
    with connection.transaction():
        if not locks.take_briefly(connection, kind.lock_class, row_id):
            return False
        if is_older_than_server:
            kind.reopen(connection, row_id)
        else:
            kind.bury(connection, row_id, kind.died)
    return True


def _reopen(connection: Connection, chunk_id: int) -> None:
    connection.execute(
        "update records_chunk set status = 'waiting', worker = '' where id = %s and status = 'claimed'", (chunk_id,)
    )


def bury(connection: Connection, chunk_id: int, message: str) -> None:
    """Count a death of a claimed chunk, in a transaction; its lock must be the caller's.

    Nothing happens where the chunk is done, given back or deleted.
    """
    with connection.transaction():
        dead = _find(connection, chunk_id)
        if dead is None:
            return
        left = dead.size - dead.written
        logger.warning(
            "chunk %s of experiment %s lost its worker with %s matches left", dead.id, dead.experiment_id, left
        )
        deaths = dead.deaths + 1
        if dead.size == 1 and left == 1 and deaths >= MAX_DEATHS:
            if not _record_death(connection, dead, message):
                return
            _close(connection, dead, size=1, written=1)
        else:
            if dead.written:
                _close(connection, dead, size=dead.written, written=dead.written)
            else:
                connection.execute("delete from records_chunk where id = %s", (dead.id,))
            _reopen_singly(dead, left, deaths, connection)
        claims.finish_experiment(connection, dead.experiment_id)


def _find(connection: Connection, chunk_id: int) -> _Dead | None:
    row = connection.execute("select experiment_id from records_chunk where id = %s", (chunk_id,)).fetchone()
    if row is None:
        return None
    claims.lock_experiment(connection, row[0])
    query = """
        select id, experiment_id, arm_index, first, size, written, deaths from records_chunk
        where id = %s and status = 'claimed' for update
    """
    row = connection.execute(query, (chunk_id,)).fetchone()
    return None if row is None else _Dead(*row)


def _close(connection: Connection, dead: _Dead, size: int, written: int) -> None:
    connection.execute(
        "update records_chunk set status = 'done', done_at = clock_timestamp(), size = %s, written = %s where id = %s",
        (size, written, dead.id),
    )


def _reopen_singly(dead: _Dead, left: int, deaths: int, connection: Connection) -> None:
    begin = dead.first + dead.written
    suspects = min(left, MAX_UNWRITTEN)
    rows = [(begin + i, 1, deaths) for i in range(suspects)]
    if left > suspects:
        rows.append((begin + suspects, left - suspects, dead.deaths))
    query = """
        insert into records_chunk (experiment_id, arm_index, first, size, written, status, deaths, worker)
        values (%s, %s, %s, %s, 0, 'waiting', %s, '')
    """
    with connection.cursor() as cursor:
        cursor.executemany(query, [(dead.experiment_id, dead.arm, *row) for row in rows])


def _record_death(connection: Connection, dead: _Dead, message: str) -> bool:
    """Record the single match of a chunk as failed; False where its spec is no longer valid."""
    row = connection.execute(
        "select spec::text from records_experiment where id = %s", (dead.experiment_id,)
    ).fetchone()
    assert row is not None
    try:
        spec = drawn.read(connection, dead.experiment_id, row[0])
    except SpecError as error:
        claims.stop(connection, dead.experiment_id, f"Stopped: its specification is no longer valid ({error}).")
        return False
    match = schedule.match_spec(spec, dead.arm, dead.first)
    record = MatchRecord(
        arm=match.arm,
        deal=match.deal,
        rotation=match.rotation,
        seed=match.seed,
        deal_seed=match.deal_seed,
        lineup=match.lineup,
        status="failed",
        failure=Failure(None, "died", message),
    )
    configurations = claims.configurations(connection, dead.experiment_id)
    recorder.write(connection, recorder.Target(dead.experiment_id, configurations), [record])
    return True


_KINDS = (
    _Kind("chunk", "records_chunk", locks.CHUNK, _reopen, bury, DIED),
    _Kind("piece", "records_studypiece", locks.PIECE, piece_claims.reopen, piece_claims.bury, piece_claims.DIED),
)
