"""Looks after work that nobody does: dead chunks are put up again, workers are woken.

Everything it needs is in Postgres, so it survives a lost queue and lost messages; when
Postgres or the queue are away it waits and tries again.
"""

from __future__ import annotations

import logging
import threading

import psycopg
from django.db import DatabaseError, InterfaceError, connection

from webapp.records import recovery
from worker import tasks

logger = logging.getLogger(__name__)

PERIOD_S = 3.0
MAX_PAUSE_S = 30.0

_WAITING = """
select count(*) from (
    select 1 from records_chunk c join records_experiment e on e.id = c.experiment_id
    where e.status = 'running' and c.status = 'waiting' limit %s
) as found
"""


_FINISH = """
update records_experiment e set status = 'finished', finished_at = clock_timestamp()
where status = 'running'
  and exists (select 1 from records_chunk c where c.experiment_id = e.id)
  and not exists (select 1 from records_chunk c where c.experiment_id = e.id and c.status <> 'done')
"""


def sweep() -> int:
    """Recover dead chunks and wake workers for what waits; return how many messages were sent.

    An experiment that was stopped in its last match and resumed has nothing left to play: it
    is marked as finished here.

    Raises DatabaseError or psycopg.Error where Postgres cannot be reached.
    """
    connection.ensure_connection()
    recovered = recovery.recover(connection.connection)
    if recovered:
        logger.info("put up again the matches of %s chunks whose worker died", recovered)
    with connection.cursor() as cursor:
        cursor.execute(_FINISH)
        cursor.execute(_WAITING, [tasks.MAX_WAITING])
        (waiting,) = cursor.fetchone()
    return tasks.wake(waiting) if waiting else 0


def run(ended: threading.Event, period_s: float = PERIOD_S) -> None:
    """Sweep every few seconds until `ended` is set, with longer pauses while Postgres is away."""
    pause = period_s
    while not ended.is_set():
        try:
            sweep()
            pause = period_s
        except (psycopg.Error, DatabaseError, InterfaceError) as error:
            connection.close()
            pause = min(2 * pause, MAX_PAUSE_S)
            logger.warning("the database cannot be reached, trying again in %.0f s: %s", pause, error)
        ended.wait(pause)
