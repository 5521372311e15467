"""Advisory locks of Postgres: who holds one has claimed a row (`queue`), and it dies with the connection."""

from __future__ import annotations

from typing import Any

import psycopg

CHUNK, PIECE, TURN = 0x4D4C_0002, 0x4D4C_0003, 0x4D4C_0004
RATINGS, HINT, WORKER = 0x4D4C_0005, 0x4D4C_0006, 0x4D4C_0007
DOWNLOAD, DOWNLOAD_OF_ONE = 0x4D4C_0008, 0x4D4C_0009
ARCHIVE, BACKUP = 0x4D4C_000A, 0x4D4C_000B
SNAPSHOT, CHECK = 0x4D4C_000C, 0x4D4C_000D
"""First key of a lock: the class; the second is the row's id (below 2^31 for longer than we live).

Of RATINGS it is a game's place in the registry. WORKER and the two of downloads are held for the life of a
connection: DOWNLOAD is one of the lab's slots, DOWNLOAD_OF_ONE one of a person's or an address's. ARCHIVE is whose
turn it is to move plies, SNAPSHOT whose turn it is to make snapshots; BACKUP is shared by all that make one, and no
file of the archive or of a snapshot goes meanwhile.
"""

CLAIMS = (CHUNK, PIECE, TURN, HINT, CHECK)
"""Classes by which a worker holds what it is at."""

Connection = psycopg.Connection[Any]


def take(connection: Connection, lock_class: int, row_id: int) -> bool:
    """Take a lock for this connection, if nobody holds it."""
    return _asked(connection, "pg_try_advisory_lock", lock_class, row_id)


def release(connection: Connection, lock_class: int, row_id: int) -> None:
    """Give a lock up."""
    _asked(connection, "pg_advisory_unlock", lock_class, row_id)


def take_briefly(connection: Connection, lock_class: int, row_id: int) -> bool:
    """Take a lock until the end of the transaction, if nobody holds it."""
    return _asked(connection, "pg_try_advisory_xact_lock", lock_class, row_id)


def wait_for(connection: Connection, lock_class: int, row_id: int) -> None:
    """Take a lock until the end of the transaction, as soon as nobody else holds it."""
    connection.execute("select pg_advisory_xact_lock(%s::int, %s::int)", (lock_class, row_id % 2**31))


HELD = """
select l.objid::bigint from pg_locks l join pg_database d on d.oid = l.database
where l.locktype = 'advisory' and l.objsubid = 2 and d.datname = current_database() and l.classid::bigint = %s
"""
"""SQL for the ids of the locks of a class that somebody holds."""


def _asked(connection: Connection, function: str, lock_class: int, row_id: int) -> bool:
    query = f"select {function}(%s::int, %s::int)"
    row = psycopg.Cursor(connection).execute(query, (lock_class, row_id % 2**31)).fetchone()
    return bool(row and row[0])
