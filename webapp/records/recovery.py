"""Recovery of claims whose worker died, and of work whose message was lost.

Not every lost worker speaks against its work. What is given back without counting a death: a claim older than the
start of the database's server, or than the last moment at which it took no writes (then nobody can give anything
back); and that of a process that was silent and has been cut off (`heartbeats`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

import psycopg
from django.db import connection, transaction

from webapp.records import faults, heartbeats, locks
from webapp.records.queue import Queue
from webapp.records.waking import tasks
from worker.recorder import QUEUES

logger = logging.getLogger(__name__)

REFUSED = (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.InsufficientResources, psycopg.errors.IoError)
"""Exceptions of a database that can be reached and takes no writes: read-only, or its disk is full."""

_BLAMELESS = f"""
(r.claimed_at < greatest(pg_postmaster_start_time(), %s::timestamptz)
 or exists (select 1 from records_workerprocess w where w.name = r.worker and w.silence >= {heartbeats.MAX_SILENCE}))
"""


class Refusals:
    """When the database took no writes, as far as this process has seen."""

    def __init__(self) -> None:
        self.ended_at: datetime | None = None  # by the database's clock
        self._is_refusing = False

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Around a write: note a refusal, and its end. The exception passes through."""
        try:
            yield
        except REFUSED as error:
            if not self._is_refusing:
                logger.warning("the database takes no writes: %s", error)
            self._is_refusing = True
            raise
        if self._is_refusing:
            row = connection.connection.execute("select clock_timestamp()").fetchone()
            self.ended_at, self._is_refusing = row[0], False
            logger.warning("the database takes writes again")


REFUSALS = Refusals()


def cut_silent() -> int:
    """Look at who beats, and cut off who is silent; return how many. Nobody is while the database takes no writes."""
    connection.ensure_connection()
    with suppress(*REFUSED), REFUSALS.noted():
        return len(heartbeats.cut_silent(connection.connection))
    return 0


def recover(queue: Queue[Any]) -> int:
    """Put up again what lost its worker, or bury it; return how many. What is leased runs out by itself.

    One that cannot be put up again is logged, and does not keep the others waiting.
    """
    if queue.lock is None:
        return 0
    connection.ensure_connection()
    found = 0
    blameless = psycopg.ClientCursor(connection.connection).mogrify(_BLAMELESS, (REFUSALS.ended_at,))
    for row_id, is_blameless in queue.claimed_rows(connection.connection, blameless):
        try:
            found += _recover_one(queue, queue.lock, row_id, is_blameless)
        except Exception:
            if connection.connection is None or connection.connection.closed:
                raise
            logger.exception("%s %s cannot be put up again", queue.word, row_id)
    return found


@transaction.atomic
def _recover_one(queue: Queue[Any], lock: int, row_id: int, is_blameless: bool) -> bool:
    """Put a marked row up again; False where somebody works at it."""
    raw = connection.connection
    if not locks.take_briefly(raw, lock, row_id):
        return False
    claim = queue.standing(raw, row_id)
    if claim is None:
        return False
    logger.warning("%s %s lost its worker", queue.word, row_id)
    if is_blameless:
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
