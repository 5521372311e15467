"""UCT (Heyden 2009, sections 4.3 and 6.2.2), with chance nodes, or over information sets where something is hidden.

The formulas stand in `engines/search/uct_tree.py` and `selection.py`, the handling of chance in
`engines/search/uct.py`, what the options mean in `engines/uct_options.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engines import endgame, game_adapter, utilities
from engines.driver import Clock, interleave, seconds_for_ply, spend
from engines.kernel_arguments import Settings
from engines.playing_options import FORCED, NO_VALUE, plies_of, plies_played
from engines.policy_numbers import policy_number
from engines.protocol import Budget, Decision
from engines.selection_formula import formula
from engines.tallies import best_places, table_of
from engines.uct_forest import Kernels, SearchTree, merge_roots
from engines.uct_options import UCTOptions
from games import loader, readiness
from games import rng as random_streams
from games.costs import Costs
from games.protocol import Actions, Game, Rng, State
from games.values import GameValue

CHANCE_MODES = ("explicit", "open_loop", "sampled", "fixed")
LEARNERS = ("all", "leaf", "own", "as_own", "counted")
PARENTS = ("most", "passed", "own")
"""Choices in the order of kinds in `search/uct_tree.py`."""
LISTED_S = 6e-8
"""Listing one action of a playout and looking up how well it did (measured on Carcassonne)."""


def settings_of(game: Game, options: UCTOptions, kernels: Kernels, seat: int) -> Settings:
    """The options as kernels take them; seat: the one that decides."""
    is_unit = options.scale == "unit"
    to_unit, middle = utilities.TO_UNIT[options.utility]
    is_ordered = options.widening > 0.0 and options.chance != "open_loop"
    is_tallied = options.mast > 0.0 or options.history > 0.0
    peeks = game_adapter.knows_all(game, options)
    return Settings(
        chance=CHANCE_MODES.index(options.chance),
        is_open=options.chance == "open_loop" or not peeks,
        peeks=peeks,
        seat=seat,
        forces=FORCED.index(options.forced),
        utility=utilities.UTILITIES.index(options.utility),
        total=options.opponent == "total",
        scale=to_unit if is_unit else 1.0,
        offset=middle if is_unit else 0.0,
        formula=formula(options, (1.0, 0.0) if is_unit else (to_unit, middle)),
        bias=options.bias,
        win_bias=options.win_bias,
        informed=options.bias > 0.0 or options.win_bias > 0.0 or is_ordered,
        min_visits=options.min_visits,
        parent_first=options.first_play == "siblings",
        reduction=options.first_play_reduction,
        rave=options.rave,
        mast=options.mast,
        history=options.history,
        tallied=is_tallied,
        logged=options.rave > 0.0 or is_tallied,
        seeding=options.seeding,
        widening=options.widening,
        exponent=options.widening_exponent,
        policy=policy_number(kernels.rules, options.policy, seat),
        epsilon=options.epsilon,
        playout_plies=plies_of(options),
        listed=options.order != "lot",
        reversed=options.order == "reversed",
        order=game.orderings.index(options.listing) if game.orderings else 0,
        learners=LEARNERS.index(options.propagation),
        parents=PARENTS.index(options.parent_visits),
        by_points=options.ties == "points",
    )


def needs_journal(game: Game, options: UCTOptions) -> bool:
    """Whether actions are tried and taken back: by the playout policy, or to weigh them."""
    weighs = options.bias > 0.0 or options.win_bias > 0.0 or options.widening > 0.0
    return weighs or options.policy in game.kernels().policies.NEEDS_JOURNAL


def plant(game: Game, kernels: Kernels, options: UCTOptions, start: State, seed: int) -> list[SearchTree]:
    """Trees without simulations, each with a seed of its own."""
    seat = game.current_player(start)
    settings, buffers = (
        settings_of(game, options, kernels, seat),
        kernels.buffers(game_adapter.weights_of(game, options)),
    )
    seeds = (random_streams.mix2(seed, number) for number in range(options.trees))
    trees = [SearchTree(kernels, settings, buffers, start, seat, tree_seed) for tree_seed in seeds]
    if options.seeding > 0.0:
        for tree in trees:
            tree.hint_root(game.policy(options.policy))
    return trees


def _kernels(game: Game, options: UCTOptions) -> Kernels:
    value = game_adapter.value_of(game, options)
    return _kernels_of(cast(Any, game), needs_journal(game, options), value, readiness.usual_mode())


@cache
def _kernels_of(game: Any, journal: bool, value: GameValue | None, mode: str) -> Kernels:  # games: by identity
    kernels = Kernels(game, journal, value=value)

    def exercise() -> None:
        r = random_streams.new_stream(0, random_streams.ANALYSIS)
        state = game.initial_state(game.options(), game.traits.min_seats)
        while game.current_player(state) < 0:
            state = game.apply(state, game.sample_chance(state, r))
        trees = plant(game, kernels, UCTOptions(value=game.values[0] if value else NO_VALUE), state, 0)
        trees[0].simulate(0, 1)
        kernels.tree.enter_all(trees[0].arrays)
        kernels.tree.between.move_of(state, int(game.legal_actions(state)[0]))

    loader.ensure_loaded(kernels.tree, exercise)
    loader.ensure_loaded(kernels.search, exercise)
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
        self.peeks = options.peek

    def refuses(self, game: Game) -> str | None:
        """Say so when the game lacks what an option asks for, or options do not go together."""
        options = self.options
        if options.chance == "explicit" and not game_adapter.knows_all(game, options):
            return (
                f"{game.label} hides information from its seats, and a node per outcome would show what others draw: "
                "set chance to open_loop, or let it peek."
            )
        if options.mast > 0.0 and options.policy != "random":
            return f"Playouts follow either MAST or the policy {options.policy!r}: set mast to 0 or policy to random."
        if options.listing not in (game.orderings or ("none",)):
            return f"{game.label} has the move orders {', '.join(game.orderings or ('none',))}, not {options.listing!r}"
        return game_adapter.refusal(game, options)

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        """Seconds of its playouts; MAST lists all actions of each ply."""
        options = self.options
        decision_s = costs.legal_actions * LISTED_S if options.mast else costs.policy_s(options.policy)
        playout_s = costs.played_s(decision_s, plies_played(options))
        return budget.seconds(costs.plies / num_seats, {"simulations": playout_s})

    def prepare(self, game: Game) -> None:
        """Load the search, and what is asked for of endings and the playout policy."""
        if self.options.seeding > 0.0:
            game.policy(self.options.policy)
        if self.options.endgame:
            endgame.prepare(game)
        _kernels(game, self.options)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Best mean or most visits at the root; ties at random; a single action is played at once.

        Simulation u of a decision is number u // trees of tree u mod trees. Raises ValueError
        when `seat` is not on turn or no budget is given.
        """
        clock = Clock()
        actions = game_adapter.actions_of(game, view, seat, self.options)
        if len(actions) == 1:
            return Decision(int(actions[0]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
        units, seconds = budget.simulations, seconds_for_ply(budget, game, view, seat)
        if units is None and seconds is None:
            raise ValueError(f"uct needs a budget of {', '.join(self.budgets)}")
        self.prepare(game)
        clock = Clock()  # anew: the first decision of a process loads or compiles its kernels
        attempt = endgame.attempt(game, view, self.options, seconds, budget.cpu_clock)
        if attempt.values is not None:
            return endgame.decision(actions, attempt, clock, rng)
        kernels = _kernels(game, self.options)
        trees = plant(game, kernels, self.options, view, random_streams.next_u64(rng))
        least = len(actions) if units is None else min(len(actions), units)
        work = interleave([tree.simulate for tree in trees])
        left_s = None if seconds is None else seconds - (clock.cpu_s if budget.cpu_clock else clock.elapsed_s)
        spent = spend(work, units, left_s if attempt.nodes else seconds, budget.cpu_clock, least)
        found = self._found(game, actions, trees, budget.wants_line, rng)
        return replace(found, playouts=spent.units, elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)

    def _found(self, game: Game, actions: Actions, trees: Sequence[SearchTree], wants_line: bool, rng: Rng) -> Decision:
        """The result of all trees together, without what they cost."""
        roots = [tree.root(actions) for tree in trees]
        root = merge_roots(roots)
        table = table_of(actions, root.totals, root.squares, root.visits)
        best = best_places(table, self.options.final)
        if self.options.tie_break == "gain" and len(best) > 1:
            best = best[_are_richest(game, trees[0].start, actions[best])]
        chosen = int(best[random_streams.below(rng, len(best))])
        best_tree = trees[int(np.argmax([root.visits[chosen] for root in roots]))]
        return Decision(
            action=int(actions[chosen]),
            value=float(table.values[chosen]),
            table=table,
            nodes=sum(tree.moves for tree in trees),
            depth=max(tree.depth for tree in trees),
            line=best_tree.line(game, int(actions[chosen])) if wants_line else (),
        )


def _are_richest(game: Game, view: State, actions: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mark the actions that leave the seat on turn with the most points, if the match ended after them."""
    seat = game.current_player(view)
    points = np.array([game.projected_scores(game.apply(view, int(action)))[seat] for action in actions])
    return np.asarray(points == points.max())
