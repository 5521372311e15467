"""Plays one match to its end and says what happened."""

from __future__ import annotations

import dataclasses
import logging
import math
import operator
import time
import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np

from engines import registry as engine_registry
from engines.protocol import Budget, Decision, Engine, Table
from games import registry as game_registry
from games import rng
from games.protocol import TERMINAL, Actions, Game, State
from worker.course import Course
from worker.records import Failure, MatchRecord, PlyRecord
from worker.spec import MatchSpec

logger = logging.getLogger(__name__)

BEST_ACTIONS = 5
"""Weighed actions that a standard record keeps of each ply."""
GRACE_S, GRACE_SHARE = 1.0, 0.1
"""An engine has run over when it exceeds its clock by this much and this share."""
LEAST_S = 1e-3
"""What is left on a clock that has run out, within its grace."""
MAX_MESSAGE = 500
_DIGITS = 6
"""Significant digits of the numbers beside a ply (the value of the ply itself is exact)."""


class _FailedError(Exception):
    """Ends the match; carries what the record says."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def play_match(match: MatchSpec) -> MatchRecord:
    """Play a match; an engine that fails gives a failed record instead of an exception."""
    elapsed, cpu = time.perf_counter(), time.thread_time()
    table = _MatchTable(match)
    try:
        table.play()
        record = table.finished()
    except _FailedError as error:
        record = table.failed(error.failure)
    except Exception as error:  # a fault in rules or set-up: the batch goes on, the log tells
        record = table.failed(_failure(None, "exception", error))
    return dataclasses.replace(record, elapsed_s=time.perf_counter() - elapsed, cpu_s=time.thread_time() - cpu)


def results(ranks: Sequence[int]) -> tuple[str, ...]:
    """Win = sole best rank, draw = best rank shared, loss = anything else."""
    best = min(ranks)
    top = "win" if ranks.count(best) == 1 else "draw"
    return tuple(top if rank == best else "loss" for rank in ranks)


def ply_info(game: Game, state: State, decision: Decision, record: str) -> dict[str, Any] | None:
    """What the engine weighed at a ply, JSON-ready (see `worker.records.PlyRecord`)."""
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
    return [action, game.notation(state, action), _number(float(table.values[i])), visits, _number(error)]


def _number(value: float) -> float | None:
    """A JSON number, rounded; None where it is undefined."""
    return float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else None


def _failure(seat: int | None, kind: str, error: Exception) -> Failure:
    """Say what was raised and in which line of which module (never a path of the machine)."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    message = f"{type(error).__name__}: {error}"[:MAX_MESSAGE]
    failure = Failure(seat, kind, f"{message} ({frame.f_globals.get('__name__', '?')}:{line})")
    logger.warning("match failed: %s", failure)
    logger.debug("raised", exc_info=error)
    return failure


class _MatchTable:
    """The engines of one match round its course, and what has been written down so far."""

    def __init__(self, match: MatchSpec) -> None:
        self.match = match
        self.game = game_registry.get(match.game)
        self.engines: list[Engine] = []
        self.plies: list[PlyRecord] = []
        self.course: Course | None = None
        self.keeps_plies = match.record != "matches"
        self.used_s = [0.0] * len(match.seats)
        self.rng = np.zeros(4, np.uint64)

    def play(self) -> None:
        """Play to the end. Raises _FailedError where an engine fails."""
        match, game = self.match, self.game
        self.engines = [engine_registry.make(seat.engine, seat.options) for seat in match.seats]
        course = self.course = Course(game, match.options, len(match.seats), match.deal_seed)
        while (seat := course.player) != TERMINAL:
            before = course.state
            legal = game.legal_actions(before)
            decision = self._decide(course, seat)
            action = self._checked(decision, seat, legal)
            course.advance(action)
            if self.keeps_plies:
                self.plies.append(self._ply(before, seat, action, len(legal), decision))

    def _decide(self, course: Course, seat: int) -> Decision:
        engine, game, entry = self.engines[seat], self.game, self.match.seats[seat]
        budget = self._budget(seat, entry.budget)
        rng.stream(self.rng, self.match.seed, rng.SEARCH, seat, course.ply)
        view = course.state.copy() if engine.peeks else game.view(course.state, seat)
        try:
            decision = engine.choose(game, view, seat, budget, self.rng)
            if not isinstance(decision, Decision):
                raise TypeError(f"answered {decision!r} instead of a decision")
        except Exception as error:
            raise _FailedError(_failure(seat, "exception", error)) from error
        self._charge(decision, seat, course.ply, entry.budget)
        return decision

    def _budget(self, seat: int, budget: Budget) -> Budget:
        """The budget with what is left on the seat's clock, where it has one."""
        if budget.seconds_per_match is None:
            return budget
        left = max(LEAST_S, budget.seconds_per_match - self.used_s[seat])
        return dataclasses.replace(budget, seconds_per_match=left)

    def _charge(self, decision: Decision, seat: int, ply: int, budget: Budget) -> None:
        spent = decision.cpu_s if budget.cpu_clock else decision.elapsed_s
        self.used_s[seat] += spent
        for used, limit, name in (
            (spent, budget.seconds_per_ply, "a ply"),
            (self.used_s[seat], budget.seconds_per_match, "the match"),
        ):
            if limit is not None and used > limit * (1 + GRACE_SHARE) + GRACE_S:
                message = f"took {used:.1f} s at ply {ply}; {limit:g} s are allowed for {name}"
                raise _FailedError(Failure(seat, "over_time", message))

    def _checked(self, decision: Decision, seat: int, legal: Actions) -> int:
        """The decision's action as an int. Raises _FailedError where it is not legal."""
        try:
            action = operator.index(decision.action)
        except TypeError:
            action = None
        if action is None or not (legal == action).any():
            assert self.course is not None
            message = f"{decision.action!r} is not legal at ply {self.course.ply}"
            raise _FailedError(Failure(seat, "illegal_action", message[:MAX_MESSAGE]))
        return action

    def _ply(self, before: State, seat: int, action: int, legal_count: int, decision: Decision) -> PlyRecord:
        """The ply just played, from the state `before` it."""
        course, game, value = self.course, self.game, decision.value
        assert course is not None
        return PlyRecord(
            ply=course.ply - 1,
            seat=seat,
            action=action,
            notation=game.notation(before, action),
            legal_count=legal_count,
            scores=game.scores(course.state),
            value=float(value) if value is not None and math.isfinite(value) else None,
            playouts=int(decision.playouts),
            nodes=int(decision.nodes),
            depth=int(decision.depth),
            elapsed_s=float(decision.elapsed_s),
            cpu_s=float(decision.cpu_s),
            digest=course.digest,
            info=ply_info(game, before, decision, self.match.record),
        )

    def finished(self) -> MatchRecord:
        """The match with its result."""
        assert self.course is not None
        state = self.course.state
        ranks = self.game.ranks(state)
        return dataclasses.replace(
            self._record("finished"),
            scores=self.game.scores(state),
            ranks=ranks,
            results=results(ranks),
            metrics=self.game.metrics(state),
        )

    def failed(self, failure: Failure) -> MatchRecord:
        """The match as far as it came, and why it went no further."""
        return dataclasses.replace(self._record("failed"), failure=failure)

    def _record(self, status: str) -> MatchRecord:
        match, course = self.match, self.course
        engines = {entry.engine: engine.version for entry, engine in zip(match.seats, self.engines, strict=False)}
        return MatchRecord(
            arm=match.arm,
            deal=match.deal,
            rotation=match.rotation,
            seed=match.seed,
            deal_seed=match.deal_seed,
            lineup=match.lineup,
            status=status,
            num_plies=course.ply if course else 0,
            digest=course.digest if course else 0,
            versions={self.game.id: self.game.version, **engines},
            plies=tuple(self.plies),
        )
