"""Engines' turns as work: the queue of matches in which an engine has to play, and who comes first."""

from __future__ import annotations

import contextlib

from webapp.records import locks, recovery
from webapp.records.claimed_task import LOST, ClaimedTask, Worker
from webapp.records.jobs import EXPERIMENTS, Connection
from webapp.records.queue import Queue
from webapp.records.turns import Source
from webapp.table.live import engine_turns
from webapp.table.live.engine_claims import TurnClaim
from worker.records import Failure
from worker.stop_switch import StopSwitch

DUE = "r.status = 'running' and r.is_engine_due and r.worker = ''"


def _leave(_: Connection, dead: TurnClaim, message: str) -> None:
    """Count the death of the process that thought as a failed attempt."""
    engine_turns.fail(dead, Failure(dead.seat, "died", message))


TURNS = Queue(
    word="the turn of match",
    table="live_livematch",
    claim=TurnClaim,
    columns=("r.on_turn", "r.ply", "r.digest"),
    order="r.turn_began_at, r.id",
    lock=locks.TURN,
    waiting=DUE,
    claimed="r.worker <> ''",
    taken="worker = %(worker)s, claimed_at = clock_timestamp()",
    freed="worker = '', claimed_at = null",
    jobs=EXPERIMENTS,
    job="r.experiment_id",
    outlasts_pause=True,  # once begun a match goes on, whatever its experiment does
    served_by="r.queue",
    deaths="attempts",
    died="the worker at this ply ended without a word",
    leave=_leave,
)

_IS_WANTED = """
select 1 from live_livematch
where id = %s and claimed_at = %s and status = 'running' and on_turn = %s and ply = %s and digest = %s
"""


class EngineTurn(ClaimedTask[TurnClaim]):
    """A claimed turn at work."""

    queue = TURNS

    def carry_out(self, stop: StopSwitch) -> None:
        """Let the engine decide, and play its action."""
        self.is_done = engine_turns.carry_out(self.claim, stop, self._is_wanted)

    def _is_wanted(self) -> bool:
        """Whether the match waits for this; also where nobody can tell."""
        claim = self.claim
        values = (claim.row_id, claim.token, claim.seat, claim.ply, claim.digest)
        with contextlib.suppress(*LOST):
            return self.connection.execute(_IS_WANTED, values).fetchone() is not None
        return True

    def bury(self, message: str) -> None:
        """Count an exception of our own as a failed attempt; over Django's connection, as whatever follows from it."""
        engine_turns.fail(self.claim, Failure(self.claim.seat, "exception", message))


def take(worker: Worker, match_id: int) -> EngineTurn | None:
    """Claim the turn of an engine in a match; None where it is not due, or somebody has it."""
    claim = TURNS.take(worker.connection, worker.name, "r.id = %(match)s", match=match_id)
    return None if claim is None else EngineTurn(worker, claim)


def take_from_experiment(worker: Worker, experiment_id: int) -> EngineTurn | None:
    """Claim the turn that has waited longest in the matches of an experiment."""
    among = "r.experiment_id = %(job)s"
    claim = TURNS.take(worker.connection, worker.name, among, job=experiment_id)
    return None if claim is None else EngineTurn(worker, claim)


AT_TABLES = f"""
select 'table' as source, r.id, r.creator_id as owner_id, 0 as rank, 0 as priority, r.turn_began_at as served_at
from live_livematch r where r.queue = %(queue)s and r.experiment_id is null and {DUE}
"""
"""Matches of no experiment in which an engine is on turn."""
HELD = """
select r.creator_id as owner_id from live_livematch r
where r.queue = %(queue)s and r.is_engine_due and r.worker <> ''
"""

IN_EXPERIMENTS = f"""
select 'tables' as source, e.id, e.owner_id, 0 as rank, e.priority, e.served_at from records_experiment e
where exists (select 1 from live_livematch r where r.experiment_id = e.id and r.queue = %(queue)s and {DUE})
"""
"""Experiments with such matches."""
NOBODY = "select null::int as owner_id where false"
"""Turns in matches of experiments are among `HELD` already."""

SOURCES = {
    "table": Source(AT_TABLES, HELD, take, is_single=True),
    "tables": Source(IN_EXPERIMENTS, NOBODY, take_from_experiment, is_charged=True),
}


def sweep() -> int:
    """Put up again what lost its worker, and wake workers for what waits; return how many messages were sent.

    Raises DatabaseError or psycopg.Error where Postgres cannot be reached.
    """
    recovery.recover(TURNS)
    return recovery.wake(TURNS)
