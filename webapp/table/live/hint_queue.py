"""A hint as work: computed outside a transaction from the seat's view, with its progress noted on the way."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass

from games.protocol import Game
from webapp.records import locks, recovery
from webapp.records.claimed_task import LOST, ClaimedTask, Worker
from webapp.records.queue import Claim, Queue
from webapp.records.turns import Source
from webapp.table.live import hints, position_cache
from webapp.table.live.models import LiveMatch
from worker import cold_start
from worker.action_values import advice, best_actions
from worker.stop_switch import StopAskedError, StopSwitch, UnwantedError

REPORT_S = 0.2
"""Seconds between two notes of progress, each of which checks that the hint is still wanted."""

_PROGRESS = """
update live_livehint h set progress = %s from live_livematch m
where h.id = %s and h.claimed_at = %s and h.status = 'claimed'
  and m.id = h.match_id and m.status = 'running' and (m.ply, m.digest) = (h.ply, h.digest)
returning 1
"""
_WAITING = """
select 'hint' as source, h.id, m.creator_id as owner_id, 1 as rank, 0 as priority, h.asked_at as served_at
from live_livehint h join live_livematch m on m.id = h.match_id
where h.status = 'waiting' and %(queue)s = 'interactive'
"""
"""Hints come after all turns that engines have to play."""
_HELD = """
select m.creator_id as owner_id from live_livehint h join live_livematch m on m.id = h.match_id
where h.status = 'claimed' and %(queue)s = 'interactive'
"""


@dataclass(frozen=True)
class HintClaim(Claim):
    """A claimed hint."""

    match_id: int
    seat: int
    ply: int
    digest: int


HINTS = Queue(
    word="hint",
    table="live_livehint",
    claim=HintClaim,
    columns=("r.match_id", "r.seat", "r.ply", "r.digest"),
    order="r.asked_at, r.id",
    lock=locks.HINT,
    served_by="'interactive'",
    ended="status = 'failed', worker = ''",
)


class Hint(ClaimedTask[HintClaim]):
    """A claimed hint at work."""

    queue = HINTS

    def __init__(self, worker: Worker, claim: HintClaim) -> None:
        super().__init__(worker, claim)
        self._reported_at = 0.0

    def carry_out(self, stop: StopSwitch) -> None:
        """Compute it and give it; nothing where the match has moved on meanwhile."""
        match = LiveMatch.objects.filter(pk=self.claim.match_id).first()
        if match is None or (match.ply, match.digest) != (self.claim.ply, self.claim.digest):
            return
        position = position_cache.position_at(match)
        view = position.game.view(position.state, self.claim.seat)
        seed = self.claim.row_id  # of no stream that a match draws from
        try:
            with stop.interruptible():
                self._prepare(position.game)
                found = advice.advice(position.game, view, self.claim.seat, seed, advice.EFFORT, self._tick)
        except (StopAskedError, UnwantedError):
            return
        hints.store_result(self.claim.row_id, self.claim.token, found)

    def _prepare(self, game: Game) -> None:
        """Have what a hint calls compiled; raises BusyError where another process is at it."""
        if cold_start.is_cold(lambda: advice.prepare(game)):
            level = best_actions.searcher(game)
            with cold_start.compiling_alone(game.id, level.engine if level else ""):
                advice.prepare(game)

    def _tick(self, done: float) -> None:
        now = time.monotonic()
        if now - self._reported_at < REPORT_S:
            return
        self._reported_at, is_wanted = now, True
        with contextlib.suppress(*LOST):  # where nobody can tell it is gone on with
            values = (done, self.claim.row_id, self.claim.token)
            is_wanted = self.connection.execute(_PROGRESS, values).fetchone() is not None
        if not is_wanted:
            raise UnwantedError


def take(worker: Worker, hint_id: int) -> Hint | None:
    """Claim a hint; None where it waits no more, or somebody has it."""
    claim = HINTS.take(worker.connection, worker.name, "r.id = %(hint)s", hint=hint_id)
    return None if claim is None else Hint(worker, claim)


SOURCES = {"hint": Source(_WAITING, _HELD, take, is_single=True)}


def sweep() -> int:
    """Put up again what lost its worker, and wake workers for what waits; return how many messages were sent."""
    recovery.recover(HINTS)
    return recovery.wake(HINTS)
