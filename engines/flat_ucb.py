"""Flat UCB (Jansen, Tollisen 2014, sections 2.3 and 3.4): a bandit formula shares playouts over a position's actions.

Every simulation draws what is hidden and what is to come anew; nothing below the first action is
remembered. The thesis' UCB_orig and UCB_mod are two configurations of it (`engines/named_engines.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines import game_adapter, playing_options
from engines.driver import Clock, interleave, seconds_for_ply, spend
from engines.flat_playouts import Kernels, kernels_of
from engines.kernel_arguments import Stage, Task
from engines.protocol import Budget, Decision
from engines.tallies import best_places
from games import rng as random_streams
from games.costs import Costs
from games.options import option
from games.protocol import Game, Rng, State


@dataclass(frozen=True)
class FlatUCBOptions:
    """Options of flat UCB: the worth of a simulation, its policy, and how simulations are shared out.

    C weighs against utilities: 0.7 suits those of about one unit, as wins are, and not points.
    """

    utility: str = playing_options.utility("win_difference", "Utility of a simulation")
    opponent: str = playing_options.opponent()
    policy: str = playing_options.policy()
    epsilon: float = playing_options.epsilon()
    selection: str = playing_options.selection()
    c: float = option(
        0.7,
        "Exploration constant C",
        "How far a rarely tried action is preferred, in utilities.",
        minimum=0.0,
        maximum=1000.0,
    )
    dynamic_c: str = playing_options.dynamic_c()
    c_least: float = playing_options.c_least()
    c_most: float = playing_options.c_most()
    min_visits: int = playing_options.min_visits(1)
    ties: str = playing_options.ties()
    trees: int = playing_options.trees()
    final: str = playing_options.final("visits")
    forced: str = playing_options.forced()
    peek: bool = playing_options.peek()


class FlatUCB:
    """Follows the upper confidence bound of every action, by playouts."""

    id = "flat_ucb"
    version = "1"
    label = "Flat UCB"
    summary = (
        "Plays every simulation to the end of the match after the action with the highest upper confidence bound, and "
        "takes the action tried most."
    )
    options_class = FlatUCBOptions
    budgets: Sequence[str] = ("simulations", "seconds_per_ply", "seconds_per_match")
    default_budget: Mapping[str, int | float] = {"simulations": 1000}
    peeks = False

    def __init__(self, options: FlatUCBOptions) -> None:
        self.options = options
        self.peeks = options.peek

    def refuses(self, game: Game) -> str | None:
        """Say so when the game lacks what an option asks for."""
        return game_adapter.refusal(game, self.options)

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        """Seconds of its playouts."""
        playout_s = costs.played_s(costs.policy_s(self.options.policy))
        return budget.seconds(costs.plies / num_seats, {"simulations": playout_s})

    def prepare(self, game: Game) -> None:
        """Load the playouts."""
        kernels_of(game, self.options.policy)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Most visits or best mean; ties by the mean, then at random; a single action is played at once.

        Raises ValueError when `seat` is not on turn or no budget is given.
        """
        clock = Clock()
        actions = game_adapter.actions_of(game, view, seat, self.options)
        if len(actions) == 1:
            return Decision(int(actions[0]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
        units, seconds = budget.simulations, seconds_for_ply(budget, game, view, seat)
        if units is None and seconds is None:
            raise ValueError(f"flat_ucb needs a budget of {', '.join(self.budgets)}")
        kernels = kernels_of(game, self.options.policy)
        clock = Clock()  # anew: the first decision of a process loads or compiles its kernels
        seed = random_streams.next_u64(rng)
        runs = [
            _Run(kernels, kernels.task(game, self.options, view, actions, seed_of_tree))
            for seed_of_tree in (random_streams.mix2(seed, number) for number in range(self.options.trees))
        ]
        least = len(actions) if units is None else min(len(actions), units)
        spent = spend(interleave([run.simulate for run in runs]), units, seconds, budget.cpu_clock, least)
        table = sum((run.tally for run in runs[1:]), runs[0].tally).table(actions)
        best = best_places(table, self.options.final)
        chosen = int(best[random_streams.below(rng, len(best))])
        return Decision(
            action=int(actions[chosen]),
            value=float(table.values[chosen]),
            table=table,
            playouts=spent.units,
            nodes=sum(run.moves for run in runs),
            elapsed_s=clock.elapsed_s,
            cpu_s=clock.cpu_s,
        )


class _Run:
    """Simulations of one decision that know of each other ("tree" of a root parallelisation)."""

    def __init__(self, kernels: Kernels, task: Task) -> None:
        n = len(task.actions)
        self.tally, self.moves = kernels.tally(n), 0
        self._task, self._buffers, self._sample = task, kernels.buffers(), kernels.sample
        self._stage = Stage(np.arange(n), 0, 0)

    def simulate(self, first: int, count: int) -> None:
        """Simulations number first .. first + count - 1."""
        given = self._task, self._stage, self.tally.arrays, self._buffers
        self.moves += int(self._sample(*given, first, count))
