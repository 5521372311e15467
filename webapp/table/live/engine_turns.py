"""An engine's turn at a table: it is asked as in a batch, and its action is played as anybody's.

An attempt that comes to nothing (an exception, an illegal action, too much time, the death of
the process) is followed by another one. After the second a weaker engine takes the seat over;
in an experiment the match ends as that engine's failure.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable

import numpy as np
from django.db import transaction
from django.db.models import Sum

from engines import registry as engine_registry
from engines.protocol import Budget, EngineFaultError
from games import readiness
from webapp.records.queue import MAX_DEATHS
from webapp.table.live import answer_times, match_end, ply_writer, position_cache, rows, substitute_engines, turn
from webapp.table.live.engine_claims import TurnClaim
from webapp.table.live.errors import OUTDATED
from webapp.table.live.models import LiveMatch, LiveSeat
from worker import cold_start, engine_decision, estimate
from worker.course import Course
from worker.engine_decision import Answer, FailedError, Question
from worker.recorder import INTERACTIVE
from worker.records import Failure
from worker.stop_switch import StopAskedError, StopSwitch, UnwantedError

logger = logging.getLogger(__name__)

PATIENCE_S = 120.0
"""Patience with an engine that has a clock, after its time is over: a new machine compiles first."""
UNCLOCKED_S = 3600.0
"""Time after which an engine without a clock is broken off: one that hangs must not keep others waiting for a day."""
RECORD = "full"

FAULTS = {
    "exception": "ran into an error",
    "illegal_action": "chose what the rules do not allow",
    "over_time": "took too long",
    "died": "ended without an answer",
    "engine_died": "ended without an answer",
    "absent_code": "is not here in the version that was asked for",
}
"""Faults of engines, in words for players."""


class _HangingError(BaseException):
    """Ends a thought that does not come to an end."""


def carry_out(claim: TurnClaim, stop: StopSwitch, is_wanted: Callable[[], bool]) -> bool:
    """Let the engine decide, and play its action; say whether it was played: not where the match has moved on.

    is_wanted: asked twice a second while it thinks; must not use Django's connection.
    """
    match = rows.MATCH_BY_ID.first(claim.row_id)
    if match is None or not claim.is_held(match):
        return False
    entry = rows.SEATS.all(match.pk)[claim.seat]
    course = position_cache.take_course(match)
    if not position_cache.is_at(course, match):
        _end_outdated(claim)
        return False
    question = _question(match, entry, course)
    began = time.monotonic()
    try:
        with stop.watching(_watch(question, is_wanted)), stop.interruptible():
            answer, slowdown = _decide(match, entry, question)
            shown_s = answer_times.shown_after_s(match, entry, question, slowdown)
            answer_times.hold(began + shown_s)
    except (StopAskedError, UnwantedError):
        return False
    except _HangingError:
        message = f"had not answered at ply {claim.ply} long after its time was over"
        fail(claim, Failure(claim.seat, "over_time", message))
        return False
    except FailedError as error:
        fail(claim, error.failure)
        return False
    finally:
        position_cache.keep_course(match.pk, course)
    return _play(claim, question, answer, shown_s)


@transaction.atomic
def _end_outdated(claim: TurnClaim) -> None:
    """End a match whose plies do not lead where they led when they were played; nothing where it moved on."""
    match = ply_writer.lock_match(claim.row_id)
    if claim.is_held(match) and not position_cache.is_at(position_cache.replay_course(match), match):
        match.worker, match.claimed_at = "", None
        match_end.end(match, "exception", None, OUTDATED)


def _question(match: LiveMatch, entry: LiveSeat, course: Course) -> Question:
    """The question to the engine: seconds are those of the wall where people wait, else of the processor."""
    assert entry.configuration is not None
    has_people = match.queue == INTERACTIVE
    budget = dataclasses.replace(Budget.from_json(entry.configuration.budget), cpu_clock=not has_people)
    used_s = 0.0
    if budget.seconds_per_match is not None:
        began = entry.replaced[-1]["ply"] if entry.replaced else 0
        field = "elapsed_s" if has_people else "cpu_s"
        used_s = match.plies.filter(seat=entry.seat, ply__gte=began).aggregate(used=Sum(field))["used"] or 0.0
    return Question(course.game, course.state, entry.seat, course.ply, match.seed, budget, used_s)


def _decide(match: LiveMatch, entry: LiveSeat, question: Question) -> tuple[Answer, float]:
    """Ask the engine; the answer, and by how much it was slowed down: where people wait for cold kernels, by twins.

    Raises FailedError, also where it cannot be made any more, and BusyError where another process compiles for it.
    """
    row, r = entry.configuration, np.zeros(4, np.uint64)
    assert row is not None
    try:
        engine = engine_registry.make(row.engine, row.options)
        is_cold = match.queue == INTERACTIVE and cold_start.is_cold(lambda: engine.prepare(question.game))
    except EngineFaultError as fault:
        raise FailedError(engine_decision.failure_of_fault(entry.seat, fault)) from fault
    except Exception as error:
        raise FailedError(engine_decision.failure_of(entry.seat, "exception", error)) from error
    if is_cold:
        costs = estimate.match_costs(match.game, match.options, match.num_seats)
        if cold_start.is_quick(engine, costs, question.budget, match.num_seats):
            readiness.request(match.game, row.engine)
            with readiness.plainly():
                return engine_decision.decide(engine, question, r), cold_start.SLOWDOWN
        with cold_start.compiling_alone(match.game, row.engine):
            engine.prepare(question.game)
    return engine_decision.decide(engine, question, r), 1.0


def _watch(question: Question, is_wanted: Callable[[], bool]) -> Callable[[], None]:
    """The function that ends a search in the middle: unwanted, or too long."""
    budget, began_at = question.budget, time.monotonic()
    limits = [budget.seconds_per_ply, budget.seconds_per_match and budget.seconds_per_match - question.used_s]
    given = [seconds for seconds in limits if seconds is not None]
    most_s = engine_decision.allowed_s(max(0.0, min(given))) + PATIENCE_S if given else UNCLOCKED_S

    def watch() -> None:
        if not is_wanted():
            raise UnwantedError
        if time.monotonic() - began_at > most_s and not readiness.is_compiling(question.game.id):
            raise _HangingError

    return watch


def _play(claim: TurnClaim, question: Question, answer: Answer, shown_s: float) -> bool:
    """Play the action where the match still waits for it; say whether it did.

    shown_s: the least time that its clocks are charged.
    """
    thought = engine_decision.thinking_fields(question.game, question.state, answer.decision, RECORD)
    thought["elapsed_s"] = max(thought["elapsed_s"], shown_s)
    is_played = ply_writer.answer(claim, answer.action, thought)
    if not is_played:
        logger.info("match %s has moved on from ply %s", claim.row_id, claim.ply)
    return is_played


@transaction.atomic
def fail(claim: TurnClaim, failure: Failure) -> None:
    """Note an attempt that came to nothing, in a transaction; what follows from it happens at once.

    Nothing but the mark of the claim changes where the match has moved on.
    """
    try:
        match = ply_writer.lock_match(claim.row_id)
    except LiveMatch.DoesNotExist:
        return
    if match.claimed_at != claim.token:
        return
    match.worker, match.claimed_at = "", None
    if not claim.is_due(match):
        match.save(update_fields=["worker", "claimed_at"])
        return
    match.attempts += 1
    logger.warning("match %s, ply %s, attempt %s: %s", match.pk, match.ply, match.attempts, failure)
    if match.attempts < MAX_DEATHS:
        turn.save_change(match)
        return
    entry = match.seats.select_related("configuration").get(seat=claim.seat)
    substitute = None if match.experiment_id else substitute_engines.weaker_substitute(match.game, entry)
    if substitute is None:
        match_end.end(match, failure.kind, claim.seat, failure.message)
        return
    why = f"{entry.name} {FAULTS[failure.kind]}, twice. {substitute.name} plays on in its place."
    substitute_engines.sit_down(match, entry, substitute, why, has_lost=False)
