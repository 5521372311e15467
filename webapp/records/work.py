"""Where work comes from: chunks of experiments and pieces of studies, claimed in SQL by one worker at a time.

`PostgresWork` is what `settings.MATCH_RECORDER` names. It has a connection of its own, which
holds the advisory lock of the chunk or piece being worked on and writes what comes out: whoever
loses that connection loses the claim, and can write no more.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import psycopg
from django.db import Error as DjangoDatabaseError
from django.db import InterfaceError, OperationalError, connections, transaction

from webapp.records import claims, locks, piece_claims, recorder, recovery, summaries, turns
from webapp.records.claims import Claim
from webapp.records.models import Chunk, Experiment, Study, StudyPiece
from webapp.records.piece_claims import PieceClaim
from webapp.records.turns import Source
from worker import schedule, tasks
from worker.play import play_chunk
from worker.recorder import BATCH, Work
from worker.records import MatchRecord
from worker.spec import MatchSpec
from worker.stopping import StopSwitch
from worker.studies import pieces
from worker.studies.pieces import Outcome

logger = logging.getLogger(__name__)

STATUS_S = 0.5
"""Pause and stop are looked up at most this often."""

RETURN_S, RETRY_S = 10.0, 0.25
"""How long, and how often, a worker that lost its connection tries to write or give back its work."""

LOST = (psycopg.OperationalError, psycopg.InterfaceError, OperationalError, InterfaceError)
"""What a lost connection raises, ours or Django's."""

Connection = psycopg.Connection[Any]


def open_chunks(experiment: Experiment, chunks: Iterable[tuple[int, int, int]]) -> int:
    """Insert waiting chunks from (arm, first ordinal, size); return how many."""
    rows = [Chunk(experiment=experiment, arm_index=arm, first=first, size=size) for arm, first, size in chunks]
    return len(Chunk.objects.bulk_create(rows, batch_size=2000))


def open_pieces(study: Study) -> int:
    """Insert the waiting pieces of a new study; return how many."""
    rows = [StudyPiece(study=study, index=index) for index in range(study.num_pieces)]
    return len(StudyPiece.objects.bulk_create(rows, batch_size=2000))


def wake(queue: str = BATCH) -> None:
    """Once the current transaction has committed, tell workers of a queue that there is work.

    Never fails: where the queue cannot be reached, the sweeper wakes them later.
    """
    transaction.on_commit(partial(tasks.wake, queue=queue))


class PostgresChunk:
    """A claimed chunk (worker.recorder.Work, worker.play.Chunk)."""

    lock_class = locks.CHUNK

    def __init__(self, connection: Connection, claim: Claim) -> None:
        self.connection = connection
        self.row_id = claim.chunk_id
        self.claim = claim
        self.written = claim.written
        self._target = recorder.Target(
            claim.experiment_id, claim.configurations, claim.worker, claim.chunk_id % summaries.SHARDS
        )
        self._asked_at = time.monotonic()
        self._is_running = True

    def carry_out(self, stop: StopSwitch) -> None:
        """Play the matches and write them."""
        play_chunk(self, stop)

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

    def give_back(self, connection: Connection) -> None:
        """Let another worker have the rest."""
        claims.give_back(connection, self.claim)

    def bury(self, message: str) -> None:
        """Count an exception as a death of this attempt."""
        recovery.bury(self.connection, self.row_id, message)


class PostgresPiece:
    """A claimed piece of a study (worker.recorder.Work, worker.studies.pieces.Piece)."""

    lock_class = locks.PIECE

    def __init__(self, connection: Connection, claim: PieceClaim, reconnect: Callable[[], Connection]) -> None:
        self.connection = connection
        self._reconnect = reconnect
        self.row_id = claim.piece_id
        self.claim = claim
        self.spec = claim.spec
        self.index = claim.index

    def carry_out(self, stop: StopSwitch) -> None:
        """Do the piece and write its outcome."""
        pieces.work_on(self, stop)

    def write(self, outcome: Outcome) -> None:
        """Keep the outcome, which may be hours of work: once more where the connection was lost meanwhile.

        Raises ClaimLostError where the study was deleted, or another has the piece.
        """
        try:
            piece_claims.write(self.connection, self.claim, outcome)
        except LOST:
            if not self._is_regained():
                raise
            piece_claims.write(self.connection, self.claim, outcome)

    def _is_regained(self) -> bool:
        """Whether the lock of the piece is held again, by a new connection."""
        try:
            self.connection = self._reconnect()
        except (psycopg.Error, DjangoDatabaseError):
            return False
        return locks.take(self.connection, self.lock_class, self.row_id)

    def give_back(self, connection: Connection) -> None:
        """Let another worker have the piece, where it is not done."""
        piece_claims.give_back(connection, self.claim)

    def bury(self, message: str) -> None:
        """Count an exception as a death of this attempt."""
        piece_claims.bury(self.connection, self.row_id, message)


class Claimed(Work, Protocol):
    """Claimed work, and how it is given back."""

    lock_class: int
    row_id: int
    claim: Any
    connection: Connection

    def give_back(self, connection: Connection) -> None:
        """Let another worker have what is not done."""

    def bury(self, message: str) -> None:
        """Count an exception as a death of this attempt."""


class PostgresWork:
    """Hands out work of running experiments and studies (worker.recorder.WorkSource)."""

    sources: Mapping[str, Source] = turns.SOURCES

    def __init__(self) -> None:
        self.worker = f"{socket.gethostname()[:100]}:{os.getpid()}"
        self._wrapper: Any = None

    @contextlib.contextmanager
    def claim(self, queue: str = BATCH) -> Iterator[Any]:
        """Claim the next chunk or piece (None: nothing to do); leaving the context releases it.

        One left unfinished without an exception, or by one that ends the process, goes back as
        it is. Any other exception counts as a death of its attempt. Where the connection is
        lost, it goes back over a new one, or is found by the sweeper.
        """
        connection = self._connection()
        claim = turns.take(connection, self.worker, queue, self.sources)
        if claim is None:
            yield None
            return
        found = self._work_of(connection, claim)
        try:
            yield found
        except claims.ClaimLostError as error:
            logger.info("%s", error)
        except LOST:
            self._return_anyhow(found, patience_s=RETURN_S)
            raise
        except Exception as error:
            found.bury(f"{type(error).__name__}: {error}")
            raise
        except BaseException:
            self._return_anyhow(found)
            raise
        else:
            found.give_back(found.connection)
        finally:
            self._release(found)

    def _work_of(self, connection: Connection, claim: Any) -> Claimed:
        """What is done with a claim of one of the sources."""
        if isinstance(claim, Claim):
            return PostgresChunk(connection, claim)
        assert isinstance(claim, PieceClaim)
        return PostgresPiece(connection, claim, partial(self._reconnected, RETURN_S))

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

    def _return_anyhow(self, found: Claimed, patience_s: float = 0.0) -> None:
        """Give work back though the connection may be broken or in the middle of something.

        What cannot be given back the sweeper finds.
        """
        try:
            found.give_back(self._reconnected(patience_s))
        except (psycopg.Error, DjangoDatabaseError) as error:
            self.close()
            logger.warning("%s is left to the sweeper: %s", found.claim, error)

    def _reconnected(self, patience_s: float) -> Connection:
        """A new connection; a server that starts anew is waited for."""
        deadline = time.monotonic() + patience_s
        self.close()
        while True:
            try:
                return self._connection()
            except (psycopg.Error, DjangoDatabaseError):
                self.close()
                if time.monotonic() > deadline:
                    raise
                time.sleep(RETRY_S)

    def _release(self, found: Claimed) -> None:
        """Give up the lock; a lost connection has given it up already."""
        if self._wrapper is not None and not self._wrapper.connection.closed:
            with contextlib.suppress(psycopg.OperationalError):
                locks.release(self._wrapper.connection, found.lock_class, found.row_id)
