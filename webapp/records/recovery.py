"""Recovery of claims whose worker died, and of work whose message was lost.

What lost its worker because Postgres itself was started anew since is given back without
counting a death.
"""

from __future__ import annotations

import logging
from typing import Any

from django.db import connection, transaction

from webapp.records import faults, locks
from webapp.records.queue import Queue
from worker import tasks
from worker.recorder import QUEUES

logger = logging.getLogger(__name__)


def recover(queue: Queue[Any]) -> int:
    """Put up again what lost its worker, or bury it; return how many. What is leased runs out by itself.

    One that cannot be put up again is logged, and does not keep the others waiting.
    """
    if queue.lock is None:
        return 0
    connection.ensure_connection()
    found = 0
    for row_id, is_older_than_server in queue.claimed_rows(connection.connection):
        try:
            found += _recover_one(queue, queue.lock, row_id, is_older_than_server)
        except Exception:
            if connection.connection is None or connection.connection.closed:
                raise
            logger.exception("%s %s cannot be put up again", queue.word, row_id)
    return found


@transaction.atomic
def _recover_one(queue: Queue[Any], lock: int, row_id: int, is_older_than_server: bool) -> bool:
    """Put a marked row up again; False where somebody works at it."""
    raw = connection.connection
    if not locks.take_briefly(raw, lock, row_id):
        return False
    claim = queue.standing(raw, row_id)
    if claim is None:
        return False
    logger.warning("%s %s lost its worker", queue.word, row_id)
    if is_older_than_server:
        queue.give_back(raw, claim)
    else:
        worker = queue.holder(raw, row_id)
        queue.bury(raw, claim, queue.died)
        faults.note(raw, worker, f"{queue.word} {row_id}", queue.died or "the worker ended without a word")
    return True


def wake(queue: Queue[Any]) -> int:
    """Wake workers for what waits; return how many messages were sent."""
    connection.ensure_connection()
    counts = {name: queue.num_waiting(connection.connection, name, tasks.MAX_WAITING) for name in QUEUES}
    return sum(tasks.wake(count, name) for name, count in counts.items() if count)
