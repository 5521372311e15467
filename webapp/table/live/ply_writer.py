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
from webapp.table.live import between_rounds, match_end, plies, position_cache, rows, table_seats, turn
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
    match = rows.LOCKED_FREE_MATCH.first(match_id)
    if match is None:
        _keep_experiment(match_id)
        match = rows.LOCKED_MATCH.first(match_id)
    if match is None:
        raise LiveMatch.DoesNotExist(f"no match {match_id}")
    return match


def locked_if_free(match_id: int) -> LiveMatch | None:
    """The same, without waiting: None where somebody else has it, or it is gone."""
    _keep_experiment(match_id)
    return LiveMatch.objects.select_for_update(of=("self",), skip_locked=True).filter(pk=match_id).first()


def _keep_experiment(match_id: int) -> None:
    experiment_id = rows.experiment_of(match_id)
    if experiment_id is not None:
        EXPERIMENTS.keep(connection.connection, experiment_id)


def play(
    match_id: int, seat: int, ply: int, action: int, *, key: str = "", thought: Mapping[str, Any] | None = None
) -> LiveMatch:
    """Play as `play_and_see` does; return the match as it is afterwards."""
    return play_and_see(match_id, seat, ply, action, key=key, thought=thought)[0]


@transaction.atomic
def play_and_see(
    match_id: int, seat: int, ply: int, action: int, *, key: str = "", thought: Mapping[str, Any] | None = None
) -> tuple[LiveMatch, tuple[LiveSeat, ...]]:
    """Play `action` for `seat` as ply number `ply`; return the match and its seats as they are afterwards.

    key: the request's own, 64 characters at most: the same request again changes nothing, and
    is answered as the first time. thought: columns of LivePly that an engine's decision fills;
    None: a person or an agent has decided.

    Raises OverError, StaleError (another ply is due), NotYourTurnError, IllegalError,
    RepeatError (the key belongs to another action).
    """
    match = lock_match(match_id)
    if key and _is_repeated(match, seat, ply, action, key):
        return match, table_seats.seats_of(match)
    seats = _on_turn(match, seat, ply, is_engine=thought is not None)
    _play(match, seats, action, {"key": key, **(thought or {})})
    return match, seats


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


def _play(match: LiveMatch, seats: Sequence[LiveSeat], action: int, further: Mapping[str, Any]) -> None:
    """The ply of the seat on turn, and what follows from it. seats: all; further: columns of LivePly."""
    now, entry = timezone.now(), seats[match.on_turn or 0]
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
    rows.PLY.insert(row)
    turn.charge(entry, row.elapsed_s - match.increment_s, now)
    turn.offers_lapse(match, seats)
    match.ply, match.digest = course.ply, course.digest
    if course.player == TERMINAL:
        match_end.finish(match, course, now)
    elif between_rounds.is_round_over(course.game, row.chapter, course.state) and between_rounds.may_wait(seats):
        between_rounds.begin(match, course.player, now, seats)
    else:
        turn.put_on_turn(match, course.player, now, seats)
    position_cache.remember(match.pk, course)
    transaction.on_commit(partial(position_cache.keep_course, match.pk, course))
    transaction.on_commit(partial(plies.add, match, row))


def _is_repeated(match: LiveMatch, seat: int, ply: int, action: int, key: str) -> bool:
    """Whether this very request has been carried out. Raises RepeatError, StaleError."""
    if key in match.spent_keys:
        raise StaleError("This action was played, and taken back since.")
    earlier = rows.PLY_WITH_KEY.first(match.pk, key)
    if earlier is not None and (earlier.seat, earlier.ply, earlier.action) != (seat, ply, action):
        raise RepeatError("This key was used for another action. Take a new key for each action.")
    return earlier is not None


def _on_turn(match: LiveMatch, seat: int, ply: int, *, is_engine: bool) -> tuple[LiveSeat, ...]:
    """All seats, where this one may play this ply now. Raises OverError, StaleError, NotYourTurnError."""
    if match.status != LiveMatch.Status.RUNNING:
        raise OverError("The match is not running.")
    if ply != match.ply:
        raise StaleError(f"Ply {ply} is not the next one: {match.ply} is. Nothing was played.")
    if seat < 0:
        raise NotYourTurnError("You have no seat in this match.")
    if match.resumes_at is not None:
        raise NotYourTurnError("The next round has not begun: it waits until all are ready.")
    if seat != match.on_turn:
        raise NotYourTurnError(f"Seat {match.on_turn} is on turn, not seat {seat}.")
    seats = table_seats.seats_of(match)
    entry = seats[seat]
    if is_engine != (entry.kind == LiveSeat.Kind.ENGINE):
        raise NotYourTurnError("No engine plays this seat." if is_engine else "An engine has taken over this seat.")
    if not is_engine and match.clock_s is not None and entry.used_s + turn.waited_s(match) > match.clock_s:
        raise OverError("The seat's clock has run out.")
    return seats


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
