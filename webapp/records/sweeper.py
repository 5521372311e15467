"""Chunks and pieces that nobody works on: those that lost their worker, and those whose message was lost."""

from __future__ import annotations

from django.db import connection

from webapp.records import recovery
from webapp.records.chunks import CHUNKS
from webapp.records.jobs import EXPERIMENTS, STUDIES
from webapp.records.pieces import PIECES


def sweep() -> int:
    """Recover dead chunks and pieces and wake workers for what waits; return how many messages were sent.

    An experiment or study that was stopped in its last match or piece and resumed has nothing
    left to do: it is marked as finished here.

    Raises DatabaseError or psycopg.Error where Postgres cannot be reached.
    """
    for queue in (CHUNKS, PIECES):
        recovery.recover(queue)
    for jobs in (EXPERIMENTS, STUDIES):
        jobs.finish_all(connection.connection)
    return sum(recovery.wake(queue) for queue in (CHUNKS, PIECES))
