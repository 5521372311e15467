"""The connections to Postgres of a web process: a few, which its requests hand on to each other.

Other programs keep one or two of their own, whose advisory locks say that they live, and have no pool.
"""

from __future__ import annotations

import time
from typing import Any, TypeVar

import psycopg
from django.db import connection, connections
from psycopg.abc import PQGen, Query
from psycopg.rows import Row

from webapp.common.connection_counts import LISTENING, MOST

WAIT_S = 0.1
"""Seconds after which a wait looks whether it was interrupted; psycopg's own."""
PATIENCE_S = 4.0
"""Seconds after which a request is told that there is no connection: Postgres is away."""
ANSWER_S, CHECK_S = 12.0, 3.0
"""Seconds in which Postgres has to answer a page, and whether it lives: a frozen one keeps connections open."""
FRESH_S = 1.0
"""Seconds for which a connection is known to work after its last answer."""
CONNECT_S = 3
"""Seconds in which it has to take a new connection."""

T = TypeVar("T")


class PatientConnection(psycopg.Connection[Row]):
    """A connection that breaks where Postgres does not answer in time. No setting of a server that is frozen does."""

    _is_checked = False
    _answered_at = 0.0

    def wait(self, gen: PQGen[T], interval: float = WAIT_S, timeout: float | None = None) -> T:
        """Wait as psycopg does, with a bound. Raises OperationalError."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        bound_s = CHECK_S if self._is_checked else ANSWER_S
        ends_at = time.monotonic() + bound_s
        try:
            answer = super().wait(gen, interval, bound_s)
            self._answered_at = time.monotonic()
            return answer
        except psycopg.Error:
            if time.monotonic() < ends_at:
                raise
            self.pgconn.finish()
            raise psycopg.OperationalError(f"Postgres has not answered within {bound_s:.0f} s") from None

    def execute(self, query: Query, *values: Any, **further: Any) -> psycopg.Cursor[Row]:
        """Execute as psycopg does; the pool asks by an empty query whether a connection can be used.

        One that has answered a moment ago is not asked.
        """
        if not query and time.monotonic() - self._answered_at < FRESH_S:
            return self.cursor()
        self._is_checked = not query
        try:
            return super().execute(query, *values, **further)
        finally:
            self._is_checked = False


def open_pool() -> None:
    """Have all threads of this process share connections from now on; each is looked at before it is handed out."""
    values = connections.settings["default"]
    pool = {"min_size": 1, "max_size": MOST - LISTENING, "timeout": PATIENCE_S, "connection_class": PatientConnection}
    values["OPTIONS"] = {"connect_timeout": CONNECT_S} | values.get("OPTIONS", {}) | {"pool": pool}
    values["CONN_MAX_AGE"] = 0
    values["CONN_HEALTH_CHECKS"] = True


def give_back() -> None:
    """Give up the calling thread's connection; the next use takes another one."""
    if not connection.in_atomic_block:  # only in tests that share one transaction
        connection.close()


def own_connection(**parameters: Any) -> psycopg.Connection[Any]:
    """A new connection beside the pool, for the caller to close. parameters: of libpq, before those of the settings."""
    return psycopg.connect(**connection.get_connection_params() | parameters)
