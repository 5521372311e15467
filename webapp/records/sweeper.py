"""Chunks and pieces that nobody works on: those that lost their worker, and those whose message was lost."""

from __future__ import annotations

import logging
from typing import Any

from django.db import connection

from webapp.records import recovery
from webapp.records.claims import IS_DONE
from worker import tasks
from worker.recorder import ANALYSIS, BATCH

logger = logging.getLogger(__name__)

_WAITING = """
select count(*) from (
    select 1 from records_chunk c join records_experiment e on e.id = c.experiment_id
    where %(queue)s = 'batch' and e.status = 'running' and c.status = 'waiting'
    union all
    select 1 from records_studypiece p join records_study s on s.id = p.study_id
    where s.queue = %(queue)s and s.status = 'running' and p.status = 'waiting'
    limit %(most)s
) as found
"""


_FINISH = (
    f"""
    update records_experiment e set status = 'finished', finished_at = clock_timestamp()
    where status = 'running'
      and (e.secret_seed is not null or exists (select 1 from records_chunk c where c.experiment_id = e.id))
      and {IS_DONE}
    """,
    """
    update records_study s set status = 'finished', finished_at = clock_timestamp()
    where status = 'running'
      and exists (select 1 from records_studypiece p where p.study_id = s.id)
      and not exists (
          select 1 from records_studypiece p where p.study_id = s.id and p.status in ('waiting', 'claimed')
      )
    """,
)


def sweep() -> int:
    """Recover dead chunks and pieces and wake workers for what waits; return how many messages were sent.

    An experiment or study that was stopped in its last match or piece and resumed has nothing
    left to do: it is marked as finished here.

    Raises DatabaseError or psycopg.Error where Postgres cannot be reached.
    """
    connection.ensure_connection()
    recovered = recovery.recover(connection.connection)
    if recovered:
        logger.info("put up again %s chunks or pieces whose worker died", recovered)
    with connection.cursor() as cursor:
        for statement in _FINISH:
            cursor.execute(statement)
        waiting = {queue: _count_waiting(cursor, queue) for queue in (ANALYSIS, BATCH)}
    return sum(tasks.wake(count, queue) for queue, count in waiting.items() if count)


def _count_waiting(cursor: Any, queue: str) -> int:
    """How many chunks and pieces wait in a queue; so many as there may be messages are enough."""
    cursor.execute(_WAITING, {"queue": queue, "most": tasks.MAX_WAITING})
    (count,) = cursor.fetchone()
    return int(count)
