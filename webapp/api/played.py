"""Reading: what agents have played, for their owners."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.api import selectors
from webapp.live.models import LiveMatch, LiveSeat
from webapp.records.models import Seat

RESULTS = {"win": "won", "draw": "drawn", "loss": "lost"}


@dataclass(frozen=True)
class Standing:
    """An agent in numbers; wins, draws and losses are of its seats in matches played to their end."""

    agent: Agent
    matches: int
    unfinished: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Cell:
    """A seat of a match; score: of one that was played to its end."""

    seat: int
    name: str
    is_mine: bool
    score: int | None


@dataclass(frozen=True)
class Row:
    """A match of an agent. state: how it stands or went for the agent, in words; chip: its colour."""

    match: LiveMatch
    cells: list[Cell]
    state: str
    chip: str


def standings(owner: User) -> list[Standing]:
    """All agents of a person, the newest first and the retired last."""
    rows = owner.agents.order_by("-created_at")
    return [standing(agent) for agent in sorted(rows, key=lambda agent: agent.retired_at is not None)]


def standing(agent: Agent) -> Standing:
    """One agent in numbers."""
    numbers = matches(agent).aggregate(
        matches=Count("pk"), unfinished=Count("pk", filter=Q(status__in=selectors.UNFINISHED))
    )
    own = LiveSeat.objects.filter(agent=agent, match__status=LiveMatch.Status.FINISHED).order_by()
    record = Seat.objects.filter(match_id=OuterRef("match__match_id"), seat=OuterRef("seat"))
    results = own.annotate(result=Subquery(record.values("result"))).values("result").annotate(seats=Count("seat"))
    found = {row["result"]: row["seats"] for row in results}
    return Standing(agent, **numbers, wins=found.get("win", 0), draws=found.get("draw", 0), losses=found.get("loss", 0))


def matches(agent: Agent) -> QuerySet[LiveMatch]:
    """Its matches, newest first; those called off before their start left out."""
    rows = LiveMatch.objects.filter(selectors.held_by(agent)).exclude(status=LiveMatch.Status.CANCELLED)
    return rows.order_by("-created_at", "-pk")


def rows(agent: Agent, found: Iterable[LiveMatch]) -> list[Row]:
    """Matches as the page of an agent lists them."""
    listed = list(found)
    seats: dict[int, list[LiveSeat]] = defaultdict(list)
    for entry in LiveSeat.objects.filter(match__in=listed).order_by("match_id", "seat"):
        seats[entry.match_id].append(entry)
    records: dict[int, dict[int, Seat]] = defaultdict(dict)
    for record in Seat.objects.filter(match__in=[match.match_id for match in listed if match.match_id]):
        records[record.match_id][record.seat] = record
    return [_row(agent, match, seats[match.pk], records[match.match_id or 0]) for match in listed]


def _row(agent: Agent, match: LiveMatch, seats: list[LiveSeat], records: dict[int, Seat]) -> Row:
    cells = [
        Cell(entry.seat, entry.name or "open seat", entry.agent_id == agent.pk, _score(records.get(entry.seat)))
        for entry in seats
    ]
    state, chip = _state(match, [records[cell.seat] for cell in cells if cell.is_mine and cell.seat in records])
    return Row(match, cells, state, chip)


def _score(record: Seat | None) -> int | None:
    return None if record is None else record.score


def _state(match: LiveMatch, mine: list[Seat]) -> tuple[str, str]:
    """(words, chip)."""
    if match.status == LiveMatch.Status.OPEN:
        return "waits for players", "wait"
    if match.status == LiveMatch.Status.RUNNING:
        return f"running, ply {match.ply}", "run"
    results = [record.result for record in mine if record.result]
    if results:
        words = " and ".join(RESULTS[result] for result in results).capitalize()
        return words, "ok" if "win" in results else ""
    return "ended early", ""
