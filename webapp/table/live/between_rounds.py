"""The pause between two rounds where people play together: the next round begins when all of them are ready.

A game whose rounds are counted (`Game.counts_rounds`) is held after a round's last ply until each person has gone on,
`PAUSE` at most. Nobody is on turn meanwhile: engines are not asked, clocks stand still. Engines are always ready, and
so is a person whose account is gone. With one person, or with agents, who see no sheet, nothing is held.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import DatabaseError, transaction
from django.utils import timezone

from games import chapters
from games.protocol import Game, State
from webapp.table.live import rows, table_seats, turn
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.table_seats import Table

logger = logging.getLogger(__name__)

PAUSE = timedelta(seconds=20)
"""The longest pause: a closed tab holds up nobody for longer."""


@dataclass(frozen=True)
class Pause:
    """A pause as one reader has it. left_s: at most; seats: of people who are not ready; is_ready: the reader's own."""

    left_s: float
    seats: tuple[int, ...]
    is_ready: bool


def is_round_over(game: Game, heading: str, after: State) -> bool:
    """Whether a round that is counted ended with a ply. heading: of the position before it."""
    return game.counts_rounds and chapters.heading(game, after) != heading


def may_wait(seats: Iterable[LiveSeat]) -> bool:
    """Whether these seats wait for one another: two people at least, and no agent."""
    actors = [entry for entry in seats if entry.kind in table_seats.ACTORS]
    people = {entry.person_id for entry in actors if entry.kind == LiveSeat.Kind.PERSON} - {None}
    return len(people) > 1 and all(entry.kind == LiveSeat.Kind.PERSON for entry in actors)


def begin(match: LiveMatch, seat: int, now: datetime, seats: Sequence[LiveSeat]) -> None:
    """Begin a pause, and save the match. seat: who opens the next round. The caller has locked the match."""
    for entry in seats:
        if entry.is_ready:
            entry.is_ready = False
            rows.SEAT.update(entry, ("is_ready",))
    match.on_turn, match.attempts, match.is_engine_due = seat, 0, False
    match.resumes_at = match.turn_began_at = now + PAUSE
    turn.save_change(match)


def pause_for(table: Table, now: datetime | None = None) -> Pause | None:
    """The pause as a reader has it; None where the match goes on."""
    match = table.match
    if match.resumes_at is None or match.status != LiveMatch.Status.RUNNING:
        return None
    left_s = (match.resumes_at - (now or timezone.now())).total_seconds()
    missing = tuple(entry.seat for entry in _missing(table.rows))
    return Pause(max(0.0, left_s), missing, not set(missing) & set(table.seats))


def _missing(seats: Iterable[LiveSeat]) -> list[LiveSeat]:
    """Seats of people who are not ready."""
    return [row for row in seats if row.kind == LiveSeat.Kind.PERSON and row.person_id is not None and not row.is_ready]


# ---- the wish; the match is locked


def why_not(table: Table) -> str:
    """Say why the asker cannot go on to the next round; empty where they can."""
    if refusal := table_seats.why_no_player(table):
        return refusal
    match = table.match
    if match.resumes_at is None:
        return "No round has just ended."
    is_waiting = any(not row.is_ready for row in table.held) or timezone.now() >= match.resumes_at
    return "" if is_waiting else "You are ready. The next round begins when the others are, too."


def be_ready(table: Table) -> LiveMatch:
    """The asker goes on; where all others have, or the pause is over, the next round begins."""
    match, now = table.match, timezone.now()
    assert match.resumes_at is not None
    for entry in table.held:
        entry.is_ready = True
        rows.SEAT.update(entry, ("is_ready",))
    if not _missing(table.rows) or now >= match.resumes_at:
        _go_on(match, now)
    else:
        turn.save_change(match)
    return match


def _go_on(match: LiveMatch, now: datetime) -> None:
    assert match.on_turn is not None
    turn.put_on_turn(match, match.on_turn, now)


# ---- time


def end_overdue(now: datetime | None = None) -> int:
    """Let all matches go on whose pause is over; return how many. Safe beside another one; a fault keeps no other."""
    moment, done = now or timezone.now(), 0
    for match_id in LiveMatch.objects.filter(resumes_at__lt=moment).values_list("pk", flat=True):
        try:
            done += _end_overdue(match_id, moment)
        except DatabaseError:
            raise
        except Exception:
            logger.exception("match in play %s: the next round cannot begin", match_id)
    return done


@transaction.atomic
def _end_overdue(match_id: int, now: datetime) -> bool:
    free = LiveMatch.objects.select_for_update(of=("self",), skip_locked=True)
    match = free.filter(pk=match_id, resumes_at__lt=now, status=LiveMatch.Status.RUNNING).first()
    if match is None:
        return False
    _go_on(match, now)
    return True
