"""Open seats, reserved for invited people or open to anybody: the list of them, and how one is taken."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from webapp.common.errors import RefusedError
from webapp.people.accounts.models import User
from webapp.people.friends import selectors as friends
from webapp.table.live import invitations, match_limits, match_setup
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import ANYBODY
from webapp.table.live.table_seats import Table

PUBLIC_SEATS = Q(kind=LiveSeat.Kind.OPEN, name=ANYBODY)


@dataclass(frozen=True)
class InvitableFriend:
    """A friend who may be asked to a match. place: as `friends.selectors.Friend` has it."""

    name: str
    place: str
    is_invited: bool


def list_invitable(table: Table) -> list[InvitableFriend]:
    """Friends whom the asker can invite to an open match of theirs, and those who are invited."""
    match, person = table.match, table.person
    if person is None or person.is_guest or not table.is_creator or match.status != LiveMatch.Status.OPEN:
        return []
    seated, invited = {row.person_id for row in table.rows}, invitations.invited_to(match)
    return [
        InvitableFriend(friend.name, friend.place, friend.pk in invited)
        for friend in friends.friends(person)
        if friend.pk not in seated
    ]


def list_open_seats(match: LiveMatch, *, invited: bool) -> list[LiveSeat]:
    """The seats that somebody may take, those kept for invited people first."""
    if match.status != LiveMatch.Status.OPEN:
        return []
    rows = match.seats.filter(kind=LiveSeat.Kind.OPEN).order_by("seat")
    if not invited:
        return list(rows.filter(PUBLIC_SEATS)) if match.visibility == LiveMatch.Visibility.PUBLIC else []
    return sorted(rows, key=lambda row: (row.name == ANYBODY, row.seat))


def take_open_seat(match: LiveMatch, person: User, *, invited: bool) -> LiveSeat:
    """Sit down at the first free seat. Raises RefusedError."""
    match_limits.check_limit(person)
    for entry in list_open_seats(match, invited=invited):
        try:
            return match_setup.join(match.pk, person=person, seat=entry.seat)
        except RefusedError:  # somebody was quicker
            match.refresh_from_db()
    raise RefusedError("Somebody was quicker: all seats of this match are taken.")
