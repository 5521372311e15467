"""Reading: what an agent asks for by name, its lists, where it is on turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from webapp.people.agents.models import Agent
from webapp.play import open_seats
from webapp.table.live import access, table_seats
from webapp.table.live.access import Asker
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.table_seats import Table

UNFINISHED = (LiveMatch.Status.OPEN, LiveMatch.Status.RUNNING)
OVER = (LiveMatch.Status.FINISHED, LiveMatch.Status.ENDED)


def held_by(agent: Agent) -> Exists:
    """Condition on matches: the agent sits there, or sat there until an engine took over."""
    return Exists(LiveSeat.objects.filter(match=OuterRef("pk"), agent=agent))


def played_by(agent: Agent) -> Exists:
    """Condition on matches: the agent plays there still."""
    return Exists(LiveSeat.objects.filter(match=OuterRef("pk"), agent=agent, kind=LiveSeat.Kind.AGENT))


def table(agent: Agent, code: str, *, key: str = "") -> Table:
    """The match with this code for an agent; key: the join key, which opens a private one. Raises Http404."""
    return access.find(code, Asker(agent.owner, agent), key=key)


def present(table: Table) -> dict[str, Any]:
    """The present point of a match, as far as the asker may know it, for answers that refuse something."""
    match, ply = table.match, access.last_ply(table)
    on_turn = match.on_turn if ply == match.ply else None
    return {"version": match.version, "ply": ply, "on_turn": on_turn, "match_status": match.status}


def list_matches(agent: Agent, which: str, game: str) -> QuerySet[LiveMatch]:
    """Matches of a list, newest first: mine, open (with a seat to take), public (running)."""
    rows = LiveMatch.objects.order_by("-created_at", "-pk")
    if game:
        rows = rows.filter(game=game)
    if which == "mine":
        return rows.filter(held_by(agent))
    public = rows.filter(visibility=LiveMatch.Visibility.PUBLIC, experiment=None)
    if which == "open":
        free = LiveSeat.objects.filter(open_seats.PUBLIC_SEATS, match=OuterRef("pk"))
        return public.filter(Exists(free), ~held_by(agent), status=LiveMatch.Status.OPEN)
    return public.filter(status=LiveMatch.Status.RUNNING)


def rows(agent: Agent, found: Sequence[LiveMatch]) -> list[dict[str, Any]]:
    """Matches as lists show them."""
    seats: dict[int, list[LiveSeat]] = defaultdict(list)
    for entry in LiveSeat.objects.filter(match__in=found).order_by("match_id", "seat"):
        seats[entry.match_id].append(entry)
    return [_row(match, seats[match.pk], agent) for match in found]


def _row(match: LiveMatch, seats: list[LiveSeat], agent: Agent) -> dict[str, Any]:
    table = Table(match, tuple(seats), tuple(entry.seat for entry in seats if entry.agent_id == agent.pk))
    ply = access.last_ply(table)
    return {
        "code": match.code,
        "game": match.game,
        "status": match.status,
        "visibility": match.visibility,
        "ply": ply,
        "version": match.version,
        "on_turn": match.on_turn if ply == match.ply else None,
        "your_seats": table.seats,
        "seats": [
            {"seat": entry.seat, "kind": entry.kind, "name": entry.name, "level": entry.level}
            for entry in table_seats.as_of(seats, ply)
        ],
        "created_at": match.created_at,
    }


def num_matches(agent: Agent) -> tuple[int, int]:
    """(unfinished, finished) matches of an agent."""
    unfinished = LiveMatch.objects.filter(played_by(agent), status__in=UNFINISHED)
    return unfinished.count(), LiveMatch.objects.filter(held_by(agent), status__in=OVER).count()


@dataclass(frozen=True)
class Turns:
    """Matches where an agent is on turn. versions: of all its matches that are not over, by id."""

    turns: list[dict[str, Any]]
    versions: dict[int, int]


def turns(agent: Agent) -> Turns:
    """List the matches where the agent is on turn, longest waiting first."""
    mine = LiveMatch.objects.filter(played_by(agent), status__in=UNFINISHED)
    versions = dict(mine.values_list("pk", "version"))
    entries = LiveSeat.objects.filter(
        agent=agent, kind=LiveSeat.Kind.AGENT, match__status=LiveMatch.Status.RUNNING, match__in=list(versions)
    ).select_related("match")
    due = [entry for entry in entries if entry.seat == entry.match.on_turn]
    due.sort(key=lambda entry: (entry.match.turn_began_at, entry.match_id))
    found = [
        {
            "code": entry.match.code,
            "game": entry.match.game,
            "ply": entry.match.ply,
            "version": entry.match.version,
            "seat": entry.seat,
        }
        for entry in due
    ]
    return Turns(found, versions)
