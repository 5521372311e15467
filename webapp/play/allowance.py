"""How many matches one account may have open or running at once."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from webapp.accounts.models import User
from webapp.common.steering import RefusedError
from webapp.live.models import LiveMatch, LiveSeat

MAX_LIVE = 40
LIVE = (LiveMatch.Status.OPEN, LiveMatch.Status.RUNNING)


def check(person: User) -> None:
    """Raises RefusedError where one more would be too many."""
    if live(person).count() >= MAX_LIVE:
        raise RefusedError(f"You have {MAX_LIVE} matches open or running. Finish or cancel some first.")


def live(person: User) -> QuerySet[LiveMatch]:
    """Matches that the person plays or has opened for others; not those that wait for an agent alone."""
    seats = LiveSeat.objects.filter(match=OuterRef("pk"))
    plays = Exists(seats.filter(person=person, kind=LiveSeat.Kind.PERSON))
    has_agents = Exists(seats.filter(kind=LiveSeat.Kind.AGENT))
    return LiveMatch.objects.filter(plays | Q(creator=person) & ~has_agents, experiment=None, status__in=LIVE)
