"""A hint as work: computed outside a transaction from the seat's view, with its progress noted on the way."""

from __future__ import annotations

import contextlib
import logging
import time

from django.db import connection as django_connection
from django.db import transaction

from webapp.records import locks
from webapp.records.work import LOST, Connection
from webapp.table.live import hint_claims, hints, positions
from webapp.table.live.hint_claims import HintClaim
from webapp.table.live.models import LiveMatch
from worker import tasks
from worker.recorder import INTERACTIVE
from worker.stopping import StopAskedError, StopSwitch
from worker.weighing import advice

logger = logging.getLogger(__name__)

REPORT_S = 0.2
"""Progress is noted, and asked whether it is wanted, so often."""


class _UnwantedError(Exception):
    """Nobody waits for this hint any more."""


class Hint:
    """A claimed hint (webapp.records.work.Claimed)."""

    lock_class = locks.HINT

    def __init__(self, connection: Connection, claim: HintClaim) -> None:
        self.connection = connection
        self.row_id = claim.hint_id
        self.claim = claim
        self._reported_at = 0.0

    def carry_out(self, stop: StopSwitch) -> None:
        """Compute it and give it; nothing where the match has moved on meanwhile."""
        match = LiveMatch.objects.filter(pk=self.claim.match_id).first()
        if match is None or (match.ply, match.digest) != (self.claim.ply, self.claim.digest):
            return
        position = positions.at(match)
        view = position.game.view(position.state, self.claim.seat)
        seed = self.claim.hint_id  # of no stream that a match draws from
        try:
            with stop.interruptible():
                found = advice.advice(position.game, view, self.claim.seat, seed, advice.EFFORT, self._tick)
        except (StopAskedError, _UnwantedError):
            return
        hints.give(self.claim.hint_id, self.claim.claimed_at, found)

    def _tick(self, done: float) -> None:
        now = time.monotonic()
        if now - self._reported_at < REPORT_S:
            return
        self._reported_at, is_wanted = now, True
        with contextlib.suppress(*LOST):  # where nobody can tell it is gone on with
            is_wanted = hint_claims.report(self.connection, self.claim, done)
        if not is_wanted:
            raise _UnwantedError

    def give_back(self, connection: Connection) -> None:
        """Let another worker have it, where it was not given."""
        hint_claims.give_back(connection, self.claim)

    def bury(self, message: str) -> None:
        """Count an exception as a death of this attempt."""
        logger.warning("hint %s of match %s: %s", self.claim.hint_id, self.claim.match_id, message)
        hint_claims.bury(self.connection, self.claim.hint_id)


def sweep() -> int:
    """Put up again what lost its worker, and wake workers for what waits; return how many messages were sent."""
    recover()
    with django_connection.cursor() as cursor:
        cursor.execute(hint_claims.NUM_WAITING)
        (waiting,) = cursor.fetchone()
    return tasks.wake(waiting, INTERACTIVE) if waiting else 0


def recover() -> int:
    """Find hints whose worker is gone; return how many. One lost with the server of Postgres counts no death."""
    with django_connection.cursor() as cursor:
        cursor.execute(hint_claims.CLAIMED)
        claimed = cursor.fetchall()
    return sum(_recover_one(hint_id, is_older_than_server) for hint_id, is_older_than_server in claimed)


@transaction.atomic
def _recover_one(hint_id: int, is_older_than_server: bool) -> bool:
    """Put a claimed hint up again; False where somebody works at it."""
    raw = django_connection.connection
    if not locks.take_briefly(raw, locks.HINT, hint_id):
        return False
    (hint_claims.reopen if is_older_than_server else hint_claims.bury)(raw, hint_id)
    return True
