"""Whether worker processes still breathe: each beats, the sweeper counts its looks since, and cuts off who is silent.

A connection keeps its locks while its process is frozen or its machine asleep. So a thread of each process sets
`silence` of its row to zero every few seconds, and the sweeper adds one at each look. No clock is compared: where
the database stands still or takes no writes, neither counts. Who is silent for `MAX_SILENCE` looks loses its
connection, and so its claims, at once; what it held is given back without counting a death. Once it comes back its
connection is gone and another token stands on its rows, so it writes nothing.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import psycopg
from django.db import Error as DjangoDatabaseError

from webapp.records import locks
from webapp.records.jobs import Connection

logger = logging.getLogger(__name__)

BEAT_S = 8.0
LOOK_S = 2.5
"""The sweeper looks at most this often; usually every three seconds."""
MAX_SILENCE = 12
"""Looks without a beat: a frozen process loses its work after 36 to 45 seconds."""
CUT_WAIT_MS = 5000

_BEAT = "update records_workerprocess set beat_at = clock_timestamp(), silence = 0 where name = %s"
_LOOK = f"update records_workerprocess set silence = silence + 1 where id in ({locks.HELD}) and silence < 1000000"
_SILENT = """
select w.name, l.pid from records_workerprocess w
join pg_locks l on l.locktype = 'advisory' and l.objsubid = 2 and l.granted
    and l.classid::bigint = %s and l.objid::bigint = w.id
join pg_database d on d.oid = l.database and d.datname = current_database()
where w.silence >= %s
"""


def beat(connection: Connection, name: str) -> None:
    """Let it be known that a process lives."""
    connection.execute(_BEAT, (name,))


class Heart:
    """A thread that beats for this process until it ends, over other connections than that of its work.

    beat: called with the name every few seconds.
    """

    def __init__(self, name: str, beat: Callable[[str], None], every_s: float = BEAT_S) -> None:
        self._name, self._beat, self._every_s = name, beat, every_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heart", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(self._every_s):
            try:
                self._beat(self._name)
            except (psycopg.Error, DjangoDatabaseError) as error:
                logger.info("no heartbeat: %s", error)


def cut_silent(connection: Connection) -> list[str]:
    """Look once, and cut off who has been silent for too long; return their names.

    Raises psycopg.Error where the database takes no writes: then nobody's silence counts.
    """
    connection.execute(_LOOK, (locks.WORKER,))
    found = connection.execute(_SILENT, (locks.WORKER, MAX_SILENCE)).fetchall()
    for name, backend in found:
        logger.warning("%s has not been heard of: its work is given to others", name)
        connection.execute("select pg_terminate_backend(%s, %s)", (backend, CUT_WAIT_MS))
    return [str(name) for name, _ in found]
