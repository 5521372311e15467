"""UCT with chance nodes (Heyden 2009, sections 4.3 and 6.2.2), for any game without hidden information.

The formulas stand in `engines/search/uct_tree.py`, the handling of chance in
`engines/search/uct.py`, what the options mean in `engines/uct_options.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engines import utilities
from engines.driver import Clock, seconds_for_ply, spend
from engines.playing import policy_number
from engines.protocol import Budget, Decision, Table
from engines.uct_forest import Kernels, RootStatistics, SearchTree, merged
from engines.uct_options import UNIT_POINTS, UCTOptions
from games import loader
from games import rng as random_streams
from games.protocol import Game, Rng, State

CHANCE_MODES = ("explicit", "open_loop", "sampled", "fixed")
TO_UNIT = {
    "difference": (0.5 / UNIT_POINTS, 0.5),
    "wdl": (0.5, 0.5),
    "relative": (1.0, 0.0),
    "own": (1.0 / UNIT_POINTS, 0.0),
}
"""Utility -> (scale, offset) that take it to the unit interval."""


def settings_of(options: UCTOptions, kernels: Kernels, seat: int) -> Any:
    """The options as kernels take them (`Settings` of the template); seat: the one that decides."""
    is_unit = options.scale == "unit"
    to_unit, middle = TO_UNIT[options.utility]
    is_ordered = options.widening > 0.0 and options.chance != "open_loop"
    return kernels.tree.Settings(
        chance=CHANCE_MODES.index(options.chance),
        utility=utilities.UTILITIES.index(options.utility),
        total=options.opponent == "total",
        scale=to_unit if is_unit else 1.0,
        offset=middle if is_unit else 0.0,
        unit_scale=1.0 if is_unit else to_unit,
        unit_offset=0.0 if is_unit else middle,
        c=options.c,
        tuned=options.selection == "ucb1_tuned",
        bias=options.bias,
        win_bias=options.win_bias,
        informed=options.bias > 0.0 or options.win_bias > 0.0 or is_ordered,
        min_visits=options.min_visits,
        parent_first=options.first_play == "parent",
        reduction=options.first_play_reduction,
        rave=options.rave,
        mast=options.mast,
        logged=options.rave > 0.0 or options.mast > 0.0,
        widening=options.widening,
        exponent=options.widening_exponent,
        policy=policy_number(kernels.rules, options.policy, seat),
        epsilon=options.epsilon,
        playout_plies=options.playout_plies,
    )


def needs_journal(game: Game, options: UCTOptions) -> bool:
    """Whether actions are tried and taken back: by the playout policy, or to weigh them."""
    weighs = options.bias > 0.0 or options.win_bias > 0.0 or options.widening > 0.0
    return weighs or options.policy in game.kernels().policies.NEEDS_JOURNAL


def plant(game: Game, kernels: Kernels, options: UCTOptions, start: State, seed: int) -> list[SearchTree]:
    """Trees without simulations, each with a seed of its own."""
    seat = game.current_player(start)
    settings, buffers = settings_of(options, kernels, seat), kernels.buffers()
    seeds = (random_streams.mix2(seed, number) for number in range(options.trees))
    return [SearchTree(kernels, settings, buffers, start, seat, tree_seed) for tree_seed in seeds]


@cache
def _kernels(game: Any, journal: bool) -> Kernels:  # games are one object each, by identity
    kernels = Kernels(game, journal)

    def exercise() -> None:
        r = random_streams.new_stream(0, random_streams.ANALYSIS)
        state = game.initial_state(game.options(), game.traits.min_seats)
        while game.current_player(state) < 0:
            state = game.apply(state, game.sample_chance(state, r))
        trees = plant(game, kernels, UCTOptions(), state, 0)
        trees[0].simulate(0, 1)
        kernels.tree.enter_all(trees[0].arrays)

    loader.ensure_compiled(kernels.tree, exercise)
    loader.ensure_compiled(kernels.search, exercise)
    return kernels


class UCT:
    """Grows a tree towards promising actions, one node a simulation."""

    id = "uct"
    version = "1"
    label = "UCT"
    summary = (
        "Monte Carlo tree search with chance nodes: each simulation follows the upper confidence bound down the "
        "tree, adds a node and plays on to the end of the match."
    )
    options_class = UCTOptions
    budgets: Sequence[str] = ("simulations", "seconds_per_ply", "seconds_per_match")
    default_budget: Mapping[str, int | float] = {"simulations": 1000}
    peeks = False

    def __init__(self, options: UCTOptions) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        """Say so when the game hides information, has no such policy, or MAST and a policy are both given."""
        options = self.options
        if game.traits.has_hidden_information:
            return f"UCT sees all or nothing: {game.label} hides information from its seats."
        if options.policy not in game.policies:
            return f"{game.label} has the policies {', '.join(game.policies)}, not {options.policy!r}"
        if options.mast > 0.0 and options.policy != "random":
            return f"Playouts follow either MAST or the policy {options.policy!r}: set mast to 0 or policy to random."
        return None

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Best mean or most visits at the root; ties at random; a single legal action is played at once.

        Simulation u of a decision is number u // trees of tree u mod trees. Raises ValueError
        when `seat` is not on turn or no budget is given.
        """
        if game.current_player(view) != seat:
            raise ValueError(f"seat {seat} is not on turn")
        clock = Clock()
        actions = game.legal_actions(view).copy()
        if len(actions) == 1:
            return Decision(int(actions[0]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
        units, seconds = budget.simulations, seconds_for_ply(budget, game, view, seat)
        if units is None and seconds is None:
            raise ValueError(f"uct needs a budget of {', '.join(self.budgets)}")
        kernels = _kernels(cast(Any, game), needs_journal(game, self.options))
        clock = Clock()  # anew: the first decision of a process loads or compiles its kernels
        trees = plant(game, kernels, self.options, view, random_streams.next_u64(rng))

        def work(first: int, count: int) -> None:
            for number, tree in enumerate(trees):
                begin, end = (-(-(unit - number) // len(trees)) for unit in (first, first + count))
                tree.simulate(begin, end - begin)

        least = len(actions) if units is None else min(len(actions), units)
        spent = spend(work, units, seconds, budget.cpu_clock, least)
        roots = [tree.root(actions) for tree in trees]
        table, best = self._choice(merged(roots))
        if self.options.tie_break == "gain" and len(best) > 1:
            best = best[_are_richest(game, view, seat, actions[best])]
        chosen = int(best[random_streams.below(rng, len(best))])
        best_tree = trees[int(np.argmax([root.visits[chosen] for root in roots]))]
        return Decision(
            action=int(actions[chosen]),
            value=float(table.values[chosen]),
            table=table,
            playouts=spent.units,
            nodes=sum(tree.moves for tree in trees),
            depth=max(tree.depth for tree in trees),
            elapsed_s=clock.elapsed_s,
            cpu_s=clock.cpu_s,
            line=best_tree.line(game, int(actions[chosen])) if budget.wants_line else (),
        )

    def _choice(self, root: RootStatistics) -> tuple[Table, NDArray[np.int64]]:
        """The table, and the places of the best actions; most visits: among equals the best mean."""
        visits = root.visits
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.where(visits > 0, root.totals / visits, np.nan)
            variances = np.where(visits > 1, (root.squares - visits * means**2) / (visits - 1), np.nan)
        table = Table(root.actions, means, visits, np.sqrt(np.maximum(variances, 0.0)))
        allowed: NDArray[np.bool_] = visits > 0 if self.options.final == "mean" else visits == visits.max()
        return table, np.flatnonzero(allowed & (means == means[allowed].max()))


def _are_richest(game: Game, view: State, seat: int, actions: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which of these actions leave the seat with the most points, if the match ended after them."""
    points = np.array([game.projected_scores(game.apply(view, int(action)))[seat] for action in actions])
    return np.asarray(points == points.max())
