"""Ready phrases at a table (`phrase_list`): who may say one and when, how it is kept, and for how long.

People say them to people. Engines and agents neither say nor hear any, and nobody says one for an agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games import registry as game_registry
from webapp.common.errors import RefusedError
from webapp.common.limits import Limit
from webapp.table.live import ply_writer, table_seats, turn
from webapp.table.live.models import LiveMatch, LivePhrase, LiveSeat
from webapp.table.live.phrase_list import PHRASES
from webapp.table.live.table_seats import Table

KEPT_FOR = timedelta(seconds=60)
"""Time for which a phrase can be read."""
AFTERWARDS = timedelta(minutes=30)
"""Time after the end of a match for which its players can still say something."""
MOST_SHOWN = 10
OF_A_SEAT = Limit("seat", 4, "phrases")
SIGNS = (
    "In a rated match of partners phrases wait for the end: which one is chosen could be a sign between partners "
    "who hide their hands."
)


@dataclass(frozen=True)
class Said:
    """A phrase that somebody said. age_s: seconds since."""

    id: int
    seat: int
    phrase: str
    age_s: float


@dataclass(frozen=True)
class Talk:
    """Talk of a table as one reader has it: what was said lately; why they say nothing now, empty where they can."""

    said: tuple[Said, ...]
    why_not: str


def has_listeners(rows: Sequence[LiveSeat]) -> bool:
    """Whether two people sit there, so that there is somebody to speak to."""
    return sum(row.kind == LiveSeat.Kind.PERSON for row in rows) > 1


def talk(table: Table, ply: int) -> Talk | None:
    """Talk of a table whose reader sees it after `ply` plies; None where there are no two people."""
    if not has_listeners(table.rows):
        return None
    now, spoken_at = timezone.now(), table.match.spoken_at
    if spoken_at is None or spoken_at < now - KEPT_FOR:
        return Talk((), why_not(table))
    rows = LivePhrase.objects.filter(match=table.match, said_at__gt=now - KEPT_FOR, ply__lte=ply).order_by("-pk")
    said = [Said(row.pk, row.seat, row.phrase, (now - row.said_at).total_seconds()) for row in rows[:MOST_SHOWN]]
    return Talk(tuple(reversed(said)), why_not(table))


def why_not(table: Table) -> str:
    """Say why the asker cannot say a phrase now; empty where they can."""
    match = table.match
    if not any(row.kind == LiveSeat.Kind.PERSON for row in table.held):
        return "Only those who play can say something."
    if not has_listeners(table.rows):
        return "Nobody else sits here who could read it."
    if match.status == LiveMatch.Status.OPEN:
        return "The match has not begun."
    if match.is_over:
        is_late = match.ended_at is None or match.ended_at < timezone.now() - AFTERWARDS
        return "The match has been over for a while." if is_late else ""
    traits = game_registry.get(match.game).traits
    return SIGNS if match.is_rated and traits.has_teams and traits.has_hidden_information else ""


@transaction.atomic
def say(match_id: int, seats: Sequence[int], phrase: str) -> None:
    """Say a phrase as the person who has these seats; all who wait for the match see its next version.

    Raises KeyError for an unknown phrase, RefusedError with a sentence, TooManyError, LiveMatch.DoesNotExist.
    """
    if phrase not in PHRASES:
        raise KeyError(phrase)
    match = ply_writer.lock_match(match_id)
    table = table_seats.look_up(match, seats)
    if why := why_not(table):
        raise RefusedError(why)
    seat = table.acting.seat
    OF_A_SEAT.count(f"{match.pk} {seat}")
    match.spoken_at = LivePhrase.objects.create(match=match, seat=seat, phrase=phrase, ply=match.ply).said_at
    turn.save_change(match)


def forget_old(now: datetime) -> int:
    """Delete phrases that nobody can read any more; return how many rows went."""
    return LivePhrase.objects.filter(said_at__lt=now - KEPT_FOR).delete()[0]
