"""One action is played: checked by the rules of the server, written with all that follows from it.

People, agents and engines come through `play`; it is the only writer of plies.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.protocol import TERMINAL, IllegalActionError
from webapp.live import ending, positions, turn
from webapp.live.errors import IllegalError, NotYourTurnError, OverError, RepeatError, StaleError
from webapp.live.models import LiveMatch, LivePly, LiveSeat


def locked(match_id: int) -> LiveMatch:
    """The match, locked until the end of the transaction. Raises LiveMatch.DoesNotExist."""
    return LiveMatch.objects.select_for_update(of=("self",)).get(pk=match_id)


@transaction.atomic
def play(
    match_id: int,
    seat: int,
    ply: int,
    action: int,
    *,
    key: str = "",
    thought: Mapping[str, Any] | None = None,
) -> LiveMatch:
    """Play `action` for `seat` as ply number `ply`; return the match as it is afterwards.

    key: the request's own, 64 characters at most: the same request again changes nothing, and
    is answered as the first time. thought: columns of LivePly that an engine's decision fills.

    Raises OverError, StaleError (another ply is due), NotYourTurnError, IllegalError,
    RepeatError (the key belongs to another action).
    """
    match = locked(match_id)
    if key and (earlier := match.plies.filter(key=key).first()) is not None:
        if (earlier.seat, earlier.ply, earlier.action) != (seat, ply, action):
            raise RepeatError("This key was used for another action. Take a new key for each action.")
        return match
    if match.status != LiveMatch.Status.RUNNING:
        raise OverError("The match is not running.")
    if ply != match.ply:
        raise StaleError(f"Ply {ply} is not the next one: {match.ply} is. Nothing was played.")
    if seat != match.on_turn:
        raise NotYourTurnError(f"Seat {match.on_turn} is on turn, not seat {seat}.")
    entry = match.seats.get(seat=seat)
    now = timezone.now()
    course = positions.take_course(match)
    row = _row(match, entry, action, course.game.legal_actions(course.state).tolist(), key, now)
    try:
        row.notation = course.game.notation(course.state, action)
        course.advance(action)
    except IllegalActionError as error:
        raise IllegalError(f"The rules do not allow this action: {error}.") from None
    row.scores = list(course.game.scores(course.state))
    row.digest = course.digest
    for name, value in (thought or {}).items():
        setattr(row, name, value)
    row.save(force_insert=True)
    turn.charge(match, entry, row, now)
    turn.offers_lapse(match)
    match.ply, match.digest = course.ply, course.digest
    if course.player == TERMINAL:
        ending.finish(match, course, now)
    else:
        turn.give(match, course.player, now)
    positions.remember(match.pk, course)
    transaction.on_commit(partial(positions.keep_course, match.pk, course))
    return match


def _row(match: LiveMatch, entry: LiveSeat, action: int, legal: list[int], key: str, now: datetime) -> LivePly:
    """The ply without what follows from it. Raises IllegalError."""
    if action not in legal:
        raise IllegalError(f"Action {action} is not among the {len(legal)} legal ones of ply {match.ply}.")
    waited = (now - match.turn_began_at).total_seconds() if match.turn_began_at else 0.0
    return LivePly(
        match=match,
        ply=match.ply,
        seat=entry.seat,
        action=action,
        legal_count=len(legal),
        elapsed_s=max(0.0, waited),
        played_by=entry.kind,
        key=key,
        played_at=now,
    )
