"""Playouts without a tree as Python sees them: what `flat_mc` and `flat_ucb` share."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engines import kernel_arguments, selection_formula, templates, utilities
from engines.game_adapter import knows_all
from engines.kernel_arguments import PlayoutBuffers, Task
from engines.playing_options import FORCED, plies_of
from engines.policy_numbers import policy_number
from engines.protocol import Table
from engines.tallies import table_of
from games import loader, readiness
from games import rng as random_streams
from games.machine_code import machine_code
from games.protocol import Game, State
from games.values import NONE, GameValue, Weights

LOT = "lot"
"""The allocation that draws the action of each playout."""
OWN = "own"
"""Plies by the learned value are those of the seat that decides."""


class Kernels:
    """Compiled playouts for one game, with or without a journal, and its learned value where that is used."""

    def __init__(self, game: Game, journal: bool, value: GameValue | None) -> None:
        self.rules = game.kernels(journal=journal)
        self.flat: ModuleType = templates.load("flat", game.folder, journal, value=value)
        self._journal_words = loader.JOURNAL_WORDS if journal else 1
        loader.ensure_loaded(self.flat, lambda: self._exercise(game))
        self.sample = machine_code(self.flat.sample)

    def buffers(self, weights: Weights = NONE) -> PlayoutBuffers:
        """Scratch arrays for one decision, and the weights of the learned value."""
        rules, value = self.rules, self.flat.V
        return PlayoutBuffers(
            s=np.empty(rules.SIZE, np.int32),
            r=np.empty(4, np.uint64),
            luck=np.empty(4, np.uint64),
            actions=np.empty(rules.MAX_ACTIONS, np.int32),
            j=np.ones(self._journal_words, np.int32),
            points=np.zeros(rules.MAX_SEATS, np.int64),
            weights=weights,
            values=np.zeros(value.ROOM if value else 1),
            spare=np.empty(rules.MAX_ACTIONS, np.int32),
            guesses=np.zeros(rules.MAX_ACTIONS),
        )

    def _exercise(self, game: Game) -> None:
        task, tally, buffers = self.example(game)
        self.flat.promises(task, buffers, np.zeros(1))
        self.flat.sample(task, kernel_arguments.Stage(np.zeros(1, np.int64), 0, 0), tally, buffers, 0, 1)

    def example(self, game: Game) -> tuple[Task, kernel_arguments.Tally, PlayoutBuffers]:
        """(task, tally, buffers) with the types that kernels are compiled for."""
        r = random_streams.new_stream(0, random_streams.ANALYSIS)
        state = game.initial_state(game.options(), game.traits.min_seats)
        while game.current_player(state) < 0:
            state = game.apply(state, game.sample_chance(state, r))
        actions = game.legal_actions(state)[:1].copy()
        seat = game.current_player(state)
        task = Task(
            state,
            seat,
            actions,
            np.uint64(0),
            policy=0,
            epsilon=0.0,
            forces=0,
            peeks=True,
            paired=False,
            utility=0,
            total=False,
            allocation=self.flat.IN_TURN,
            formula=selection_formula.NONE,
            min_visits=0,
            playout_plies=-1,
            value_plies=0,
            value_seat=-1,
            value_candidates=0,
            value_denies=False,
        )
        weights = np.zeros(1 + self.flat.V.NUM_FEATURES) if self.flat.V else NONE
        return task, self.tally(1).arrays, self.buffers(weights)

    def task(self, game: Game, options: Any, view: State, actions: NDArray[np.int32], seed: int) -> Task:
        """One decision.

        options: with `utility`, `opponent`, `policy`, `epsilon`, `forced`, `peek`, and `paired`, `allocation`,
        `playout_plies`, `value`, the options of plies by the value, and `selection` with what belongs to it where the
        engine has them; seed: 64 bits.
        """
        seat = game.current_player(view)
        return Task(
            start=view,
            seat=seat,
            actions=actions,
            seed=np.uint64(seed),
            policy=policy_number(self.rules, options.policy, seat),
            epsilon=options.epsilon,
            forces=FORCED.index(options.forced),
            peeks=knows_all(game, options),
            paired=getattr(options, "paired", False),
            utility=utilities.UTILITIES.index(options.utility),
            total=options.opponent == "total",
            **self._allocation(options),
            playout_plies=plies_of(options),
            value_plies=getattr(options, "value_plies", 0),
            value_seat=seat if getattr(options, "value_seats", "") == OWN else -1,
            value_candidates=getattr(options, "value_candidates", 0),
            value_denies=getattr(options, "value_denies", False),
        )

    def _allocation(self, options: Any) -> dict[str, Any]:
        """How playouts are shared out, as fields of a task: by a formula where the engine has one."""
        if hasattr(options, "selection"):
            formula = selection_formula.formula(options, utilities.TO_UNIT[options.utility])
            return {"allocation": self.flat.BY_FORMULA, "formula": formula, "min_visits": options.min_visits}
        is_drawn = getattr(options, "allocation", "") == LOT
        way = self.flat.BY_LOT if is_drawn else self.flat.IN_TURN
        return {"allocation": way, "formula": selection_formula.NONE, "min_visits": 0}

    def tally(self, num_actions: int) -> Tally:
        """Nothing tried yet."""
        sums, squares = np.zeros(num_actions), np.zeros(num_actions)
        return Tally(kernel_arguments.Tally(sums, squares, np.zeros(num_actions, np.int64)))


class Tally:
    """Counts of tries and sums of results, action by action.

    arrays: those that kernels add to.
    """

    def __init__(self, arrays: kernel_arguments.Tally) -> None:
        self.arrays = arrays

    def __add__(self, other: Tally) -> Tally:
        """Add up two tallies."""
        one, another = self.arrays, other.arrays
        sums, squares = one.sums + another.sums, one.squares + another.squares
        return Tally(kernel_arguments.Tally(sums, squares, one.visits + another.visits))

    @property
    def visits(self) -> NDArray[np.int64]:
        """Playouts of every action."""
        return self.arrays.visits

    def means(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Mean utilities of actions that were tried."""
        return self.arrays.sums[places] / self.arrays.visits[places]

    def table(self, actions: NDArray[np.int32]) -> Table:
        """Means and deviations of all actions."""
        return table_of(actions, self.arrays.sums, self.arrays.squares, self.arrays.visits)


@cache
def _kernels(game: Any, journal: bool, value: GameValue | None, mode: str) -> Kernels:
    return Kernels(game, journal, value)


def kernels_of(game: Game, policy: str, value: GameValue | None = None, is_greedy: bool = False) -> Kernels:
    """Kernels for playouts by a policy, and by a learned value, compiled or loaded on first use.

    is_greedy: plies are played that are greedy in the value.
    """
    has_journal = is_greedy or policy in game.kernels().policies.NEEDS_JOURNAL
    return _kernels(cast(Any, game), has_journal, value, readiness.usual_mode())  # by identity: one object a game
