"""Statements of a claim, which Postgres plans once for a connection: planning them costs more than they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg

from webapp.records.jobs import Connection

THRESHOLD = 3
"""Times that a statement is asked for before it is prepared."""


def prepare_often_asked(connection: Connection) -> None:
    """Let statements that `run` is asked for again and again be prepared on this connection from now on."""
    connection.prepare_threshold = THRESHOLD


def run(connection: Connection, query: str, values: Mapping[str, Any]) -> psycopg.Cursor[tuple[Any, ...]]:
    """Execute a statement whose text is the same each time; values are sent beside it, not in it."""
    return psycopg.Cursor(connection).execute(query, values)
