"""Matches as lists show them: mine, those that wait for somebody, those one may watch."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from webapp.common import made_once
from webapp.common.points import are_against, points_words
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.play import open_seats
from webapp.records.models import Seat
from webapp.table.live import access, invitations, seat_return, table_seats
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import ANYBODY
from webapp.table.live.table_seats import Table

LISTED, READ = 20, 24
"""Rows of a public list, and those that are read: a few may be the reader's own."""
WATCHED_FOR = timedelta(days=2)
"""Time after its last ply for which spectators can find a running match."""
LIVE = (LiveMatch.Status.OPEN, LiveMatch.Status.RUNNING)
LISTABLE = LiveMatch.objects.filter(visibility=LiveMatch.Visibility.PUBLIC, experiment=None)


@dataclass(frozen=True)
class SeatCell:
    """One seat in a list. is_mine: the person sits there; score, points in words: once the match is a record."""

    seat: int
    name: str
    kind: str
    is_mine: bool
    is_on_turn: bool
    score: int | None
    points: str = ""


@dataclass(frozen=True)
class Line:
    """One match in a list, as far as its reader may see it.

    ply: the last one to be seen; outcome: how it went, once it is over; note: more of it; is_won:
    the chip's colour; has_left: an engine plays their seat on for good.
    """

    match: LiveMatch
    seats: tuple[SeatCell, ...]
    is_my_turn: bool
    ply: int
    outcome: str = ""
    note: str = ""
    is_won: bool = False
    has_replay: bool = False
    has_left: bool = False

    @property
    def num_free(self) -> int:
        """Seats that wait for somebody."""
        return sum(cell.kind == LiveSeat.Kind.OPEN for cell in self.seats)

    @property
    def num_public(self) -> int:
        """Seats that are open to anybody."""
        return sum(cell.kind == LiveSeat.Kind.OPEN and cell.name == ANYBODY for cell in self.seats)

    @property
    def on_turn(self) -> str:
        """Player on turn; empty where it is nobody, or not to be known yet."""
        return next((cell.name for cell in self.seats if cell.is_on_turn), "")

    @property
    def since(self) -> datetime:
        """Time of its last move, as far as the match itself knows."""
        return self.match.ended_at or self.match.turn_began_at or self.match.created_at


def num_turns(person: User | None, besides: str = "") -> int:
    """Number of matches in which it is this person's turn. besides: code of one that does not count."""
    if person is None:
        return 0
    seats = LiveSeat.objects.filter(
        person=person, kind=LiveSeat.Kind.PERSON, match__status=LiveMatch.Status.RUNNING, match__on_turn=F("seat")
    )
    return seats.exclude(match__code=besides).count()


@dataclass(frozen=True)
class Invited:
    """An invitation that waits for its reader: who invites, and the match."""

    inviter: str
    line: Line


def invitations_of(person: User | None) -> list[Invited]:
    """Invitations by name that wait for a person's answer, the newest first."""
    if person is None or person.is_guest:
        return []
    rows = list(invitations.waiting_for(person).select_related("match", "inviter"))
    found = {line.match.pk: line for line in lines([row.match for row in rows], person)} if rows else {}
    return [Invited(row.inviter.username, found[row.match_id]) for row in rows]


def num_invitations(person: User | None) -> int:
    """Number of those invitations."""
    return 0 if person is None or person.is_guest else invitations.waiting_for(person).count()


def mine(person: User) -> QuerySet[LiveMatch]:
    """Matches that the person, or an agent of theirs, plays, or that the person opened; none of experiments."""
    ids = LiveSeat.objects.filter(person=person).values("match_id")  # each by its index, however many matches there are
    ids = ids.union(
        LiveSeat.objects.filter(agent__owner=person).values("match_id"),
        LiveMatch.objects.filter(creator=person).values("pk"),
    )
    return LiveMatch.objects.filter(pk__in=ids, experiment=None)


def current_matches(person: User) -> list[Line]:
    """Matches of a person that are open or running: their turn first, then those that moved last."""
    found = lines(mine(person).filter(status__in=LIVE).order_by("-turn_began_at", "-created_at"), person)
    return sorted(found, key=lambda line: (not line.is_my_turn, line.match.status != LiveMatch.Status.RUNNING))


def past_matches(person: User, game_id: str) -> QuerySet[LiveMatch]:
    """Finished matches of a person, of one game where one is named; the last first."""
    found = mine(person).exclude(status__in=LIVE).order_by("-ended_at", "-pk")
    return found.filter(game=game_id) if game_id else found


def list_open_matches(person: User | None, since: float | None = None) -> list[Line]:
    """Public matches with a seat for anybody, those of the person excepted; the newest first. since: see `_listed`."""
    free = LiveSeat.objects.filter(open_seats.PUBLIC_SEATS, match=OuterRef("pk"))
    found = LISTABLE.filter(Exists(free), status=LiveMatch.Status.OPEN)
    return _listed("open", found.order_by("-created_at"), person, since)


def watchable_matches(person: User | None, since: float | None = None) -> list[Line]:
    """Public matches that run, those of the person excepted; the last to move first. since: see `_listed`."""
    found = LISTABLE.filter(status=LiveMatch.Status.RUNNING, turn_began_at__gt=timezone.now() - WATCHED_FOR)
    return _listed("watch", found.order_by("-turn_began_at"), person, since)


def _listed(name: str, found: QuerySet[LiveMatch], person: User | None, since: float | None) -> list[Line]:
    """The first matches at which the person does not sit.

    since: read for all who ask and came before somebody began to read it (`made_once`). To those who do not sit
    there a match looks the same.
    """
    now = time.perf_counter()
    first = made_once.once(("lobby", name), lambda: lines(found[:READ], None), now if since is None else since)
    own = _tables_of(person, [line.match.pk for line in first]) if first else set()
    if len(own) <= READ - LISTED or len(first) < READ:
        return [line for line in first if line.match.pk not in own][:LISTED]
    return lines(found.exclude(Exists(LiveSeat.objects.filter(match=OuterRef("pk"), person=person)))[:LISTED], person)


def _tables_of(person: User | None, match_ids: Sequence[int]) -> set[int]:
    """Those of the matches at which a person sits, or did."""
    if person is None:
        return set()
    return set(LiveSeat.objects.filter(person=person, match__in=match_ids).values_list("match_id", flat=True))


def last_levels(person: User | None) -> dict[str, str]:
    """The level of each game that the person opened a match against last."""
    if person is None:
        return {}
    played = LiveSeat.objects.filter(match__creator=person).exclude(level="")
    rows = played.order_by("match__game", "-match_id").distinct("match__game")
    return dict(rows.values_list("match__game", "level"))


# ---- rows


def lines(matches: QuerySet[LiveMatch] | Sequence[LiveMatch], who: User | Agent | None) -> list[Line]:
    """The matches as list rows for a person, or for an agent's owner, in two further queries however many there are."""
    found = list(matches)
    rows = LiveSeat.objects.filter(match__in=[match.pk for match in found]).order_by("match_id", "seat")
    seats: dict[int, list[LiveSeat]] = {}
    for row in rows:
        seats.setdefault(row.match_id, []).append(row)
    records: dict[int, dict[int, Seat]] = {}
    for record in Seat.objects.filter(match__in=[match.match_id for match in found if match.match_id]):
        records.setdefault(record.match_id, {})[record.seat] = record
    return [_line(match, seats.get(match.pk, []), records.get(match.match_id or 0, {}), who) for match in found]


def _line(match: LiveMatch, seats: list[LiveSeat], records: dict[int, Seat], who: User | Agent | None) -> Line:
    own = [row.seat for row in seats if _sat(row, who)]
    has_left = any(seat_return.departure_note(row) for row in seats if row.seat in own)
    ply = access.last_ply(Table(match, tuple(seats), tuple(own)))
    is_behind = ply < match.ply
    seats = table_seats.as_of(seats, ply)
    cells = tuple(
        SeatCell(
            seat=row.seat,
            name=row.name,
            kind=row.kind,
            is_mine=_plays(row, who),
            is_on_turn=match.status == LiveMatch.Status.RUNNING and match.on_turn == row.seat and not is_behind,
            score=records[row.seat].score if row.seat in records else None,
            points=_points(match, records.get(row.seat)),
        )
        for row in seats
    )
    told = _outcome(match, cells, records, bool(own)) if match.is_over else Outcome("")
    if told.is_own_doing:
        told = replace(told, words=f"You {told.words}" if isinstance(who, User) else told.words.capitalize())
    return Line(
        match=match,
        seats=cells,
        is_my_turn=any(cell.is_mine and cell.is_on_turn for cell in cells),
        ply=ply,
        outcome=told.words,
        note=told.note,
        is_won=told.is_won,
        has_replay=match.match_id is not None and match.ply > 0,
        has_left=has_left,
    )


def _points(match: LiveMatch, record: Seat | None) -> str:
    if record is None or record.score is None:
        return ""
    return points_words(record.score, is_against=are_against(match.game, match.options))


def _sat(row: LiveSeat, who: User | Agent | None) -> bool:
    """Whether the person or agent sits there, or did until an engine took over."""
    return who is not None and (row.agent_id if isinstance(who, Agent) else row.person_id) == who.pk


def _plays(row: LiveSeat, who: User | Agent | None) -> bool:
    """Whether they sit there: a player replaced by an engine does not."""
    return _sat(row, who) and row.kind != LiveSeat.Kind.ENGINE


@dataclass(frozen=True)
class Outcome:
    """Outcome of a match for somebody: a word or three, more where there is more to say.

    is_own_doing: the words are what they did.
    """

    words: str
    note: str = ""
    is_won: bool = False
    is_own_doing: bool = False


def _outcome(match: LiveMatch, cells: Sequence[SeatCell], records: Mapping[int, Seat], has_left: bool) -> Outcome:
    """has_left: they sat there at some time."""
    own = [cell.seat for cell in cells if cell.is_mine]
    if match.status == LiveMatch.Status.CANCELLED:
        return Outcome("Cancelled")
    if not own and has_left:
        return Outcome("left", is_own_doing=True)
    if match.status == LiveMatch.Status.FINISHED:
        return _result(cells, own, {seat: record.result or "" for seat, record in records.items()})
    ending: dict[str, Any] = match.ending or {}
    who, kind = ending.get("seat"), str(ending.get("kind", ""))
    if kind == "agreed":
        return Outcome("Ended by agreement")
    if who is None or not 0 <= who < len(cells):
        return Outcome("Ended early")
    words = {"resigned": "resigned", "over_time": "ran out of time", "absent": "stayed away"}.get(kind, "failed")
    if who in own:
        return Outcome(words, is_own_doing=True)
    is_won = len(own) == 1 and len(cells) == len(own) + 1
    return Outcome("Won" if is_won else "Ended early", f"{cells[who].name} {words}", is_won)


def _result(cells: Sequence[SeatCell], own: list[int], results: Mapping[int, str]) -> Outcome:
    """Result of a match played to its end: for the one seat of theirs, else for the table."""
    best = [cell.name for cell in cells if results.get(cell.seat) in ("win", "draw")]
    if len(own) == 1 and own[0] in results:
        won = results[own[0]]
        return Outcome({"win": "Won", "draw": "Draw"}.get(won, "Lost"), is_won=won == "win")
    if "win" in results.values():
        return Outcome("Played", f"{' and '.join(best)} won")
    return Outcome("Draw")
