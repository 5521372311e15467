"""One decision of an engine: asked for, checked and written down, in a batch as at a table with people."""

from __future__ import annotations

import dataclasses
import logging
import math
import operator
import traceback
from typing import Any, NamedTuple

import numpy as np

from engines.driver import budget_at
from engines.protocol import Budget, Decision, Engine, EngineFaultError, Table
from games import rng
from games.protocol import Game, Rng, State
from worker.records import Failure

logger = logging.getLogger(__name__)

BEST_ACTIONS = 5
"""Actions with values that a standard record keeps of each ply."""
GRACE_S, GRACE_SHARE = 1.0, 0.1
"""An engine has run over when it exceeds its clock by this much and this share."""
LEAST_S = 1e-3
"""Time left on a clock that has run out, within its grace."""
MAX_MESSAGE = 500
MOST_ACTIONS = 1 << 31
"""Actions are less than this, in every game."""
_DIGITS = 6
"""Significant digits of the numbers beside a ply (the value of the ply itself is exact)."""


class FailedError(Exception):
    """An engine did not give an action that can be played; carries what the record says."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Question(NamedTuple):
    """Question to an engine. used_s: of `budget.seconds_per_match`, at earlier plies.

    seed: of the match; state: the true one, which only an engine that peeks gets to see.
    """

    game: Game
    state: State
    seat: int
    ply: int
    seed: int
    budget: Budget
    used_s: float = 0.0


class Answer(NamedTuple):
    """A legal action, how many there were, and what it rests on. spent_s: on the budget's clock."""

    action: int
    legal_count: int
    decision: Decision
    spent_s: float


def decide(engine: Engine, question: Question, r: Rng) -> Answer:
    """Let an engine decide; r: a generator that is seeded here, uint64[4].

    Raises FailedError where it raises, answers illegally or takes too long.
    """
    game, state, seat = question.game, question.state, question.seat
    rng.stream(r, question.seed, rng.SEARCH, seat, question.ply)
    legal = game.legal_actions(state)
    decision, spent_s = ask(engine, question, r)
    action = action_of(decision)
    if action is None or not (legal == action).any():
        raise illegal(question, decision)
    return Answer(action, len(legal), decision, spent_s)


def ask(engine: Engine, question: Question, r: Rng) -> tuple[Decision, float]:
    """The decision of an engine, legal or not, and its seconds on the budget's clock. r: the stream of the ply.

    Raises FailedError where it raises or takes too long.
    """
    game, state, seat = question.game, question.state, question.seat
    view = state.copy() if engine.peeks else game.view(state, seat)
    try:
        decision = engine.choose(game, view, seat, budget_left(question), r)
        if not isinstance(decision, Decision):
            raise TypeError(f"answered {decision!r} instead of a decision")
    except EngineFaultError as fault:
        raise FailedError(failure_of_fault(seat, fault)) from fault
    except Exception as error:
        raise FailedError(failure_of(seat, "exception", error)) from error
    return decision, _charge(question, decision)


def action_of(decision: Decision) -> int | None:
    """The action of a decision; None where it can be none."""
    try:
        action = operator.index(decision.action)
    except TypeError:
        return None
    return action if 0 <= action < MOST_ACTIONS else None


def illegal(question: Question, decision: Decision) -> FailedError:
    """Say that an action cannot be played."""
    message = f"{decision.action!r} is not legal at ply {question.ply}"
    return FailedError(Failure(question.seat, "illegal_action", message[:MAX_MESSAGE]))


def budget_left(question: Question) -> Budget:
    """The budget of the ply, with what is left on the seat's clock, where it has one."""
    budget = budget_at(question.budget, question.game, question.state, question.ply + 1)
    if budget.seconds_per_match is None:
        return budget
    return dataclasses.replace(budget, seconds_per_match=max(LEAST_S, budget.seconds_per_match - question.used_s))


def allowed_s(seconds: float) -> float:
    """Time that an engine may take that was given these seconds."""
    return seconds * (1 + GRACE_SHARE) + GRACE_S


def _charge(question: Question, decision: Decision) -> float:
    """Seconds that the decision took. Raises FailedError where those are too many."""
    budget = question.budget
    spent = decision.cpu_s if budget.cpu_clock else decision.elapsed_s
    for used, limit, name in (
        (spent, budget.seconds_per_ply, "a ply"),
        (question.used_s + spent, budget.seconds_per_match, "the match"),
    ):
        if limit is not None and used > allowed_s(limit):
            message = f"took {used:.1f} s at ply {question.ply}; {limit:g} s are allowed for {name}"
            raise FailedError(Failure(question.seat, "over_time", message))
    return spent


def failure_of(seat: int | None, kind: str, error: Exception) -> Failure:
    """Say what was raised and in which line of which module (never a path of the machine)."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    message = f"{type(error).__name__}: {error}"[:MAX_MESSAGE]
    failure = Failure(seat, kind, f"{message} ({frame.f_globals.get('__name__', '?')}:{line})")
    logger.warning("match failed: %s", failure)
    logger.debug("raised", exc_info=error)
    return failure


def failure_of_fault(seat: int, fault: EngineFaultError) -> Failure:
    """Say what went wrong in an engine's own process, as it says itself."""
    failure = Failure(seat, fault.kind, str(fault)[:MAX_MESSAGE])
    logger.warning("match failed: %s", failure)
    return failure


class Thought(NamedTuple):
    """What a ply keeps of a decision beside its table, as `PlyRecord` names it."""

    value: float | None
    playouts: int
    nodes: int
    depth: int
    elapsed_s: float
    cpu_s: float


def thought(decision: Decision) -> Thought:
    """What a ply keeps of a decision beside its table."""
    value = decision.value
    return Thought(
        float(value) if value is not None and math.isfinite(value) else None,
        int(decision.playouts),
        int(decision.nodes),
        int(decision.depth),
        float(decision.elapsed_s),
        float(decision.cpu_s),
    )


def thinking_fields(game: Game, state: State, decision: Decision, record: str) -> dict[str, Any]:
    """Fields of PlyRecord that keep the decision made in `state`."""
    return {**thought(decision)._asdict(), "info": ply_info(game, state, decision, record)}


def ply_info(game: Game, state: State, decision: Decision, record: str) -> dict[str, Any] | None:
    """Table of what the engine considered at a ply, JSON-ready (see `worker.records.PlyRecord`)."""
    table = decision.table
    if table is None or len(table.actions) == 0:
        return None
    order = _by_value(table)
    shown = order[:BEST_ACTIONS]
    if all(table.actions[i] != decision.action for i in shown):
        shown = shown[:-1] + [i for i in order if table.actions[i] == decision.action]
    info: dict[str, Any] = {"best": [_row(game, state, table, i) for i in shown]}
    if record == "full":
        info["table"] = [_row(game, state, table, i) for i in order]
    return info


def _by_value(table: Table) -> list[int]:
    """Row numbers, best value first, then most visits, then least action; undefined values last."""
    values = np.where(np.isnan(table.values), -np.inf, table.values)
    return [int(i) for i in np.lexsort((table.actions, -table.visits, -values))]


def _row(game: Game, state: State, table: Table, i: int) -> list[Any]:
    action, visits = int(table.actions[i]), int(table.visits[i])
    error = float(table.deviations[i]) / math.sqrt(visits) if visits > 1 else math.nan
    return [action, game.notation(state, action), json_number(float(table.values[i])), visits, json_number(error)]


def json_number(value: float) -> float | None:
    """A JSON number, rounded; None where it is undefined."""
    return float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else None
