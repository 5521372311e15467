"""Flat Monte Carlo (Heyden 2009, section 4.2; MCE in Gedda, Lagerkvist, Butler 2018)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from engines.driver import Clock, seconds_for_ply, spend
from engines.playing import policy_number
from engines.protocol import Budget, Decision, Table
from games import loader
from games import rng as random_streams
from games.options import option
from games.protocol import Game, Rng, State

TEMPLATE = Path(__file__).parent / "search" / "flat.py"
UTILITIES = ("difference", "wdl", "relative", "own")
OPPONENTS = ("best", "total")


@dataclass(frozen=True)
class FlatMonteCarloOptions:
    """What a playout is worth, and who plays it."""

    utility: str = option(
        "difference",
        "Utility of a playout",
        "The margin in points; 1 for a win, 0 for a draw, -1 for a loss; own points as a share of own and "
        "opponents'; or own points alone.",
        choices=(
            ("difference", "score difference"),
            ("wdl", "win, draw or loss"),
            ("relative", "share of the points"),
            ("own", "own score"),
        ),
    )
    opponent: str = option(
        "best",
        "Opponents' score",
        "With more than two seats: the best other seat, or all others together.",
        choices=(("best", "best other seat"), ("total", "sum of all others")),
    )
    policy: str = option(
        "random", "Playout policy", "A policy of the game that plays every seat to the end.", names="policies"
    )
    epsilon: float = option(
        0.0,
        "Random share of playouts",
        "Probability that a playout takes a random action instead of the policy's.",
        minimum=0.0,
        maximum=1.0,
    )


class _Search:
    """Compiled kernels and buffers for one game and one choice of utility and policy."""

    def __init__(self, game: Game, options: FlatMonteCarloOptions) -> None:
        journal = options.policy in game.kernels().policies.NEEDS_JOURNAL
        rules = game.kernels(journal=journal)
        self.kernels: ModuleType = loader.algorithm(
            TEMPLATE,
            game.folder,
            journal,
            UTILITY=UTILITIES.index(options.utility),
            OPPONENT=OPPONENTS.index(options.opponent),
        )
        self._rules, self._policy = rules, options.policy
        self._sizes = (rules.SIZE, rules.MAX_ACTIONS, rules.MAX_SEATS, loader.JOURNAL_WORDS if journal else 1)
        loader.ensure_compiled(self.kernels, lambda: self._exercise(game))

    def policy(self, seat: int) -> int:
        """Number of the playout policy as it plays for `seat`."""
        return policy_number(self._rules, self._policy, seat)

    def buffers(self) -> tuple[Any, ...]:
        """Scratch arrays for one decision: state, generator, actions, journal, points."""
        size, actions, seats, journal = self._sizes
        return (
            np.empty(size, np.int32),
            np.empty(4, np.uint64),
            np.empty(actions, np.int32),
            np.ones(journal, np.int32),
            np.zeros(seats, np.int64),
        )

    def _exercise(self, game: Game) -> None:
        r = random_streams.new_stream(0, random_streams.ANALYSIS)
        state = game.initial_state(game.options(), game.traits.min_seats)
        while game.current_player(state) < 0:
            state = game.apply(state, game.sample_chance(state, r))
        actions = game.legal_actions(state)[:1].copy()
        tally = (np.zeros(1), np.zeros(1), np.zeros(1, np.int64))
        self.kernels.sample(state, actions, 0, 1, np.uint64(0), self.policy(0), 0.0, *tally, *self.buffers())


@cache
def _search(game: Any, options: FlatMonteCarloOptions) -> _Search:  # games are one object each, by identity
    return _Search(game, options)


class FlatMonteCarlo:
    """Tries every legal action with the same number of playouts; the best mean wins."""

    id = "flat_mc"
    version = "1"
    label = "Flat Monte Carlo"
    summary = (
        "Shares its playouts evenly over the legal actions, plays each to the end of the match "
        "and takes the action with the best mean utility."
    )
    options_class = FlatMonteCarloOptions
    budgets: Sequence[str] = ("playouts_per_action", "playouts", "seconds_per_ply", "seconds_per_match")
    default_budget: Mapping[str, int | float] = {"playouts_per_action": 20}
    peeks = False

    def __init__(self, options: FlatMonteCarloOptions) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        """Say so when the game hides information or has no policy of that name."""
        if game.traits.has_hidden_information:
            return f"Flat Monte Carlo sees all or nothing: {game.label} hides information from its seats."
        if self.options.policy not in game.policies:
            return f"{game.label} has the policies {', '.join(game.policies)}, not {self.options.policy!r}"
        return None

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Best mean over playouts; ties at random; a single legal action is played at once.

        Raises ValueError when `seat` is not on turn or no budget is given.
        """
        if game.current_player(view) != seat:
            raise ValueError(f"seat {seat} is not on turn")
        clock = Clock()
        actions = game.legal_actions(view).copy()
        n = len(actions)
        if n == 1:
            return Decision(int(actions[0]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
        units = _units(budget, n)
        seconds = seconds_for_ply(budget, game, view, seat)
        if units is None and seconds is None:
            raise ValueError(f"flat_mc needs a budget of {', '.join(self.budgets)}")
        search: _Search = _search(cast(Any, game), self.options)
        clock = Clock()  # anew: the first decision of a process loads or compiles its kernels
        seed = np.uint64(random_streams.next_u64(rng))
        sums, squares, visits = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
        tally, buffers, moves = (sums, squares, visits), search.buffers(), 0
        policy = search.policy(seat)

        def work(first: int, count: int) -> None:
            nonlocal moves
            moves += search.kernels.sample(
                view, actions, first, count, seed, policy, self.options.epsilon, *tally, *buffers
            )

        spent = spend(work, units, seconds, budget.cpu_clock, least=n if units is None else min(n, units))
        table = _table(actions, sums, squares, visits)
        best = np.flatnonzero(table.values == table.values[visits > 0].max())
        chosen = int(best[random_streams.below(rng, len(best))])
        return Decision(
            action=int(actions[chosen]),
            value=float(table.values[chosen]),
            table=table,
            playouts=spent.units,
            nodes=moves,
            elapsed_s=clock.elapsed_s,
            cpu_s=clock.cpu_s,
        )


def _units(budget: Budget, num_actions: int) -> int | None:
    limits = []
    if budget.playouts is not None:
        limits.append(budget.playouts)
    if budget.playouts_per_action is not None:
        limits.append(budget.playouts_per_action * num_actions)
    return min(limits) if limits else None


def _table(actions: Any, sums: Any, squares: Any, visits: Any) -> Table:
    """Means and sample standard deviations; NaN where an action had too few playouts."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(visits > 0, sums / visits, np.nan)
        variances = np.where(visits > 1, (squares - visits * means**2) / (visits - 1), np.nan)
    return Table(actions, means, visits, np.sqrt(np.maximum(variances, 0.0)))
