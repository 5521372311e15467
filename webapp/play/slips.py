"""Slips of the hand at a table: where an action has to be confirmed, and how long it can be undone unseen.

Where nothing is lost by a slip, since it can be taken back, the last click plays.
"""

from __future__ import annotations

from webapp.play.preferences import Preferences
from webapp.table.live import taking_back
from webapp.table.live.table_seats import Table

SLIP_MS = 600
"""Milliseconds for which a page keeps engines' answers back after its reader's action. The engines do not wait."""


def can_undo(table: Table) -> bool:
    """Whether decisions may be taken back at this table without asking anybody, and nobody is timed."""
    match = table.match
    is_free = not table.others and not taking_back.why_never(table)
    return is_free and match.clock_s is None and match.ply_limit_s is None


def needs_confirm(table: Table, chosen: Preferences) -> bool:
    """Whether an action of the reader's counts only when it is confirmed."""
    return chosen.confirm == "always" or (chosen.confirm == "rated" and not can_undo(table))


def slip_ms(table: Table, chosen: Preferences) -> int:
    """Milliseconds before engines' answers are shown; 0 where moves are to be shown at once."""
    return SLIP_MS if table.seats and chosen.motion != "off" and can_undo(table) else 0
