"""Engines' turns that nobody thinks about: those that lost their worker, and those whose message was lost."""

from __future__ import annotations

import logging

from django.db import connection, transaction

from webapp.records import locks
from webapp.table.live import engine_claims, engine_turns
from worker import tasks

logger = logging.getLogger(__name__)


def sweep() -> int:
    """Put up again what lost its worker, and wake workers for what waits; return how many messages were sent.

    Raises DatabaseError or psycopg.Error where Postgres cannot be reached.
    """
    recover()
    with connection.cursor() as cursor:
        cursor.execute(engine_claims.NUM_DUE)
        due = cursor.fetchall()
    return sum(tasks.wake(count, queue) for queue, count in due)


def recover() -> int:
    """Find turns whose worker is gone and count a failed attempt of each; return how many.

    What lost its worker because Postgres itself was started anew since is given back without one.
    One that cannot be dealt with is logged, and does not keep the others waiting.
    """
    with connection.cursor() as cursor:
        cursor.execute(engine_claims.CLAIMED)
        claimed = cursor.fetchall()
    found = 0
    for match_id, is_older_than_server in claimed:
        try:
            found += _recover_one(match_id, is_older_than_server)
        except Exception:
            if connection.connection is None or connection.connection.closed:
                raise
            logger.exception("the turn of match %s cannot be put up again", match_id)
    return found


@transaction.atomic
def _recover_one(match_id: int, is_older_than_server: bool) -> bool:
    """Put a claimed turn up again; False where somebody thinks about it."""
    if not locks.take_briefly(connection.connection, locks.TURN, match_id):
        return False
    claim = engine_claims.standing(connection.connection, match_id)
    if claim is None:
        return False
    if is_older_than_server:
        engine_claims.give_back(connection.connection, claim)
    else:
        engine_turns.bury(claim)
    return True
