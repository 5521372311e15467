"""Matches and results of agents, for their owners."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from webapp.api import selectors
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.records.models import Seat
from webapp.table.live.models import LiveMatch, LiveSeat


@dataclass(frozen=True)
class Standing:
    """An agent in numbers.

    Wins, draws and losses are of its seats: an agent that left a match, or brought it to an early end, has
    lost it, and won it where only the other one did.
    """

    agent: Agent
    matches: int
    unfinished: int
    wins: int
    draws: int
    losses: int


def standings(owner: User) -> list[Standing]:
    """All agents of a person, the newest first and the retired last."""
    rows = owner.agents.order_by("-created_at")
    return [standing(agent) for agent in sorted(rows, key=lambda agent: agent.retired_at is not None)]


def standing(agent: Agent) -> Standing:
    """One agent in numbers."""
    numbers = matches(agent).aggregate(
        matches=Count("pk"), unfinished=Count("pk", filter=Q(status__in=selectors.UNFINISHED))
    )
    return Standing(agent, **numbers, **_results(agent))


def _results(agent: Agent) -> dict[str, int]:
    """Wins, draws and losses."""
    record = Seat.objects.filter(match_id=OuterRef("match__match_id"), seat=OuterRef("seat"))
    loser = Cast(KeyTextTransform("seat", "match__ending"), IntegerField())  # who brought a match to an early end
    seats = LiveSeat.objects.filter(agent=agent).annotate(result=Subquery(record.values("result")), loser=loser)
    stayed, early = Q(kind=LiveSeat.Kind.AGENT), Q(match__status=LiveMatch.Status.ENDED, loser__isnull=False)
    played = stayed & Q(match__status=LiveMatch.Status.FINISHED)
    gave_up = stayed & early & Q(loser=F("seat"))
    was_left = stayed & early & ~Q(loser=F("seat")) & Q(match__num_seats=2)
    left = Q(kind=LiveSeat.Kind.ENGINE, match__status__in=selectors.OVER)
    return seats.aggregate(
        wins=Count("seat", filter=played & Q(result="win") | was_left),
        draws=Count("seat", filter=played & Q(result="draw")),
        losses=Count("seat", filter=played & Q(result="loss") | gave_up | left),
    )


def matches(agent: Agent) -> QuerySet[LiveMatch]:
    """Its matches, newest first; those called off before their start left out."""
    rows = LiveMatch.objects.filter(selectors.held_by(agent)).exclude(status=LiveMatch.Status.CANCELLED)
    return rows.order_by("-created_at", "-pk")
