"""Visitors of pages of play: the match that they come to, and that they are here."""

from __future__ import annotations

from django.http import HttpRequest

from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.people.friends import presence
from webapp.play import preferences
from webapp.table.live import access
from webapp.table.live.access import Asker
from webapp.table.live.table_seats import Table


def visit(request: HttpRequest, code: str) -> Table:
    """The match with this code, for the person who asks. Raises Http404."""
    table = access.find(code, Asker(guests.person(request)))
    note_presence(table.person, at_table=bool(table.seats) and not table.match.is_over)
    return table


def note_presence(person: User | None, *, at_table: bool = False) -> None:
    """Note for friends that somebody is here, unless they prefer not to be seen."""
    if person is None or not presence.is_due(person, at_table=at_table):
        return
    if preferences.load(person).presence:
        presence.note(person, at_table=at_table)
