"""Postgres' own programs for clients, pg_dump and psql: which fit a server, and how they reach the lab's database."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import psycopg
from django.db import connection

from webapp.ops import postgres
from webapp.ops.postgres import PostgresError, Programs


def fitting(server_major: int, found: Iterable[Programs] | None = None) -> Programs:
    """The programs of the server's own major version, else the next newer ones. Raises PostgresError without any.

    pg_dump refuses a server that is newer than itself.
    """
    listed = list(postgres.all_clients() if found is None else found)
    newer = sorted((one for one in listed if one.major >= server_major), key=lambda one: one.major)
    if newer:
        return newer[0]
    majors = ", ".join(str(one.major) for one in listed) or "none"
    raise PostgresError(
        f"The database is Postgres {server_major}, and pg_dump and psql must not be older; found here: {majors}. "
        f"Install the clients of Postgres {server_major} (on Debian or Ubuntu: postgresql-client-{server_major})."
    )


def server_version() -> tuple[int, str]:
    """Major version of the lab's server, and the whole of it ("18.6")."""
    with connection.cursor() as cursor:
        cursor.execute("select current_setting('server_version_num')::int, current_setting('server_version')")
        number, text = cursor.fetchone()
    return number // 10_000, str(text).split()[0]


def connection_parameters() -> dict[str, Any]:
    """How to reach the lab's database, in the words of libpq."""
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()}
    given: dict[str, Any] = connection.get_connection_params()
    return {name: value for name, value in given.items() if name in known and value not in (None, "")}


def connection_arguments() -> tuple[list[str], dict[str, str]]:
    """Argument and environment with which pg_dump and psql reach the lab's database; no list shows the password."""
    params, environment = connection_parameters(), dict(os.environ)
    if "password" in params:
        environment["PGPASSWORD"] = str(params.pop("password"))
    return [f"--dbname={psycopg.conninfo.make_conninfo(**params)}", "--no-password"], environment
