"""The life of an engine's turn in SQL: who thinks about it, whether that is still wanted, giving it back.

As with chunks and pieces, the advisory lock is taken before the row is marked and given up
after the mark has gone: a marked match whose lock is free has lost its worker.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg

from webapp.records import locks
from webapp.table.live.models import LiveMatch

Connection = psycopg.Connection[Any]


@dataclass(frozen=True)
class TurnClaim:
    """An engine's turn as it was when it was claimed; `claimed_at` tells claims apart."""

    match_id: int
    seat: int
    ply: int
    digest: int
    worker: str
    claimed_at: datetime

    def is_held(self, match: LiveMatch) -> bool:
        """Whether the match stands where it did, and waits for this claim."""
        return match.claimed_at == self.claimed_at and self.is_due(match)

    def is_due(self, match: LiveMatch) -> bool:
        """Whether the match stands where it did."""
        if match.status != LiveMatch.Status.RUNNING or not match.is_engine_due:
            return False
        return (match.on_turn, match.ply, match.digest) == (self.seat, self.ply, self.digest)


_DUE = "m.status = 'running' and m.is_engine_due and m.worker = ''"
_TAKE = f"""
select m.on_turn, m.ply, m.digest from live_livematch m where m.id = %s and {_DUE} for no key update skip locked
"""
_MARK = "update live_livematch set worker = %s, claimed_at = clock_timestamp() where id = %s returning claimed_at"
_GIVE_BACK = "update live_livematch set worker = '', claimed_at = null where id = %s and claimed_at = %s"
_STANDING = "select on_turn, ply, digest, worker, claimed_at from live_livematch where id = %s and worker <> ''"
_IS_WANTED = """
select 1 from live_livematch
where id = %s and claimed_at = %s and status = 'running' and on_turn = %s and ply = %s and digest = %s
"""
_OF_EXPERIMENT = f"""
select m.id from live_livematch m
where m.experiment_id = %s and m.queue = 'batch' and {_DUE} order by m.turn_began_at, m.id
"""
_SERVE = "update records_experiment set served_at = clock_timestamp() where id = %s"

AT_TABLES = f"""
select 'table' as source, m.id, '' as spec, -coalesce(served.turns, 0) as priority, m.turn_began_at as served_at
from live_livematch m left join (
  select creator_id, count(*) as turns from live_livematch where is_engine_due and worker <> '' group by creator_id
) served on served.creator_id = m.creator_id
where m.queue = %(queue)s and m.experiment_id is null and {_DUE}
"""
"""Matches of no experiment in which an engine is on turn.

Whoever's matches have the fewest workers comes first, then the match that has waited longest.
"""

IN_EXPERIMENTS = f"""
select 'tables' as source, e.id, '' as spec, e.priority, e.served_at from records_experiment e
where %(queue)s = 'batch'
  and exists (select 1 from live_livematch m where m.experiment_id = e.id and m.queue = 'batch' and {_DUE})
"""
"""Experiments with such matches: they take turns with all others. Once begun a match goes on, whatever they do."""

CLAIMED = "select id, claimed_at < pg_postmaster_start_time() from live_livematch where worker <> '' order by id"
"""Turns that somebody thinks about, or did until their worker was lost; whether that was before Postgres started."""

NUM_DUE = f"select m.queue, count(*) from live_livematch m where {_DUE} group by m.queue order by m.queue desc"
"""By queue, how many turns wait for a worker; `interactive` first."""


def take(connection: Connection, worker: str, match_id: int, _: str = "") -> TurnClaim | None:
    """Claim the turn of an engine and hold its lock; None where it is not due, or somebody has it."""
    claim, is_locked = None, False
    try:
        with connection.transaction():
            row = connection.execute(_TAKE, (match_id,)).fetchone()  # type: ignore[arg-type]
            if row is None or not locks.take(connection, locks.TURN, match_id):
                return None
            is_locked = True
            marked = connection.execute(_MARK, (worker, match_id)).fetchone()
            assert marked is not None
        claim = TurnClaim(match_id, *row, worker, marked[0])
    finally:
        if claim is None and is_locked and not connection.closed:
            locks.release(connection, locks.TURN, match_id)
    return claim


def take_from_experiment(connection: Connection, worker: str, experiment_id: int, _: str) -> TurnClaim | None:
    """Claim the turn that has waited longest in the matches of an experiment."""
    for (match_id,) in connection.execute(_OF_EXPERIMENT, (experiment_id,)).fetchall():  # type: ignore[arg-type]
        claim = take(connection, worker, match_id)
        if claim is not None:
            connection.execute(_SERVE, (experiment_id,))
            return claim
    return None


def is_wanted(connection: Connection, claim: TurnClaim) -> bool:
    """Whether the match still waits for this claim."""
    values = (claim.match_id, claim.claimed_at, claim.seat, claim.ply, claim.digest)
    return connection.execute(_IS_WANTED, values).fetchone() is not None


def standing(connection: Connection, match_id: int) -> TurnClaim | None:
    """The claim that is noted on a match; None where there is none."""
    row = connection.execute(_STANDING, (match_id,)).fetchone()
    return None if row is None else TurnClaim(match_id, row[0], row[1], row[2], row[3], row[4])


def give_back(connection: Connection, claim: TurnClaim) -> None:
    """Let another worker have the turn; nothing where it was taken or is not ours."""
    connection.execute(_GIVE_BACK, (claim.match_id, claim.claimed_at))
