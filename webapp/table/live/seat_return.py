"""The return of a player to a seat that an engine took over because the player stayed away.

A player who resigned, or ran out of clock, has lost and does not come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils import timezone

from webapp.table.live import substitute_engines, table_seats, turn
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.table_seats import Table

ABSENT = "absent"
FOR_GOOD = ("resigned", "over_time")


def absence_note(entry: LiveSeat) -> dict[str, Any] | None:
    """The note of how an engine took this seat over from who stayed away; None where it did not."""
    note = _last_player(entry)
    return note if note and note.get("kind") == ABSENT else None


def departure_note(entry: LiveSeat) -> dict[str, Any] | None:
    """The note of how its player lost this seat for good, and an engine plays it; None where neither is so."""
    note = _last_player(entry)
    return note if note and note.get("kind") in FOR_GOOD else None


def _last_player(entry: LiveSeat) -> dict[str, Any] | None:
    if entry.kind != LiveSeat.Kind.ENGINE:
        return None
    players = [note for note in entry.replaced or () if "engine" not in note]
    return players[-1] if players else None


def vacant_seats(match: LiveMatch, rows: Iterable[LiveSeat], seats: Sequence[int]) -> list[LiveSeat]:
    """Seats among `seats` that their player may take again now."""
    if match.status != LiveMatch.Status.RUNNING:
        return []
    return [row for row in rows if row.seat in seats and absence_note(row) is not None]


def why_not(table: Table) -> str:
    """Say why the asker cannot take a seat back; empty where they can."""
    if vacant_seats(table.match, table.rows, table.own):
        return ""
    if table.held and table.match.status == LiveMatch.Status.RUNNING:
        return "You have your seat."
    if table.own and table.match.status == LiveMatch.Status.RUNNING:
        return "Only a seat that was lost by staying away can be taken back."
    return table_seats.why_no_player(table)


def take_seat(table: Table) -> LiveMatch:
    """The asker plays on where an engine did; an engine that thinks there is waited for no more."""
    match = table.match
    seats = [row.seat for row in vacant_seats(match, table.rows, table.own)]
    for entry in match.seats.select_related("configuration").filter(seat__in=seats):
        substitute_engines.stand_up(match, entry)
    if match.on_turn in seats:
        match.worker, match.claimed_at = "", None
        turn.put_on_turn(match, match.on_turn, timezone.now())
    else:
        turn.save_change(match)
    return match
