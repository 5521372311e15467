"""Writes plies: one action, checked by the rules on the server, and all that follows from it.

People and agents come through `play`, engines through `answer`; they are the only writers of plies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from games import chapters
from games.protocol import TERMINAL, IllegalActionError
from webapp.common.reply_actions import is_reply
from webapp.records.jobs import EXPERIMENTS
from webapp.table.live import match_end, position_cache, turn
from webapp.table.live.action_words import describe_action
from webapp.table.live.engine_claims import TurnClaim
from webapp.table.live.errors import OUTDATED, IllegalError, NotYourTurnError, OverError, RepeatError, StaleError
from webapp.table.live.models import LiveMatch, LivePly, LiveSeat
from worker.course import Course
from worker.runner import noted


def lock_match(match_id: int) -> LiveMatch:
    """The match, locked until the end of the transaction. Raises LiveMatch.DoesNotExist.

    Its experiment, where it has one, is kept from being deleted first: a deletion locks
    the experiment before its matches.
    """
    _keep_experiment(match_id)
    return LiveMatch.objects.select_for_update(of=("self",)).get(pk=match_id)


def locked_if_free(match_id: int) -> LiveMatch | None:
    """The same, without waiting: None where somebody else has it, or it is gone."""
    _keep_experiment(match_id)
    return LiveMatch.objects.select_for_update(of=("self",), skip_locked=True).filter(pk=match_id).first()


def _keep_experiment(match_id: int) -> None:
    experiment_id = LiveMatch.objects.filter(pk=match_id).values_list("experiment_id", flat=True).first()
    if experiment_id is not None:
        EXPERIMENTS.keep(connection.connection, experiment_id)


@transaction.atomic
def play(
    match_id: int, seat: int, ply: int, action: int, *, key: str = "", thought: Mapping[str, Any] | None = None
) -> LiveMatch:
    """Play `action` for `seat` as ply number `ply`; return the match as it is afterwards.

    key: the request's own, 64 characters at most: the same request again changes nothing, and
    is answered as the first time. thought: columns of LivePly that an engine's decision fills;
    None: a person or an agent has decided.

    Raises OverError, StaleError (another ply is due), NotYourTurnError, IllegalError,
    RepeatError (the key belongs to another action).
    """
    match = lock_match(match_id)
    if not (key and _is_repeated(match, seat, ply, action, key)):
        rows = _on_turn(match, seat, ply, is_engine=thought is not None)
        _play(match, rows, action, {"key": key, **(thought or {})})
    return match


@transaction.atomic
def answer(claim: TurnClaim, action: int, thought: Mapping[str, Any]) -> bool:
    """Play an engine's action where the match still waits for this claim, and give the claim back.

    Say whether it did. Raises what `play` raises.
    """
    match = lock_match(claim.row_id)
    if not claim.is_held(match):
        return False
    match.worker, match.claimed_at = "", None
    _play(match, _on_turn(match, claim.seat, claim.ply, is_engine=True), action, thought)
    return True


def _play(match: LiveMatch, rows: Sequence[LiveSeat], action: int, further: Mapping[str, Any]) -> None:
    """The ply of the seat on turn, and what follows from it. rows: all seats; further: columns of LivePly."""
    now, entry = timezone.now(), rows[match.on_turn or 0]
    course = position_cache.take_course(match)
    if not position_cache.is_at(course, match):
        raise OverError(OUTDATED)
    try:
        row = _row(match, entry, course, action, now)
        course.advance(action)
    except (IllegalActionError, IllegalError) as error:
        position_cache.keep_course(match.pk, course)
        raise IllegalError(f"The rules do not allow this action: {error}.") from None
    row.scores, row.digest = list(course.game.scores(course.state)), course.digest
    for name, value in further.items():
        setattr(row, name, value)
    if notes := noted(course.game, course.state):
        row.info = (row.info or {}) | {"after": notes}
    row.save(force_insert=True)
    turn.charge(entry, row.elapsed_s - match.increment_s, now)
    turn.offers_lapse(match, rows)
    match.ply, match.digest = course.ply, course.digest
    if course.player == TERMINAL:
        match_end.finish(match, course, now)
    else:
        turn.put_on_turn(match, course.player, now, rows)
    position_cache.remember(match.pk, course)
    transaction.on_commit(partial(position_cache.keep_course, match.pk, course))


def _is_repeated(match: LiveMatch, seat: int, ply: int, action: int, key: str) -> bool:
    """Whether this very request has been carried out. Raises RepeatError, StaleError."""
    if key in match.spent_keys:
        raise StaleError("This action was played, and taken back since.")
    earlier = match.plies.filter(key=key).first()
    if earlier is not None and (earlier.seat, earlier.ply, earlier.action) != (seat, ply, action):
        raise RepeatError("This key was used for another action. Take a new key for each action.")
    return earlier is not None


def _on_turn(match: LiveMatch, seat: int, ply: int, *, is_engine: bool) -> list[LiveSeat]:
    """All seats, where this one may play this ply now. Raises OverError, StaleError, NotYourTurnError."""
    if match.status != LiveMatch.Status.RUNNING:
        raise OverError("The match is not running.")
    if ply != match.ply:
        raise StaleError(f"Ply {ply} is not the next one: {match.ply} is. Nothing was played.")
    if seat < 0:
        raise NotYourTurnError("You have no seat in this match.")
    if seat != match.on_turn:
        raise NotYourTurnError(f"Seat {match.on_turn} is on turn, not seat {seat}.")
    rows = list(match.seats.order_by("seat"))
    entry = rows[seat]
    if is_engine != (entry.kind == LiveSeat.Kind.ENGINE):
        raise NotYourTurnError("No engine plays this seat." if is_engine else "An engine has taken over this seat.")
    if not is_engine and match.clock_s is not None and entry.used_s + turn.waited_s(match) > match.clock_s:
        raise OverError("The seat's clock has run out.")
    return rows


def _row(match: LiveMatch, entry: LiveSeat, course: Course, action: int, now: datetime) -> LivePly:
    """The ply without what follows from it. Raises IllegalError, IllegalActionError."""
    legal = course.game.legal_actions(course.state).tolist()
    if action not in legal:
        raise IllegalError(f"{action} is not among the {len(legal)} legal actions of ply {match.ply}")
    return LivePly(
        match=match,
        ply=match.ply,
        seat=entry.seat,
        action=action,
        notation=course.game.notation(course.state, action),
        words=describe_action(course.game, course.state, action),
        is_reply=is_reply(course.game, course.state, action),
        chapter=chapters.heading(course.game, course.state),
        legal_count=len(legal),
        elapsed_s=turn.waited_s(match, now),
        played_by=entry.kind,
        played_at=now,
    )
