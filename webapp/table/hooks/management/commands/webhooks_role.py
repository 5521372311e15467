"""Make the database role of the program that delivers webhooks: of all tables it sees three, and writes one."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from psycopg import sql

ROLE = "lab_webhooks"
PASSWORD = "WEBHOOKS_PASSWORD"
GRANTS = {
    "hooks_hook": "select",
    "hooks_delivery": "select, update, delete",
    "agents_agent": "select (id, owner_id)",  # whose turn it is
}


class Command(BaseCommand):
    """Makes the role, or gives it its password and rights anew. It may do nothing else, in this database at least."""

    help = f"Make the role {ROLE}, with the password in {PASSWORD}, for `manage.py deliver` in a container of its own."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, in one transaction."""
        password = os.environ.get(PASSWORD, "")
        if not password:
            raise CommandError(f"Set {PASSWORD}.")
        with transaction.atomic():
            make(password)


def make(password: str, role: str = ROLE) -> None:
    """Make the role, or renew it."""
    name = sql.Identifier(role)
    with connection.cursor() as cursor:
        cursor.execute("select 1 from pg_roles where rolname = %s", [role])
        verb = sql.SQL("alter" if cursor.fetchone() else "create")
        raw = connection.connection
        raw.execute(sql.SQL("{} role {} login noinherit password {}").format(verb, name, sql.Literal(password)))
        raw.execute(sql.SQL("revoke all on all tables in schema public from {}").format(name))
        raw.execute(sql.SQL("grant usage on schema public to {}").format(name))
        for table, rights in GRANTS.items():
            raw.execute(sql.SQL("grant {} on {} to {}").format(sql.SQL(rights), sql.Identifier(table), name))
