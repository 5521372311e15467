"""Whose turn it is: what a seat is given with it, what it costs, and who is woken."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from webapp.live import pulse
from webapp.live.models import LiveMatch, LivePly, LiveSeat
from worker import tasks


def give(match: LiveMatch, seat: int, now: datetime) -> None:
    """Put `seat` on turn, save the match, and wake who has to act once this is committed."""
    match.on_turn = seat
    match.turn_began_at = now
    match.attempts = 0
    match.is_engine_due = match.seats.get(seat=seat).kind == LiveSeat.Kind.ENGINE
    changed(match)


def changed(match: LiveMatch) -> None:
    """Save the match as its next version, and tell those who wait for it once this is committed."""
    match.version += 1
    match.save()
    if match.is_engine_due:
        queue = match.queue
        transaction.on_commit(lambda: tasks.wake(1, queue))
    transaction.on_commit(pulse.beat)


def charge(match: LiveMatch, entry: LiveSeat, row: LivePly, now: datetime) -> None:
    """Put the time of a ply on the clock of its seat."""
    entry.used_s += row.elapsed_s
    entry.seen_at = now
    entry.save(update_fields=["used_s", "seen_at"])


def offers_lapse(match: LiveMatch) -> None:
    """An offer to end holds until the next ply."""
    match.seats.filter(offers_end=True).update(offers_end=False)
