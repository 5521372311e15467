"""Plays one match to its end and says what happened."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from engines import registry as engine_registry
from engines.driver import Clock
from engines.own.sources import is_own
from engines.protocol import Decision, Engine, EngineFaultError
from games import registry as game_registry
from games.protocol import TERMINAL, Game, State
from worker import engine_decision
from worker.course import Course
from worker.engine_decision import Answer, FailedError, Question
from worker.records import Failure, MatchRecord, PlyRecord
from worker.spec import MatchSpec
from worker.whole_matches import players
from worker.whole_matches.kernel_course import KernelCourse
from worker.whole_matches.player import Filling, WholePlayer
from worker.whole_matches.players import Policies
from worker.whole_matches.plies import PlyColumns, plies_of


def play_match(match: MatchSpec, most_s: float = math.inf, *, is_by_ply: bool = False) -> MatchRecord:
    """Play a match; an engine that fails gives a failed record instead of an exception, and so do over `most_s` CPU s.

    Its seconds, and those of its engines, begin once all kernels that it calls are compiled and loaded. Where a
    kernel of whole matches is ready (`whole_matches`), it plays between the turns of engines; between policies alone
    all of the match, and each ply then has an equal part of its seconds. All else of the record is the same.
    is_by_ply: without it.
    """
    table, clock = _MatchTable(match, is_by_ply), None
    try:
        table.prepare()
        clock = Clock()
        for _ in table.play():
            if (cpu_s := clock.cpu_s + table.elsewhere_s) > most_s:
                message = f"the match had taken {cpu_s:.0f} CPU seconds; {most_s:.0f} are the most"
                raise FailedError(Failure(None, "too_long", message))
        result = table.result()
    except FailedError as error:
        result = {"status": "failed", "failure": error.failure}
    except Exception as error:  # a fault in rules or set-up: the batch goes on, the log tells
        result = {"status": "failed", "failure": engine_decision.failure_of(None, "exception", error)}
    clock = clock or Clock()  # where it was not prepared
    cpu_s = clock.cpu_s + table.elsewhere_s
    table.note_missed(cpu_s)
    return table.record(elapsed_s=clock.elapsed_s, cpu_s=cpu_s, **result)


def noted(game: Game, state: State) -> dict[str, list[int]]:
    """What a ply notes of the position after it, a number for every seat (`Game.ply_notes`)."""
    return {name: [int(value) for value in note(game, state)] for name, note in game.ply_notes.items()}


@lru_cache
def results(ranks: tuple[int, ...], has_teams: bool = False) -> tuple[str, ...]:
    """Win = sole best rank, draw = best rank shared, loss = anything else.

    has_teams: seats of like parity play together, and share a rank without drawing.
    """
    best = min(ranks)
    sides = {seat % 2 if has_teams else seat for seat, rank in enumerate(ranks) if rank == best}
    top = "win" if len(sides) == 1 else "draw"
    return tuple(top if rank == best else "loss" for rank in ranks)


class _MatchTable:
    """The engines of one match round its course, and what has been written down so far."""

    def __init__(self, match: MatchSpec, is_by_ply: bool) -> None:
        self.match = match
        self.game = game_registry.get(match.game)
        self.engines: Sequence[Engine] = ()
        self.policies: Policies | None = None
        self.player: WholePlayer | None = None
        self.course: KernelCourse | None = None
        self.is_by_ply = is_by_ply
        self.plies: list[PlyRecord] | PlyColumns = []
        self.state: State | None = None
        self.num_plies = self.digest = 0
        self.keeps_plies = match.record != "matches"
        self.used_s = [0.0] * len(match.seats)
        self.rng = np.zeros(4, np.uint64)
        self.elsewhere_s = self.thought_s = 0.0
        """CPU seconds of engines that play in processes of their own; of all engines."""

    def prepare(self) -> None:
        """Make the engines; have the kernels of rules and engines compiled and loaded, once a process."""
        if not self.is_by_ply and (known := players.remembered(self.match)):
            self.policies, self.engines = known, known.engines
        else:
            self._make_engines()
        if not self.is_by_ply:
            self.player = players.player_for(self.game, self._fillings())

    def _fillings(self) -> Sequence[Filling]:
        """What fills the seats: policies alone, or all are asked."""
        return (None,) * len(self.match.seats) if self.policies is None else self.policies.fillings

    def _make_engines(self) -> None:
        self.engines = [engine_registry.make(seat.engine, seat.options) for seat in self.match.seats]
        self.game.kernels()
        for seat, engine in enumerate(self.engines):
            if engine.refuses(self.game) is None:
                self._prepare(seat, engine)
        if not self.is_by_ply:
            self.policies = players.policies_of(self.match, self.game, self.engines)

    def _prepare(self, seat: int, engine: Engine) -> None:
        try:
            engine.prepare(self.game)
        except EngineFaultError as fault:
            raise FailedError(engine_decision.failure_of_fault(seat, fault)) from fault

    def play(self) -> Iterator[None]:
        """Play to the end: whole, along a kernel, or ply by ply. Raises FailedError where an engine fails."""
        if self.player is None:
            yield from self._play_by_ply()
        elif self.policies is None:
            yield from self._play_along(self.player)
        elif self._play_whole(self.player, self.policies):
            yield
        else:
            yield from self._play_by_ply()

    def _play_whole(self, player: WholePlayer, policies: Policies) -> bool:
        """Let a kernel play the match; whether it could. What it cannot play to the end is played ply by ply."""
        match, clock = self.match, Clock() if self.keeps_plies else None
        played = player.play(match.options, policies.fillings, match.seed, match.deal_seed, keeps=self.keeps_plies)
        if played is None:
            return False
        self.state, self.digest, self.num_plies = played.state, played.digest, played.num_plies
        if played.columns is not None and clock is not None:
            self.plies = plies_of(self.game, player.spell, played.columns, clock.elapsed_s, clock.cpu_s)
        return True

    def _play_along(self, player: WholePlayer) -> Iterator[None]:
        """Let a kernel play between the turns of the seats, which are all asked."""
        match = self.match
        self.course = course = player.begin(match.options, match.seed, match.deal_seed, keeps=self.keeps_plies)
        info = partial(engine_decision.ply_info, self.game, record=match.record)
        while (seat := course.seat) != TERMINAL:
            question = self._question(course.state, seat, course.ply)
            decision, spent_s = engine_decision.ask(self.engines[seat], question, course.rng)
            self._count(seat, decision, spent_s)
            action = engine_decision.action_of(decision)
            if action is None or not course.advance(action, decision, info, is_full=match.record == "full"):
                raise engine_decision.illegal(question, decision)
            yield
        self.state = course.state.copy()

    def _play_by_ply(self) -> Iterator[None]:
        match, game = self.match, self.game
        course = Course(game, match.options, len(match.seats), match.deal_seed)
        plies = self.plies = []
        while (seat := course.player) != TERMINAL:
            before = course.state
            answer = engine_decision.decide(self.engines[seat], self._question(before, seat, course.ply), self.rng)
            self._count(seat, answer.decision, answer.spent_s)
            course.advance(answer.action)
            self.state, self.digest, self.num_plies = course.state, course.digest, course.ply
            if self.keeps_plies:
                plies.append(self._ply(course, before, seat, answer))
            yield
        self.state = course.state

    def note_missed(self, cpu_s: float) -> None:
        """Say so where a kernel could have played the match, had it been compiled."""
        if not self.is_by_ply and self.player is None:
            players.note_missed(self.game, self._fillings(), cpu_s if self.policies else cpu_s - self.thought_s)

    def _question(self, state: State, seat: int, ply: int) -> Question:
        match = self.match
        return Question(self.game, state, seat, ply, match.seed, match.seats[seat].budget, self.used_s[seat])

    def _count(self, seat: int, decision: Decision, spent_s: float) -> None:
        """Add a decision's seconds to those of the seat, and of all engines."""
        self.used_s[seat] += spent_s
        self.thought_s += decision.cpu_s
        self.elsewhere_s += decision.cpu_s if is_own(self.match.seats[seat].engine) else 0.0

    def _ply(self, course: Course, before: State, seat: int, answer: Answer) -> PlyRecord:
        """The ply just played, from the state `before` it."""
        game = self.game
        fields = engine_decision.thinking_fields(game, before, answer.decision, self.match.record)
        if game.ply_notes:
            fields["info"] = (fields["info"] or {}) | {"after": noted(game, course.state)}
        return PlyRecord(
            ply=course.ply - 1,
            seat=seat,
            action=answer.action,
            notation=game.notation(before, answer.action),
            legal_count=answer.legal_count,
            scores=game.scores(course.state),
            digest=course.digest,
            **fields,
        )

    def result(self) -> dict[str, Any]:
        """Fields of the record of a match that has ended."""
        state = self.state
        assert state is not None
        ranks = self.game.ranks(state)
        return {
            "status": "finished",
            "scores": self.game.scores(state),
            "ranks": ranks,
            "results": results(ranks, self.game.traits.has_teams),
            "metrics": self.game.metrics(state),
        }

    def record(self, **fields: Any) -> MatchRecord:
        """The match as far as it came. fields: its result or failure, and its seconds."""
        match, course = self.match, self.course
        if course is not None:
            self.num_plies, self.digest = course.ply, course.digest
            self.plies = course.records(tuple(self.game.ply_notes)) if self.keeps_plies else []
        engines = {entry.engine: engine.version for entry, engine in zip(match.seats, self.engines, strict=False)}
        return MatchRecord(
            arm=match.arm,
            deal=match.deal,
            rotation=match.rotation,
            seed=match.seed,
            deal_seed=match.deal_seed,
            lineup=match.lineup,
            num_plies=self.num_plies,
            digest=self.digest,
            versions={self.game.id: self.game.version, **engines},
            plies=self.plies if isinstance(self.plies, PlyColumns) else tuple(self.plies),
            **fields,
        )
