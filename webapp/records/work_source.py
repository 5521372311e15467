"""Source of work: chunks of experiments and pieces of studies, claimed in SQL by one worker at a time.

`PostgresWorkSource` has a connection of its own, which holds the advisory lock of the chunk or piece
being worked on and writes what comes out: a worker that loses the connection loses the claim, and can
write no more. `settings.MATCH_RECORDER` names the source that adds the work of matches in play.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from django.db import Error as DjangoDatabaseError
from django.db import connections, transaction

from games import compile_locks
from games.compile_locks import BusyError
from webapp.records import chunks as chunk_work
from webapp.records import (
    codes,
    cpu_weeks,
    disk,
    faults,
    heartbeats,
    orders,
    prepared,
    recovery,
    turns,
    worker_processes,
)
from webapp.records import pieces as piece_work
from webapp.records.claimed_task import LOST, ClaimedTask, Worker
from webapp.records.jobs import Connection
from webapp.records.models import Chunk, Experiment, Study, StudyPiece
from webapp.records.queue import ClaimLostError
from webapp.records.turns import Source
from webapp.records.waking import tasks
from webapp.records.worker_processes import Announcement, Standing
from worker import log_ids, machine
from worker.recorder import BATCH

logger = logging.getLogger(__name__)

RETURN_S, RETRY_S = 10.0, 0.25
"""Time for which, and interval at which, a worker that lost its connection tries to write or give back its work."""

AWAY = (*LOST, *recovery.REFUSED)
"""Exceptions of a database that cannot be reached, or takes no writes: no fault of the work."""

MEASURE_S = 30.0
"""How often a process whose speed could not be measured tries again."""
ASK_S = 1.0
"""What the lab says to this process is looked up at most this often between matches."""

JUST_S = 0.2
"""What it says as a message is taken holds for the first claim after it, which comes at once."""
KEEP_S = 60
"""Django's connection of a worker is that old at most when a message comes; each message has it looked at first."""
_NOT_ASKED = (-math.inf, Standing())

SOURCES = {"experiment": chunk_work.SOURCE, "study": piece_work.SOURCE}
"""Sources by name. Rooms above may have more (`webapp.table.live.work_source`)."""


def open_chunks(experiment: Experiment, chunks: Iterable[tuple[int, int, int]]) -> int:
    """Insert waiting chunks from (arm, first ordinal, size); return how many."""
    rows = [Chunk(experiment=experiment, arm_index=arm, first=first, size=size) for arm, first, size in chunks]
    return len(Chunk.objects.bulk_create(rows, batch_size=2000))


def open_pieces(study: Study) -> int:
    """Insert the waiting pieces of a new study; return how many."""
    rows = [StudyPiece(study=study, index=index) for index in range(study.num_pieces)]
    return len(StudyPiece.objects.bulk_create(rows, batch_size=2000))


def wake(queue: str = BATCH) -> None:
    """Tell workers of a queue that there is work, once the current transaction has committed.

    Never fails: where the queue cannot be reached, the sweeper wakes them later.
    """
    transaction.on_commit(partial(tasks.wake, queue=queue))


def _ids(found: ClaimedTask[Any]) -> dict[str, log_ids.Id]:
    """Ids of claimed work, for the log: "experiment" and "chunk", "study" and "piece", "match", "hint"."""
    ids = {found.queue.word.rpartition(" ")[2]: str(found.claim.row_id)}
    if found.claim.job_id is not None:
        ids["study" if found.turn is not None and found.turn[0] == "study" else "experiment"] = str(found.claim.job_id)
    return dict(ids)


class PostgresWorkSource:
    """Hands out work of running experiments and studies (worker.recorder.WorkSource)."""

    sources: Mapping[str, Source] = SOURCES

    def __init__(self) -> None:
        self.worker = compile_locks.process_name()
        self._wrapper: Any = None
        self._queues: tuple[str, ...] = ()
        self._was_entered = False
        self._refusal = ""
        self._asked_at = 0.0
        self._just_asked = _NOT_ASKED
        self._is_keeping = False
        self._speed: float | None = None
        self._measured_again_at = 0.0
        self._passed: dict[tuple[str, int], Path] = {}
        """What is left out, and the kernels that another process compiles for it."""
        self._declined: dict[tuple[str, int], tuple[str, str]] = {}
        """What is left to others, and why."""

    def announce(self, queues: Sequence[str]) -> None:
        """Let it be known that this process serves these queues: now, or when the database is back."""
        self._queues = tuple(queues)
        try:
            self._connection()
        except (psycopg.Error, DjangoDatabaseError) as error:
            self.close()
            logger.warning("not announced yet: %s", error)

    def keep_beating(self) -> None:
        """Beat from now on, until this process ends (`heartbeats`)."""
        heartbeats.Heart(self.worker, orders.beat).start()

    def keep_connections(self) -> None:
        """Keep Django's connection, too, from one message to the next: a new one costs more than an engine's turn."""
        self._is_keeping = True
        connections.settings["default"] |= {"CONN_MAX_AGE": KEEP_S, "CONN_HEALTH_CHECKS": True}

    def may_serve(self) -> bool:
        """Whether this process is given work: its code is the lab's, and nobody told it to take no more."""
        if self._is_keeping:
            connections["default"].close_if_unusable_or_obsolete()
        standing = self._standing(self._connection())
        self._just_asked = (time.monotonic(), standing)
        return not self._refusal and not standing.order

    @contextlib.contextmanager
    def claim(self, queue: str = BATCH) -> Iterator[ClaimedTask[Any] | None]:
        """Claim the next chunk or piece (None: nothing to do); leaving the context releases it.

        One left unfinished without an exception, or by one that ends the process, goes back as
        it is. Any other exception counts as a death of its attempt. Where the connection is
        lost, it goes back over a new one, or is found by the sweeper. What needs kernels that another
        process compiles goes back, too, and is passed over until they are ready.
        """
        found = self._take(queue)
        if found is None:
            yield None
            return
        began_at = time.monotonic()
        try:
            with log_ids.bound(**_ids(found)):
                yield found
        except ClaimLostError as error:
            logger.info("%s", error)
        except BusyError as error:
            found.give_back(found.connection)
            self._pass_over(found, error.folder)
        except AWAY:
            self._return_anyhow(found, patience_s=RETURN_S)
            raise
        except Exception as error:
            found.bury(f"{type(error).__name__}: {error}")
            self._note_fault(found, error)
            raise
        except BaseException:
            self._return_anyhow(found)
            raise
        else:
            found.give_back(found.connection)
        finally:
            self._release(found, queue, time.monotonic() - began_at)

    def close(self) -> None:
        """Close the connection; a claim that it holds is lost."""
        if self._wrapper is not None:
            self._wrapper.close()
            self._wrapper = None

    def _take(self, queue: str) -> ClaimedTask[Any] | None:
        """Claim what comes next for this process; None where nothing does, or where it takes no work."""
        connection, standing = self._present_standing()
        if self._refusal or standing.order:
            return None
        self._forget_passed(connection)
        worker = Worker(
            self.worker,
            connection,
            partial(self._reconnected, RETURN_S),
            speed=self._known_speed(connection),
            declined=dict(self._declined),
            may_go_on=self._may_go_on,
        )
        foreign = codes.left_out(connection, standing, queue)
        found = turns.take(worker, queue, self._open_sources(), _Either(self._passed, foreign or ()))
        self._note_declined(connection, worker.declined, found)
        return found

    def _present_standing(self) -> tuple[Connection, Standing]:
        """The connection, and what the lab says: what it said to `may_serve` a moment ago serves one claim."""
        (asked_at, standing), self._just_asked = self._just_asked, _NOT_ASKED
        if time.monotonic() - asked_at < JUST_S and self._wrapper is not None and not self._wrapper.connection.closed:
            return self._wrapper.connection, standing
        connection = self._connection()
        return connection, self._standing(connection)

    def _known_speed(self, connection: Connection) -> float | None:
        """Speed of this machine; while its kernels are not compiled it is asked again now and then."""
        if BATCH in self._queues and self._speed is None and time.monotonic() >= self._measured_again_at:
            self._measured_again_at = time.monotonic() + MEASURE_S
            self._speed = machine.speed()
            worker_processes.note_speed(connection, self.worker, self._speed)
        return self._speed

    def _standing(self, connection: Connection) -> Standing:
        """What the lab says to this process, which notes where it is refused."""
        if not self._queues:
            return Standing()
        standing = worker_processes.standing(connection, self.worker)
        refusal = codes.refusal(standing)
        if refusal != self._refusal:
            self._refusal = refusal
            worker_processes.note_refusal(connection, self.worker, refusal)
            logger.warning("%s", refusal or "this worker's code is the lab's again")
        self._asked_at = time.monotonic()
        return standing

    def _may_go_on(self) -> bool:
        """Whether another match of a claimed chunk may begin; looked up once a second. Also where nobody can tell."""
        if not self._queues or time.monotonic() - self._asked_at < ASK_S or self._wrapper is None:
            return True
        with contextlib.suppress(*AWAY):
            standing = self._standing(self._wrapper.connection)
            return not self._refusal and not standing.order
        return True

    def _note_declined(
        self,
        connection: Connection,
        declined: dict[tuple[str, int], tuple[str, str]],
        found: ClaimedTask[Any] | None,
    ) -> None:
        """Say what is left to others, once each."""
        if found is not None and found.turn is not None:
            declined.pop(found.turn, None)
        if declined == self._declined:
            return
        for (source, work_id), (_, why) in declined.items() - self._declined.items():
            logger.warning("%s %s is left to other workers: %s", source, work_id, why)
        self._declined = declined
        worker_processes.note_declined(connection, self.worker, declined)

    def _open_sources(self) -> Mapping[str, Source]:
        """The sources of what may be handed out now."""
        if not disk.is_full():
            return self.sources
        return {name: source for name, source in self.sources.items() if not source.fills_disk}

    def _pass_over(self, found: ClaimedTask[Any], kernels: Path) -> None:
        if found.turn is not None:
            logger.info("%s %s waits for %s", *found.turn, kernels.name)
            self._note_passed(found.connection, self._passed | {found.turn: kernels})

    def _forget_passed(self, connection: Connection) -> None:
        """Hand out again whose kernels are ready, or are not being compiled any more."""
        busy = {turn: kernels for turn, kernels in self._passed.items() if compile_locks.is_busy(kernels)}
        if busy != self._passed:
            self._note_passed(connection, busy)

    def _note_passed(self, connection: Connection, passed: dict[tuple[str, int], Path]) -> None:
        self._passed = passed
        names = {turn: kernels.name for turn, kernels in passed.items()}
        worker_processes.note_passed(connection, self.worker, names)

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
            # A worker on another machine that vanishes must lose its locks in a minute, not in hours.
            wrapper.connection.execute("set tcp_keepalives_idle = 30")
            wrapper.connection.execute("set tcp_keepalives_interval = 10")
            wrapper.connection.execute("set tcp_keepalives_count = 3")
            prepared.prepare_often_asked(wrapper.connection)
            if self._queues:
                self._enter(wrapper.connection)
            self._wrapper = wrapper
        connection: Connection = self._wrapper.connection
        return connection

    def _enter(self, connection: Connection) -> None:
        parent = f"{self.worker.rpartition(':')[0]}:{os.getppid()}"
        cpu = machine.processor()
        process = Announcement(self.worker, self._queues, program=parent, cpu=cpu, speed=self._speed)
        worker_processes.enter(connection, process, is_new=not self._was_entered)
        self._known_speed(connection)
        codes.register(connection)
        self._was_entered = True

    def _return_anyhow(self, found: ClaimedTask[Any], patience_s: float = 0.0) -> None:
        """Give work back though the connection may be broken or in the middle of something.

        A database that takes no writes is tried again for so long. What cannot be given back the sweeper finds.
        """
        deadline = time.monotonic() + patience_s
        while True:
            try:
                found.give_back(self._reconnected(patience_s))
                return
            except (psycopg.Error, DjangoDatabaseError) as error:
                self.close()
                if time.monotonic() > deadline:
                    logger.warning("%s is left to the sweeper: %s", found.claim, error)
                    return
                time.sleep(RETRY_S)

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

    def _note_fault(self, found: ClaimedTask[Any], error: Exception) -> None:
        """Note an exception for whoever runs the lab; one that cannot be noted is in the log all the same."""
        with contextlib.suppress(psycopg.Error):
            what = f"{found.queue.word} {found.claim.row_id}"
            faults.note(found.connection, self.worker, what, f"{type(error).__name__}: {error}")

    def _release(self, found: ClaimedTask[Any], queue: str, seconds: float) -> None:
        """Give up the lock, and note whose time it was; a lost connection has given it up already."""
        if self._wrapper is not None and not self._wrapper.connection.closed:
            with contextlib.suppress(psycopg.OperationalError):
                found.queue.release(self._wrapper.connection, found.claim)
                worker_processes.count_claim(self._wrapper.connection, self.worker, queue, seconds)
                if found.owner_id is not None:
                    turns.charge(self._wrapper.connection, found.owner_id, seconds)
                    if found.is_charged:
                        cpu_weeks.charge(self._wrapper.connection, found.owner_id, found.cpu_s)


class _Either(Container[object]):
    """What is in one of several containers."""

    def __init__(self, *parts: Container[object]) -> None:
        self._parts = parts

    def __contains__(self, item: object) -> bool:
        return any(item in part for part in self._parts)
