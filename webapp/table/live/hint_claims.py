"""The life of a hint in SQL: who works at it, how far it is, whether it is still wanted.

As with engines' turns, the advisory lock is taken before the row is marked and given up after
the mark has gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg

from webapp.records import locks

Connection = psycopg.Connection[Any]

MAX_DEATHS = 2
"""So many attempts that end with the worker's death make it a failed one."""


@dataclass(frozen=True)
class HintClaim:
    """A hint as it was claimed; `claimed_at` tells claims apart."""

    hint_id: int
    match_id: int
    seat: int
    ply: int
    digest: int
    worker: str
    claimed_at: datetime


WAITING = """
select 'hint' as source, h.id, '' as spec, -1000 as priority, h.asked_at as served_at from live_livehint h
where h.status = 'waiting' and %(queue)s = 'interactive'
"""
"""Hints come after all turns that engines have to play, the one that has waited longest first."""
_TAKE = "select 1 from live_livehint where id = %s and status = 'waiting' for no key update skip locked"
_MARK = """
update live_livehint set status = 'claimed', worker = %s, claimed_at = clock_timestamp() where id = %s
returning match_id, seat, ply, digest, claimed_at
"""
_PROGRESS = """
update live_livehint h set progress = %s from live_livematch m
where h.id = %s and h.claimed_at = %s and h.status = 'claimed'
  and m.id = h.match_id and m.status = 'running' and (m.ply, m.digest) = (h.ply, h.digest)
returning 1
"""
_GIVE_BACK = """
update live_livehint set status = 'waiting', worker = '' where id = %s and status = 'claimed' and claimed_at = %s
"""
_BURY = """
update live_livehint set deaths = deaths + 1, worker = '',
  status = case when deaths + 1 >= %s then 'failed' else 'waiting' end
where id = %s and status = 'claimed'
"""
_REOPEN = "update live_livehint set status = 'waiting', worker = '' where id = %s and status = 'claimed'"

CLAIMED = "select id, claimed_at < pg_postmaster_start_time() from live_livehint where status = 'claimed' order by id"
"""Hints that somebody works at, or did until their worker was lost; whether that was before Postgres started."""
NUM_WAITING = "select count(*) from live_livehint where status = 'waiting'"


def take(connection: Connection, worker: str, hint_id: int, _: str = "") -> HintClaim | None:
    """Claim a hint and hold its lock; None where it waits no more, or somebody has it."""
    claim, is_locked = None, False
    try:
        with connection.transaction():
            if connection.execute(_TAKE, (hint_id,)).fetchone() is None:
                return None
            if not locks.take(connection, locks.HINT, hint_id):
                return None
            is_locked = True
            row = connection.execute(_MARK, (worker, hint_id)).fetchone()
            assert row is not None
        claim = HintClaim(hint_id, *row[:4], worker, row[4])
    finally:
        if claim is None and is_locked and not connection.closed:
            locks.release(connection, locks.HINT, hint_id)
    return claim


def report(connection: Connection, claim: HintClaim, progress: float) -> bool:
    """Note how far it is; say whether the match still waits for it."""
    return connection.execute(_PROGRESS, (progress, claim.hint_id, claim.claimed_at)).fetchone() is not None


def give_back(connection: Connection, claim: HintClaim) -> None:
    """Let another worker have it; nothing where it was given, taken or is not ours."""
    connection.execute(_GIVE_BACK, (claim.hint_id, claim.claimed_at))


def reopen(connection: Connection, hint_id: int) -> None:
    """Let another worker have what nobody holds any more, without counting a death."""
    connection.execute(_REOPEN, (hint_id,))


def bury(connection: Connection, hint_id: int) -> None:
    """Count a death of whoever worked at it; the second one ends it."""
    connection.execute(_BURY, (MAX_DEATHS, hint_id))
