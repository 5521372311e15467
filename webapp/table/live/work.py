"""Where the lab's work comes from: all that `webapp.records` has, engines' turns at tables, and hints.

`LabWork` is what `settings.MATCH_RECORDER` names.
"""

from __future__ import annotations

import contextlib
from typing import Any

import psycopg

from webapp.records import locks, turns
from webapp.records.turns import Source
from webapp.records.work import LOST, Claimed, Connection, PostgresWork
from webapp.table.live import engine_claims, engine_turns, hint_claims
from webapp.table.live.engine_claims import TurnClaim
from webapp.table.live.hint_claims import HintClaim
from webapp.table.live.hint_work import Hint
from worker.records import Failure
from worker.stopping import StopSwitch


class EngineTurn:
    """A claimed turn of an engine (webapp.records.work.Claimed)."""

    lock_class = locks.TURN

    def __init__(self, connection: Connection, claim: TurnClaim) -> None:
        self.connection = connection
        self.row_id = claim.match_id
        self.claim = claim

    def carry_out(self, stop: StopSwitch) -> None:
        """Let the engine decide, and play its action."""
        engine_turns.carry_out(self.claim, stop, self._is_wanted)

    def _is_wanted(self) -> bool:
        """Whether the match waits for this; also where nobody can tell."""
        with contextlib.suppress(*LOST):
            return engine_claims.is_wanted(self.connection, self.claim)
        return True

    def give_back(self, connection: Connection) -> None:
        """Let another worker have the turn, where nothing was played."""
        engine_claims.give_back(connection, self.claim)

    def bury(self, message: str) -> None:
        """Count an exception of our own as a failed attempt."""
        engine_turns.fail(self.claim, Failure(self.claim.seat, "exception", message))


class LabWork(PostgresWork):
    """Hands out chunks, pieces, engines' turns and hints (worker.recorder.WorkSource)."""

    sources = turns.SOURCES | {
        "table": Source(engine_claims.AT_TABLES, engine_claims.take),
        "tables": Source(engine_claims.IN_EXPERIMENTS, engine_claims.take_from_experiment),
        "hint": Source(hint_claims.WAITING, hint_claims.take),
    }

    def _work_of(self, connection: psycopg.Connection[Any], claim: Any) -> Claimed:
        if isinstance(claim, TurnClaim):
            return EngineTurn(connection, claim)
        if isinstance(claim, HintClaim):
            return Hint(connection, claim)
        return super()._work_of(connection, claim)
