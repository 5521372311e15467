"""Plays whole matches of one game, each by one call."""

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
from games.courses import CourseKernels
from games.protocol import Game, State
from worker.whole_matches.kernel_arguments import Columns, Lineup, Scratch

TEMPLATE = Path(__file__).parent / "kernels" / "match.py"
ARGUMENTS = Path(__file__).parent / "kernel_arguments.py"
MAX_LINEUPS = 1_000
"""Line-ups that a player remembers: more than the tables of a ladder."""
MAX_NOTATIONS = 200_000
_SIGN = 1 << 63


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
        self._game, self._seats = game, seats
        self._rules = loader.rules(game.folder, journal)
        self._course = course.load(game, journal=journal)
        self.spell = _Spelling(course.spell).__getitem__
        """The notation of a spelling, remembered."""
        self._lineups: dict[tuple[str, tuple[str, ...]], Lineup] = {}
        names = (*loader.frame(journal=journal), ("R", self._rules), ("C", self._course))
        text = ARGUMENTS.read_bytes() + course.digest.encode()
        tag = f"{game.folder.name}_match_j{int(journal)}_{hashlib.sha256(text).hexdigest()[:8]}"
        self.kernels: ModuleType = loader.template(TEMPLATE, game.folder, tag, injected=names)

    def load(self) -> None:
        """Have the kernel compiled and loaded. Raises ColdError and BusyError as `loader.ensure_loaded` does."""
        policies = (self._game.policies[0],) * self._seats
        loader.ensure_loaded(self.kernels, lambda: self.play({}, policies, 0, 0, keeps=True))

    def play(
        self, options: Mapping[str, Any], policies: Sequence[str], seed: int, deal_seed: int, *, keeps: bool
    ) -> Played | None:
        """Play the match of these policies, by seat, with these seeds. keeps: also what is kept of plies.

        None where a policy gave an action that is not legal. Raises OptionError.
        """
        scratch, columns = self._scratch, self._columns if keeps else self._none
        rng.stream(scratch.chance, deal_seed, rng.DEAL)
        scratch.journal[0] = 1
        lineup = self._lineup(options, tuple(policies))
        num_plies = int(self.kernels.play(lineup, scratch, columns, np.uint64(rng.mix(seed, rng.SEARCH)), keeps))
        if num_plies < 0:
            return None
        kept = Columns(*(column[:num_plies].copy() for column in columns)) if keeps else None
        digest = int(scratch.digest[0])
        return Played(scratch.state.copy(), digest - 2 * _SIGN if digest & _SIGN else digest, num_plies, kept)

    def _lineup(self, options: Mapping[str, Any], policies: tuple[str, ...]) -> Lineup:
        key = (repr(sorted(options.items())), policies)
        if key not in self._lineups:
            if len(self._lineups) >= MAX_LINEUPS:
                self._lineups.clear()
            chosen = option_tools.from_json(self._game.options, options)
            numbers = [policy_number(self._rules, name, seat) for seat, name in enumerate(policies)]
            start = self._game.initial_state(chosen, len(policies))
            self._lineups[key] = Lineup(start, np.array(numbers, np.int64))
        return self._lineups[key]

    @cached_property
    def _scratch(self) -> Scratch:
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
            digest=np.zeros(1, np.uint64),
        )

    @cached_property
    def _columns(self) -> Columns:
        return self._new_columns(self._game.traits.max_plies)

    @cached_property
    def _none(self) -> Columns:
        return self._new_columns(0)

    def _new_columns(self, plies: int) -> Columns:
        def zeros(*shape: int) -> NDArray[np.int64]:
            return np.zeros((plies, *shape), np.int64)

        seats, notes = self._seats, self._course.NOTES
        return Columns(zeros(), zeros(), zeros(), zeros(), zeros(), scores=zeros(seats), notes=zeros(notes, seats))
