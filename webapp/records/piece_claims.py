"""The life of a claimed piece of a study in SQL: taking it, writing its outcome, giving it back.

Locks on rows are taken in the order study, piece, as with experiments and chunks.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg

from webapp.records import locks
from webapp.records.claims import ClaimLostError
from worker.studies.pieces import Outcome
from worker.studies.protocol import StudySpec

logger = logging.getLogger(__name__)

MAX_DEATHS = 2
"""So many deaths of a piece make it a failed one."""

DIED = "the worker at this piece ended without a word, twice"

Connection = psycopg.Connection[Any]


@dataclass(frozen=True)
class PieceClaim:
    """A piece as it was when it was claimed; `claimed_at` tells claims apart."""

    piece_id: int
    study_id: int
    index: int
    worker: str
    claimed_at: datetime
    spec: StudySpec


_NEXT = """
select id from records_studypiece where study_id = %s and status = 'waiting'
order by index limit 1 for update skip locked
"""

_CLAIM = """
update records_studypiece set status = 'claimed', worker = %s, claimed_at = clock_timestamp() where id = %s
returning index, claimed_at
"""

_SERVE = """
update records_study set served_at = clock_timestamp(), started_at = coalesce(started_at, clock_timestamp())
where id = %s and status = 'running'
"""

_WRITE = """
update records_studypiece
set status = %s, ended_at = clock_timestamp(), row = %s, failure = %s, versions = %s, cpu_s = %s
where id = %s and status = 'claimed' and claimed_at = %s
"""

_FINISH = """
update records_study s set status = 'finished', finished_at = clock_timestamp()
where id = %s and status in ('running', 'paused')
  and not exists (select 1 from records_studypiece p where p.study_id = s.id and p.status in ('waiting', 'claimed'))
"""


def take_from(connection: Connection, worker: str, study_id: int, spec: StudySpec) -> PieceClaim | None:
    """Claim the next waiting piece of a running study and hold its lock."""
    locked: int | None = None
    claim = None
    try:
        with connection.transaction():
            connection.execute("select 1 from records_study where id = %s for key share", (study_id,))
            row = connection.execute(_NEXT, (study_id,)).fetchone()
            if row is None or not locks.take(connection, locks.PIECE, row[0]):
                return None
            locked = row[0]
            piece = connection.execute(_CLAIM, (worker, locked)).fetchone()
            if connection.execute(_SERVE, (study_id,)).rowcount == 0:
                raise psycopg.Rollback  # paused or stopped a moment ago
            assert piece is not None
            claim = PieceClaim(locked, study_id, piece[0], worker, piece[1], spec)
    finally:
        if claim is None and locked is not None and not connection.closed:
            locks.release(connection, locks.PIECE, locked)
    return claim


def write(connection: Connection, claim: PieceClaim, outcome: Outcome) -> None:
    """Keep what came out of a piece, and mark the study as finished with the last one.

    Raises ClaimLostError where the study was deleted meanwhile, or another has the piece.
    """
    values = (
        "failed" if outcome.row is None else "done",
        None if outcome.row is None else json.dumps(outcome.row, allow_nan=False),
        outcome.failure.replace("\0", "\N{REPLACEMENT CHARACTER}"),
        json.dumps(outcome.versions),
        outcome.cpu_s,
        claim.piece_id,
        claim.claimed_at,
    )
    with connection.transaction():
        _lock_study(connection, claim.study_id)
        if connection.execute(_WRITE, values).rowcount == 0:
            raise ClaimLostError(f"piece {claim.index} of study {claim.study_id} is no longer ours")
        connection.execute(_FINISH, (claim.study_id,))


def give_back(connection: Connection, claim: PieceClaim) -> None:
    """Let another worker have the piece; nothing where it is done or not ours."""
    connection.execute(
        "update records_studypiece set status = 'waiting', worker = '' "
        "where id = %s and status = 'claimed' and claimed_at = %s",
        (claim.piece_id, claim.claimed_at),
    )


def reopen(connection: Connection, piece_id: int) -> None:
    """Let another worker have a piece whose claim nobody holds any more."""
    connection.execute(
        "update records_studypiece set status = 'waiting', worker = '' where id = %s and status = 'claimed'",
        (piece_id,),
    )


def bury(connection: Connection, piece_id: int, message: str) -> None:
    """Count a death of a claimed piece, in a transaction; its lock must be the caller's.

    Nothing happens where the piece is done, given back or deleted.
    """
    with connection.transaction():
        row = connection.execute("select study_id from records_studypiece where id = %s", (piece_id,)).fetchone()
        if row is None:
            return
        _lock_study(connection, row[0])
        query = """
            update records_studypiece set
                deaths = deaths + 1,
                worker = '',
                status = case when deaths + 1 >= %(most)s then 'failed' else 'waiting' end,
                failure = case when deaths + 1 >= %(most)s then %(message)s else '' end,
                ended_at = case when deaths + 1 >= %(most)s then clock_timestamp() end
            where id = %(id)s and status = 'claimed' returning index, status
        """
        values = {"most": MAX_DEATHS, "message": message.replace("\0", "\N{REPLACEMENT CHARACTER}"), "id": piece_id}
        buried = connection.execute(query, values).fetchone()
        if buried is not None:
            logger.warning("piece %s of study %s lost its worker and is now %s", buried[0], row[0], buried[1])
            connection.execute(_FINISH, (row[0],))


def stop(connection: Connection, study_id: int, notice: str) -> None:
    """End a study that cannot go on, and say why on it."""
    logger.error("study %s: %s", study_id, notice)
    connection.execute(
        "update records_study set status = 'stopped', finished_at = clock_timestamp(), notice = %s "
        "where id = %s and status in ('running', 'paused')",
        (notice, study_id),
    )


def _lock_study(connection: Connection, study_id: int) -> None:
    """Make others who end pieces of this study wait until the transaction ends."""
    connection.execute("select 1 from records_study where id = %s for no key update", (study_id,))
