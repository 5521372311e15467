"""Chunks, pieces and samples that nobody works on: those that lost their worker, or whose message was lost."""

from __future__ import annotations

from django.db import connection

from webapp.records import recovery
from webapp.records.chunks import CHUNKS
from webapp.records.jobs import EXPERIMENTS, STUDIES
from webapp.records.pieces import PIECES
from webapp.records.sample_checks import CHECKS


def sweep() -> int:
    """Recover what is dead and wake workers for what waits; return how many messages were sent.

    An experiment or study that was stopped in its last match or piece and resumed has nothing
    left to do: it is marked as finished here.

    Raises DatabaseError or psycopg.Error where Postgres cannot be reached.
    """
    for queue in (CHUNKS, PIECES, CHECKS):
        recovery.recover(queue)
    for jobs in (EXPERIMENTS, STUDIES):
        jobs.finish_all(connection.connection)
    return sum(recovery.wake(queue) for queue in (CHUNKS, PIECES, CHECKS))
