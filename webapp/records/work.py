"""Where work comes from: chunks of experiments, claimed in SQL, one worker at a time.

`PostgresWork` is what `settings.MATCH_RECORDER` names. It has a connection of its own, which
holds the advisory lock of the chunk being played and writes its matches: whoever loses that
connection loses the claim, and can write no more.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import psycopg
from django.db import Error as DjangoDatabaseError
from django.db import connections, transaction

from webapp.records import claims, locks, recorder, recovery, summaries
from webapp.records.claims import Claim
from webapp.records.models import Chunk, Experiment
from worker import schedule, tasks
from worker.records import MatchRecord
from worker.spec import MatchSpec

logger = logging.getLogger(__name__)

STATUS_S = 0.5
"""Pause and stop are looked up at most this often."""

RETURN_S, RETRY_S = 10.0, 0.25
"""How long, and how often, a worker that lost its connection tries to give its chunk back."""

Connection = psycopg.Connection[Any]


def open_chunks(experiment: Experiment, pieces: Iterable[tuple[int, int, int]]) -> int:
    """Insert waiting chunks from (arm, first ordinal, size); return how many."""
    rows = [Chunk(experiment=experiment, arm_index=arm, first=first, size=size) for arm, first, size in pieces]
    return len(Chunk.objects.bulk_create(rows, batch_size=2000))


def wake() -> None:
    """Once the current transaction has committed, tell workers that there is work.

    Never fails: where the queue cannot be reached, the sweeper wakes them later.
    """
    transaction.on_commit(tasks.wake)


class PostgresChunk:
    """A claimed chunk (worker.recorder.Chunk)."""

    def __init__(self, connection: Connection, claim: Claim) -> None:
        self.connection = connection
        self.claim = claim
        self.written = claim.written
        self._target = recorder.Target(
            claim.experiment_id, claim.configurations, claim.worker, claim.chunk_id % summaries.SHARDS
        )
        self._asked_at = time.monotonic()
        self._is_running = True

    def matches(self) -> Iterator[MatchSpec]:
        """The matches still to play; ends early when the experiment is paused, stopped or deleted."""
        claim = self.claim
        rest = schedule.match_specs(claim.spec, claim.arm, claim.first + claim.written, claim.size - claim.written)
        for match in rest:
            if not self._is_wanted():
                return
            yield match

    def _is_wanted(self) -> bool:
        if time.monotonic() - self._asked_at >= STATUS_S:
            self._is_running = claims.is_running(self.connection, self.claim.experiment_id)
            self._asked_at = time.monotonic()
        return self._is_running

    def write(self, records: Sequence[MatchRecord]) -> None:
        """Keep these matches, the next ones of the chunk, in one transaction with its progress.

        Raises ClaimLostError where the experiment was deleted meanwhile.
        """
        if not records:
            return
        with self.connection.transaction():
            claims.keep_experiment(self.connection, self.claim.experiment_id)
            claims.advance(self.connection, self.claim, self.written, len(records))
            recorder.write(self.connection, self._target, records)
        self.written += len(records)

    def finish(self) -> None:
        """Mark the chunk as done where all of it is written, and its experiment with the last one."""
        if self.written == self.claim.size:
            claims.finish(self.connection, self.claim)


class PostgresWork:
    """Hands out chunks of running experiments (worker.recorder.WorkSource)."""

    def __init__(self) -> None:
        self.worker = f"{socket.gethostname()[:100]}:{os.getpid()}"
        self._wrapper: Any = None

    @contextlib.contextmanager
    def claim(self) -> Iterator[PostgresChunk | None]:
        """Claim the next chunk (None: nothing to do); leaving the context releases it.

        A chunk left unfinished without an exception, or by one that ends the process, goes back
        as it is. Any other exception counts as a death of its attempt. Where the connection is
        lost, the chunk goes back over a new one, or is found by the sweeper.
        """
        connection = self._connection()
        claim = claims.take(connection, self.worker)
        if claim is None:
            yield None
            return
        try:
            yield PostgresChunk(connection, claim)
        except claims.ClaimLostError as error:
            logger.info("%s", error)
        except (psycopg.OperationalError, psycopg.InterfaceError):
            self._return_anyhow(claim, patience_s=RETURN_S)
            raise
        except Exception as error:
            recovery.bury(connection, claim.chunk_id, f"{type(error).__name__}: {error}")
            raise
        except BaseException:
            self._return_anyhow(claim)
            raise
        else:
            claims.give_back(connection, claim)
        finally:
            self._release(claim)

    def close(self) -> None:
        """Close the connection; a claim that it holds is lost."""
        if self._wrapper is not None:
            self._wrapper.close()
            self._wrapper = None

    def _connection(self) -> Connection:
        """The open connection, or a new one where there is none that works."""
        if self._wrapper is not None:
            try:
                self._wrapper.connection.execute("select 1")
            except psycopg.Error:
                self.close()
        if self._wrapper is None:
            wrapper = connections.create_connection("default")
            wrapper.ensure_connection()
            self._wrapper = wrapper
            # A worker on another machine that vanishes must lose its locks in a minute, not in hours.
            wrapper.connection.execute("set tcp_keepalives_idle = 30")
            wrapper.connection.execute("set tcp_keepalives_interval = 10")
            wrapper.connection.execute("set tcp_keepalives_count = 3")
        connection: Connection = self._wrapper.connection
        return connection

    def _return_anyhow(self, claim: Claim, patience_s: float = 0.0) -> None:
        """Give a chunk back though the connection may be broken or in the middle of something.

        A server that starts anew is waited for; after that the sweeper finds the chunk.
        """
        deadline = time.monotonic() + patience_s
        self.close()
        while True:
            try:
                claims.give_back(self._connection(), claim)
                return
            except (psycopg.Error, DjangoDatabaseError) as error:
                self.close()
                if time.monotonic() > deadline:
                    logger.warning("chunk %s is left to the sweeper: %s", claim.chunk_id, error)
                    return
                time.sleep(RETRY_S)

    def _release(self, claim: Claim) -> None:
        """Give up the lock; a lost connection has given it up already."""
        if self._wrapper is not None and not self._wrapper.connection.closed:
            with contextlib.suppress(psycopg.OperationalError):
                locks.release_chunk(self._wrapper.connection, claim.chunk_id)
