"""Reading: which matches an agent may see, its lists, where it is on turn."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from webapp.api.problems import ProblemError
from webapp.people.agents.models import Agent
from webapp.play import places
from webapp.table.live import challenges, returning, seating, seeing
from webapp.table.live.models import LiveMatch, LiveSeat

CODE = re.compile(r"[a-z0-9]{1,16}")
UNFINISHED = (LiveMatch.Status.OPEN, LiveMatch.Status.RUNNING)
OVER = (LiveMatch.Status.FINISHED, LiveMatch.Status.ENDED)


@dataclass(frozen=True)
class Place:
    """A match as an agent comes to it.

    seats: those that it plays; own: also those where an engine has taken over since;
    is_creator: whether its owner set the match up.
    """

    match: LiveMatch
    seats: tuple[int, ...]
    own: tuple[int, ...]
    is_creator: bool


def held_by(agent: Agent) -> Exists:
    """Condition on matches: the agent sits there, or sat there until an engine took over."""
    return Exists(LiveSeat.objects.filter(match=OuterRef("pk"), agent=agent))


def played_by(agent: Agent) -> Exists:
    """Condition on matches: the agent plays there still."""
    return Exists(LiveSeat.objects.filter(match=OuterRef("pk"), agent=agent, kind=LiveSeat.Kind.AGENT))


def place(agent: Agent, code: str, *, key: str = "") -> Place:
    """The match with this code, as far as the agent may see it.

    key: the join key, which opens a private match. Raises ProblemError (404): what is private,
    what has a deal that its owner is playing and what is not there look the same.
    """
    match = None
    if CODE.fullmatch(code):
        match = LiveMatch.objects.select_related("experiment", "match").filter(code=code).first()
    if match is None:
        raise ProblemError("not-found")
    entries = list(match.seats.filter(agent=agent).order_by("seat"))
    is_open_to_all = match.visibility != LiveMatch.Visibility.PRIVATE and match.experiment_id is None
    is_creator = match.creator_id == agent.owner_id and match.experiment_id is None
    if not (entries or is_open_to_all or is_creator or (key and places.is_key(match, key))):
        raise ProblemError("not-found")
    if not entries and challenges.hides(match.deal_seed, agent.owner, but=match):
        raise ProblemError("not-found")
    seats = tuple(entry.seat for entry in entries if entry.kind == LiveSeat.Kind.AGENT)
    return Place(match, seats, tuple(entry.seat for entry in entries), is_creator)


def present(match: LiveMatch, seats: Sequence[int] = ()) -> dict[str, Any]:
    """Where a match stands, for answers that refuse something; seats: of whoever reads it (none: a spectator)."""
    ply = seeing.shown_ply(match, seats)
    on_turn = match.on_turn if ply == match.ply else None
    return {"version": match.version, "ply": ply, "on_turn": on_turn, "match_status": match.status}


def listed(agent: Agent, which: str, game: str) -> QuerySet[LiveMatch]:
    """Matches of a list, newest first: mine, open (with a seat to take), public (running)."""
    rows = LiveMatch.objects.order_by("-created_at", "-pk")
    if game:
        rows = rows.filter(game=game)
    if which == "mine":
        return rows.filter(held_by(agent))
    public = rows.filter(visibility=LiveMatch.Visibility.PUBLIC, experiment=None)
    if which == "open":
        free = LiveSeat.objects.filter(places.PUBLIC_SEATS, match=OuterRef("pk"))
        return public.filter(Exists(free), ~held_by(agent), status=LiveMatch.Status.OPEN)
    return public.filter(status=LiveMatch.Status.RUNNING)


def rows(agent: Agent, found: Sequence[LiveMatch]) -> list[dict[str, Any]]:
    """Matches as lists show them."""
    seats: dict[int, list[LiveSeat]] = defaultdict(list)
    for entry in LiveSeat.objects.filter(match__in=found).order_by("match_id", "seat"):
        seats[entry.match_id].append(entry)
    return [_row(match, seats[match.pk], agent) for match in found]


def _row(match: LiveMatch, seats: list[LiveSeat], agent: Agent) -> dict[str, Any]:
    mine = [entry.seat for entry in seats if entry.agent_id == agent.pk and entry.kind == LiveSeat.Kind.AGENT]
    own = [entry.seat for entry in seats if entry.agent_id == agent.pk]
    ply = seeing.shown_ply(match, mine or [entry.seat for entry in returning.vacant(match, seats, own)])
    if ply < match.ply:
        seats = seating.as_of(seats, ply)
    return {
        "code": match.code,
        "game": match.game,
        "status": match.status,
        "visibility": match.visibility,
        "ply": ply,
        "version": match.version,
        "on_turn": match.on_turn if ply == match.ply else None,
        "your_seats": mine,
        "seats": [
            {"seat": entry.seat, "kind": entry.kind, "name": entry.name, "level": entry.level} for entry in seats
        ],
        "created_at": match.created_at,
    }


def num_matches(agent: Agent) -> tuple[int, int]:
    """(unfinished, finished) matches of an agent."""
    unfinished = LiveMatch.objects.filter(played_by(agent), status__in=UNFINISHED)
    return unfinished.count(), LiveMatch.objects.filter(held_by(agent), status__in=OVER).count()


@dataclass(frozen=True)
class Turns:
    """Where an agent is on turn. versions: of all its matches that are not over, by id."""

    turns: list[dict[str, Any]]
    versions: dict[int, int]


def turns(agent: Agent) -> Turns:
    """Where the agent is on turn, longest waiting first."""
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
