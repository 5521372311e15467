"""Plays matches of one game by a kernel: whole, or along the turns of seats that are asked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.policy_numbers import policy_number
from games import loader, rng
from games import options as option_tools
from games.courses import PROGRAM, CourseKernels, Program
from games.machine_code import machine_code
from games.protocol import Game, State
from worker.engine_decision import BEST_ACTIONS
from worker.whole_matches.kernel_arguments import ASKED, LANES, Best, Columns, Lineup, Scratch
from worker.whole_matches.kernel_course import KernelCourse, Memory

TEMPLATE = Path(__file__).parent / "kernels" / "match.py"
ARGUMENTS = Path(__file__).parent / "kernel_arguments.py"
MAX_LINEUPS = 1_000
"""Line-ups that a player remembers: more than the tables of a ladder."""
MAX_NOTATIONS = 200_000

Filling = str | Program | None
"""What fills a seat: a policy by its name, a program, or None where the seat is asked."""


@dataclass(frozen=True)
class Played:
    """A match as the kernel left it. state: the last one; columns: of its plies, None where none are kept."""

    state: State
    digest: int
    num_plies: int
    columns: Columns | None


class _Spelling(dict[int, str]):
    """Notations by spelling, made on the first look-up; forgotten when they are too many."""

    def __init__(self, spell: Callable[[int], str]) -> None:
        super().__init__()
        self._spell = spell

    def __missing__(self, spelling: int) -> str:
        if len(self) >= MAX_NOTATIONS:
            self.clear()
        notation = self[spelling] = self._spell(spelling)
        return notation


class WholePlayer:
    """Plays matches of a game at one table; for one thread. journal: of the rules (`games.loader.rules`)."""

    def __init__(self, game: Game, course: CourseKernels, seats: int, journal: bool) -> None:
        self._game, self._seats, self._is_loaded = game, seats, False
        self._rules = loader.rules(game.folder, journal)
        self._course = course.load(game, journal=journal)
        self.spell = _Spelling(course.spell).__getitem__
        """The notation of a spelling, remembered."""
        self._lineups: dict[tuple[str, tuple[Filling, ...]], Lineup] = {}
        names = (*loader.frame(journal=journal), ("R", self._rules), ("C", self._course))
        text = ARGUMENTS.read_bytes() + course.digest.encode()
        tag = f"{game.folder.name}_match_j{int(journal)}_{hashlib.sha256(text).hexdigest()[:8]}"
        self.kernels: ModuleType = loader.template(TEMPLATE, game.folder, tag, injected=names)

    def load(self) -> None:
        """Have the kernels compiled and loaded, once. Raises ColdError and BusyError as `loader.ensure_loaded` does."""
        if not self._is_loaded:
            loader.ensure_loaded(self.kernels, self._exercise)
            self._play, self._is_loaded = machine_code(self.kernels.play), True

    def _exercise(self) -> None:
        self._play = self.kernels.play
        self.play({}, (self._game.policies[0],) * self._seats, 0, 0, keeps=True)

    def play(
        self, options: Mapping[str, Any], fillings: Sequence[Filling], seed: int, deal_seed: int, *, keeps: bool
    ) -> Played | None:
        """Play the match of these, by seat, none of them asked, with these seeds. keeps: also what is kept of plies.

        None where one gave an action that is not legal. Raises OptionError.
        """
        course = self._course_of(self._lineup(options, tuple(fillings)), seed, deal_seed, keeps)
        if not course.start():
            return None
        return Played(course.state.copy(), course.digest, course.ply, course.columns() if keeps else None)

    def begin(self, options: Mapping[str, Any], seed: int, deal_seed: int, *, keeps: bool) -> KernelCourse:
        """Begin a match whose seats are all asked. Raises OptionError."""
        course = self._course_of(self._lineup(options, (None,) * self._seats), seed, deal_seed, keeps)
        course.start()
        return course

    def _course_of(self, lineup: Lineup, seed: int, deal_seed: int, keeps: bool) -> KernelCourse:
        memory = self._memory
        memory.scratch.chance[0] = rng.mix(deal_seed, rng.DEAL)
        memory.scratch.journal[0] = 1
        return KernelCourse(self._play, self.spell, memory, lineup, rng.mix(seed, rng.SEARCH), keeps)

    def _lineup(self, options: Mapping[str, Any], fillings: tuple[Filling, ...]) -> Lineup:
        key = (repr(sorted(options.items())), fillings)
        if key not in self._lineups:
            if len(self._lineups) >= MAX_LINEUPS:
                self._lineups.clear()
            chosen = option_tools.from_json(self._game.options, options)
            numbers = [self._number(filling, seat) for seat, filling in enumerate(fillings)]
            start = self._game.initial_state(chosen, len(fillings))
            self._lineups[key] = Lineup(start, np.array(numbers, np.int64), _programs(fillings))
        return self._lineups[key]

    def _number(self, filling: Filling, seat: int) -> int:
        if filling is None:
            return ASKED
        return policy_number(self._rules, filling, seat) if isinstance(filling, str) else PROGRAM

    @cached_property
    def _memory(self) -> Memory:
        plies, rows = self._game.traits.max_plies, BEST_ACTIONS
        best = Best(
            order=np.zeros(rows, np.int64),
            counts=np.zeros(plies, np.int64),
            keys=np.zeros((plies, rows, 3), np.int64),
            numbers=np.zeros((plies, rows, 2)),
            rounded=np.zeros((plies, rows, 2)),
        )
        return Memory(self._new_scratch(), self._new_columns(plies), self._new_columns(0), best)

    def _new_scratch(self) -> Scratch:
        rules = self._rules
        return Scratch(
            state=np.zeros(rules.SIZE, np.int32),
            chance=np.zeros(4, np.uint64),
            luck=np.zeros(self._course.LUCK, np.int64),
            search=np.zeros(4, np.uint64),
            legal=np.zeros(rules.MAX_ACTIONS, np.int32),
            actions=np.zeros(rules.MAX_ACTIONS, np.int32),
            points=np.zeros(rules.MAX_SEATS, np.int64),
            journal=np.ones(loader.JOURNAL_WORDS, np.int32),
            work=np.zeros(getattr(self._course, "WORK", 0), np.int64),
            keyed=np.zeros((getattr(rules, "KEYED", 0), LANES), np.int32),
            keys=np.zeros(LANES, np.uint64),
            turn=np.zeros(3, np.int64),
            digest=np.zeros(1, np.uint64),
        )

    def _new_columns(self, plies: int) -> Columns:
        def zeros(*shape: int) -> NDArray[np.int64]:
            return np.zeros((plies, *shape), np.int64)

        seats, notes = self._seats, self._course.NOTES
        return Columns(zeros(), zeros(), zeros(), zeros(), zeros(), scores=zeros(seats), notes=zeros(notes, seats))


def _programs(fillings: Sequence[Filling]) -> NDArray[np.int64]:
    """Programs by seat, as long as the longest."""
    programs = [() if filling is None or isinstance(filling, str) else filling for filling in fillings]
    rows = np.zeros((len(programs), max(1, *map(len, programs))), np.int64)
    for row, program in zip(rows, programs, strict=True):
        row[: len(program)] = program
    return rows
