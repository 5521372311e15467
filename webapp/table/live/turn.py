"""Turns: what a seat is given with its turn, what a turn costs, and who is woken."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from webapp.records.waking import tasks
from webapp.table.hooks import announce
from webapp.table.live import pulse, rows
from webapp.table.live.models import LiveMatch, LiveSeat


def put_on_turn(match: LiveMatch, seat: int, now: datetime, seats: Sequence[LiveSeat] = ()) -> None:
    """Put `seat` on turn, save the match, and wake who has to act once this is committed.

    seats: all, where the caller has read them.
    """
    seats = seats or list(match.seats.order_by("seat"))
    match.on_turn = seat
    match.turn_began_at, match.resumes_at = now, None
    match.attempts = 0
    entry = seats[seat]
    match.is_engine_due = entry.kind == LiveSeat.Kind.ENGINE
    save_change(match)
    if any(row.agent_id is not None for row in seats):
        agent_id = entry.agent_id if entry.kind == LiveSeat.Kind.AGENT else None
        announce.turn(match.code, match.version, match.ply, agent_id)


def save_change(match: LiveMatch) -> None:
    """Save the match as its next version, and tell those who wait for it once this is committed."""
    match.version += 1
    rows.MATCH.update(match)
    pulse.announce(match)
    if match.is_engine_due:
        transaction.on_commit(partial(tasks.wake, 1, match.queue), robust=True)


def waited_s(match: LiveMatch, now: datetime | None = None) -> float:
    """Seconds that the seat on turn has had so far."""
    if match.turn_began_at is None:
        return 0.0
    return max(0.0, ((now or timezone.now()) - match.turn_began_at).total_seconds())


def charge(entry: LiveSeat, elapsed_s: float, now: datetime) -> None:
    """Put the time of a ply, less the increment, on the clock of its seat."""
    entry.used_s += elapsed_s
    entry.seen_at = now
    rows.SEAT.update(entry, ("used_s", "seen_at"))


def offers_lapse(match: LiveMatch, seats: Sequence[LiveSeat] = ()) -> None:
    """Offers to end, and words on taking back, hold until the next ply. seats: all, where the caller has read them."""
    if not seats or any(row.offers_end or row.back for row in seats):
        match.seats.filter(Q(offers_end=True) | ~Q(back="")).update(offers_end=False, back="")
        for entry in seats:
            entry.offers_end, entry.back = False, ""
