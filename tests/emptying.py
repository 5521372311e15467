"""Empties the database after a test that commits: only tables that have rows, and nothing is made anew.

Django's own way empties every table and then makes all permissions and content types again, which
takes longer than most tests. These two are written by migrations and by nobody else: they stay.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import connection, transaction

KEPT = frozenset({"django_content_type", "auth_permission"})


@cache
def _tables() -> tuple[str, ...]:
    """The tables of all models, but those that stay."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return tuple(sorted(set(names) - KEPT))


def empty(_: Any = None) -> None:
    """Delete all rows; foreign keys are checked at the end of the transaction, so that no order matters."""
    with transaction.atomic(), connection.cursor() as cursor:
        quoted = {name: connection.ops.quote_name(name) for name in _tables()}
        has_rows = (f"SELECT '{name}' WHERE EXISTS (SELECT FROM {table})" for name, table in quoted.items())
        cursor.execute(" UNION ALL ".join(has_rows))
        for (name,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {quoted[name]}")
