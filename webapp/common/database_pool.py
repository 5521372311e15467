"""The connections to Postgres of a web process: a few, which its requests hand on to each other.

Other programs keep one or two of their own, whose advisory locks say that they live, and have no pool.
"""

from __future__ import annotations

from typing import Any

import psycopg
from django.db import connection, connections

from webapp.common import admission

SPARE = 2
"""Connections beside those of the requests in work: one looks for matches that have moved (`pulse`)."""
LISTENING = 1
"""Connections that a process has beside its pool: one is told of moves (`pulse`)."""
MOST = admission.PLACES + SPARE + LISTENING
DOWNLOADS = 8
"""Downloads of the whole lab at once: each has a connection of its own, beside the pools."""
PATIENCE_S = 10.0
"""Seconds after which a request is told that there is no connection: Postgres is away."""


def open_pool() -> None:
    """Have all threads of this process share connections from now on; each is looked at before it is handed out."""
    values = connections.settings["default"]
    values["OPTIONS"] = values.get("OPTIONS", {}) | {
        "pool": {"min_size": 1, "max_size": MOST - LISTENING, "timeout": PATIENCE_S}
    }
    values["CONN_MAX_AGE"] = 0
    values["CONN_HEALTH_CHECKS"] = True


def give_back() -> None:
    """Give up the calling thread's connection; the next use takes another one."""
    if not connection.in_atomic_block:  # only in tests that share one transaction
        connection.close()


def own_connection(**parameters: Any) -> psycopg.Connection[Any]:
    """A new connection beside the pool, for the caller to close. parameters: of libpq, before those of the settings."""
    return psycopg.connect(**connection.get_connection_params() | parameters)
