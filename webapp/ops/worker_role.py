"""Role of workers in the database: what they may read and write there, and nothing else.

A worker writes what is played: rows of records, of matches in play, of ratings and notices to agents. It does not see
what lets anybody in (passwords, sessions, tokens, secrets and addresses of webhooks), nor mail, nor what staff did, and
it owns nothing. `manage.py workers_role` makes it at each start of the lab, for the tables of that version.
"""

from __future__ import annotations

from typing import Any

import psycopg
from django.apps import apps
from psycopg import sql

from webapp.ops.worker_access import ROLE

PASSWORD = "WORKERS_PASSWORD"

WRITTEN = ("records", "live", "ratings")
"""Apps whose tables a worker reads and writes."""
GRANTS = {
    "hooks_delivery": "select, insert, update, delete",
    "hooks_hook": "select (id, agent_id, events)",
    "agents_agent": "select",
    "accounts_quota": "select",
    "accounts_user": "select (id, username, is_active, is_staff, is_superuser, is_guest)",
    "friends_presence": "select, insert, update",
    "strategies_strategy": "select",
    "django_migrations": "select",  # whether the code is of the lab's version
}
"""Rights in other tables."""


def make(connection: psycopg.Connection[Any], password: str, role: str = ROLE) -> None:
    """Make the role, or give it its password and its rights anew; in one transaction of the caller."""
    name = sql.Identifier(role)
    exists = connection.execute("select 1 from pg_roles where rolname = %s", (role,)).fetchone()
    verb = sql.SQL("alter" if exists else "create")
    options = sql.SQL("{} role {} login nosuperuser nocreatedb nocreaterole noinherit password {}")
    connection.execute(options.format(verb, name, sql.Literal(password)))
    for statement in ("revoke all on all tables in schema public from {}", "grant usage on schema public to {}"):
        connection.execute(sql.SQL(statement).format(name))
    database = sql.Identifier(connection.info.dbname)
    connection.execute(sql.SQL("grant connect, temporary on database {} to {}").format(database, name))
    for table, rights in _rights().items():
        granted = sql.SQL("grant {} on {} to {}").format(sql.SQL(rights), sql.Identifier(table), name)
        connection.execute(granted)


def _rights() -> dict[str, str]:
    """Rights by table. Numbers of rows are identity columns, which need no right of their own."""
    written = [model._meta.db_table for label in WRITTEN for model in apps.get_app_config(label).get_models()]
    return dict.fromkeys(written, "select, insert, update, delete") | GRANTS
