"""Whether anything can be recorded: a real write in a transaction of its own, now and then.

A row that is changed in place finds room on a full disk, too. So the table of the probe is emptied, which gives it a
new file, and filled again: both need blocks that were free before, as matches do.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import psycopg
from psycopg import errors

from webapp.common import database_pool
from webapp.records.jobs import Connection

KEPT_S = 15.0
"""Age of a verdict up to which it is given again."""
ANSWERED_S = 1.0
"""The same for whether the database answers at all, which is cheap to ask, and what queries without end hang on."""
DEADLINE_S = 3.0
"""Nobody waits longer for a verdict: a server that hangs, or is cut off, says nothing at all."""
CONNECT_S = 3
PROBE_BYTES = 64 * 1024
LOCK = 0x4D4C_0010
"""Key of the advisory lock of whoever tries: one at a time is enough."""
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Verdict:
    """Whether a write went through; if not, why, in a sentence. answers: whether the database said anything."""

    is_ok: bool = True
    answers: bool = True
    sentence: str = ""


OK = Verdict()
SILENT = Verdict(False, False, "The database does not answer.")
READ_ONLY = Verdict(False, True, "The database is read-only.")
NO_ROOM = Verdict(False, True, "The database has no room left on its disk.")
REFUSED = Verdict(False, True, "The database refuses to write.")


def write(connection: Connection) -> None:
    """Write and commit. Raises psycopg.Error where that is refused."""
    with connection.transaction():
        connection.execute("set local lock_timeout = '1s'")
        connection.execute("set local statement_timeout = '2500ms'")
        row = connection.execute("select pg_try_advisory_xact_lock(%s)", (LOCK,)).fetchone()
        if row is None or not row[0]:
            return  # another process tries at this moment
        connection.execute("truncate watch_probe")
        connection.execute("insert into watch_probe (body) values (%s)", (os.urandom(PROBE_BYTES),))


def judge(error: BaseException) -> Verdict:
    """What an error of a write says about the database."""
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return READ_ONLY
    if isinstance(error, errors.DiskFull):
        return NO_ROOM
    if isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
        return SILENT  # no connection, or a broken one
    if isinstance(error, (errors.CannotConnectNow, errors.AdminShutdown, errors.CrashShutdown)):
        return SILENT
    return REFUSED


def _try() -> Verdict:
    """Write by a connection of its own, so that no other transaction is touched, and no pool is waited for."""
    try:
        with database_pool.own_connection(connect_timeout=CONNECT_S) as own:
            write(own)
    except (psycopg.Error, OSError) as error:
        logger.warning("nothing can be recorded: %s", error)
        return judge(error)
    return OK


def _ask() -> Verdict:
    """Ask by a connection of its own whether anybody is there: a server that hangs lets nobody in."""
    try:
        with database_pool.own_connection(connect_timeout=CONNECT_S) as own:
            own.execute("select 1")
    except (psycopg.Error, OSError) as error:
        return judge(error)
    return OK


class Recording:
    """The verdict of this process, tried anew when it is old; serves all threads, and lets none of them wait long."""

    def __init__(self, attempt: Callable[[], Verdict] = _try, kept_s: float = KEPT_S, deadline_s: float = DEADLINE_S):
        self._attempt = attempt
        self._kept_s = kept_s
        self._deadline_s = deadline_s
        self._verdict: Verdict | None = None
        self._tried_at = 0.0
        self._trial: threading.Thread | None = None
        self._lock = threading.Lock()

    def verdict(self) -> Verdict:
        """What the last trial said; `SILENT` while one says nothing. A good verdict is never older than `kept_s`."""
        with self._lock:
            is_fresh = self._verdict is not None and time.monotonic() - self._tried_at < self._kept_s
            if not is_fresh and (self._trial is None or not self._trial.is_alive()):
                self._verdict = None
                self._trial = threading.Thread(target=self._run, name="recording", daemon=True)
                self._trial.start()
            trial = self._trial
        if not is_fresh and trial is not None:
            trial.join(self._deadline_s)
        return self._verdict or SILENT

    def _run(self) -> None:
        found = self._attempt()
        self._verdict, self._tried_at = found, time.monotonic()


class Watched:
    """What a trial said while the database answers: good news of it may be `KEPT_S` old, and queries hang for ever."""

    def __init__(self, trials: Recording, questions: Recording):
        self._trials = trials
        self._questions = questions

    def verdict(self) -> Verdict:
        """The last trial's, or `SILENT`; both are asked for `DEADLINE_S` at most."""
        found = self._trials.verdict()
        return found if not found.answers or self._questions.verdict().answers else SILENT


recording = Watched(Recording(), Recording(_ask, ANSWERED_S))
"""That of this process."""
