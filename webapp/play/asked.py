"""Words on a decision that somebody asks to take back, for a small box beside the turn bar."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.common.formats import plural
from webapp.play import wording
from webapp.table.live import taking_back
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.table_seats import Table


@dataclass(frozen=True)
class Asked:
    """What the box says. is_own: its reader asks; may_answer: they are asked, and have not answered."""

    words: str
    is_own: bool
    may_answer: bool


def find(table: Table) -> Asked | None:
    """The box for a reader who plays; None where nobody asks."""
    if not table.seats or table.match.status != LiveMatch.Status.RUNNING:
        return None
    entry = taking_back.asking(table.rows)
    if entry is None:
        words = _declined(table)
        return Asked(words, is_own=False, may_answer=False) if words else None
    if entry.seat in table.seats:
        waiting = [row.seat for row in table.others if not row.back]
        words = f"You asked to take back your move. Waiting for {wording.names_in_sentence(table, waiting)}."
        return Asked(words, is_own=True, may_answer=False)
    number = taking_back.undone(table, entry)
    what = "the last move" if number == 1 else f"the last {plural(number, 'move', 'moves')}"
    words = f"{wording.name(table, entry.seat)} asks to undo {what}."
    may_answer = any(not row.back for row in table.held)
    return Asked(words if may_answer else f"{words} You agreed.", is_own=False, may_answer=may_answer)


def _declined(table: Table) -> str:
    """Sentence to the one who asked on who declined it; empty for all others."""
    is_asker = any(row.back == LiveSeat.Back.ASKED for row in table.held)
    seats = [row.seat for row in table.rows if row.back == LiveSeat.Back.DECLINED]
    if not seats or not is_asker:
        return ""
    return f"{wording.name(table, seats[0])} would rather play on: your move stands."
