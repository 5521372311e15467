"""Visitors of a match in play, on its pages."""

from __future__ import annotations

from django.http import HttpRequest

from webapp.people.accounts import guests
from webapp.table.live import access
from webapp.table.live.access import Asker
from webapp.table.live.table_seats import Table


def visit(request: HttpRequest, code: str) -> Table:
    """The match with this code, for the person who asks. Raises Http404."""
    return access.find(code, Asker(guests.person(request)))
