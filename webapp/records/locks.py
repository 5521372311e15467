"""Advisory locks of Postgres: whoever plays a chunk holds one, and it dies with the connection.

The lock is taken before a chunk is marked as claimed and given up after the mark has gone, so
a claimed chunk whose lock is free has lost its worker. No clock or heartbeat is needed.
"""

from __future__ import annotations

from typing import Any

import psycopg

CHUNK_LOCK = 0x4D4C_0002
"""First key of a chunk's lock; the second is its id (below 2^31 for longer than we live)."""

Connection = psycopg.Connection[Any]


def try_chunk(connection: Connection, chunk_id: int) -> bool:
    """Take the chunk's lock for this connection, if nobody holds it."""
    return _asked(connection, "pg_try_advisory_lock", chunk_id)


def release_chunk(connection: Connection, chunk_id: int) -> None:
    """Give the lock up."""
    _asked(connection, "pg_advisory_unlock", chunk_id)


def try_chunk_briefly(connection: Connection, chunk_id: int) -> bool:
    """Take the chunk's lock until the end of the transaction, if nobody holds it."""
    return _asked(connection, "pg_try_advisory_xact_lock", chunk_id)


def _asked(connection: Connection, function: str, chunk_id: int) -> bool:
    query = f"select {function}(%s::int, %s::int)"
    row = connection.execute(query, (CHUNK_LOCK, chunk_id % 2**31)).fetchone()  # type: ignore[arg-type]
    return bool(row and row[0])
