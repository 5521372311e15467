"""Limits of the matches that an account and its agents may have open or running, experiments apart."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from webapp.common.errors import RefusedError
from webapp.people.accounts.models import User
from webapp.table.live.models import LiveMatch, LiveSeat

MAX_LIVE = 40
MAX_UNFINISHED = 200
"""Matches of all agents of one owner."""
LIVE = (LiveMatch.Status.OPEN, LiveMatch.Status.RUNNING)


def check_limit(person: User) -> None:
    """Raises RefusedError where one more would be too many."""
    if live_matches(person).count() >= MAX_LIVE:
        raise RefusedError(f"You have {MAX_LIVE} matches open or running. Finish or cancel some first.")


def live_matches(person: User) -> QuerySet[LiveMatch]:
    """Matches that the person plays or has opened for others; not those that wait for an agent alone."""
    seats = LiveSeat.objects.filter(match=OuterRef("pk"))
    plays = Exists(seats.filter(person=person, kind=LiveSeat.Kind.PERSON))
    has_agents = Exists(seats.filter(kind=LiveSeat.Kind.AGENT))
    return LiveMatch.objects.filter(plays | Q(creator=person) & ~has_agents, experiment=None, status__in=LIVE)


def check_agents(owner_id: int) -> None:
    """Raises RefusedError where one more would be too many for the agents of one owner."""
    seats = LiveSeat.objects.filter(match=OuterRef("pk"), agent__owner=owner_id, kind=LiveSeat.Kind.AGENT)
    if LiveMatch.objects.filter(Exists(seats), status__in=LIVE, experiment=None).count() >= MAX_UNFINISHED:
        raise RefusedError(f"Your agents have {MAX_UNFINISHED} matches open or running. Finish or cancel some first.")
