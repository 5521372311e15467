"""Expectimax and its prunings Star1, Star2, Star2.5 (Heyden 2009, chapter 5, section 6.3), ChanceProbCut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engines import depth_models, game_adapter, playing_options
from engines.deepening import NO_MODEL, SCORE, Iteration, Kernels, Plan, Run, kernels_of
from engines.driver import NodeAllowance, seconds_for_ply
from engines.protocol import BUDGET_MAXIMUM, Budget, Decision, Table
from games.costs import Costs
from games.options import option
from games.protocol import Game, Rng, State

OWN = "own"
WEIGHT = "weight_"
STAR2 = ("star2", "star2.5", "star2.5_cyclic")
"""Algorithms that probe."""
PRUNING = ("algorithm", "probing", "keep_probes", "killers", "order", "equal_ranks")
"""Options that change how much is visited, and nothing that is found."""
VISITED = {
    ("star1", False): 0.9,
    ("star1", True): 0.9,
    ("star2", False): 0.4,
    ("star2", True): 0.2,
    ("star2.5", False): 0.4,
    ("star2.5", True): 0.25,
    ("star2.5_cyclic", False): 0.4,
    ("star2.5_cyclic", True): 0.25,
}
"""(Algorithm, killers) -> part of a tree visited, for each ply below the first (Carcassonne, depths 2 and 3)."""


@dataclass(frozen=True)
class ExpectimaxOptions:
    """Options of Expectimax: pruning and order of the tree, and values of its leaves."""

    algorithm: str = option(
        "star2.5",
        "Algorithm",
        "All find the same value. Star1 prunes at chance nodes; Star2 first probes one action of each outcome, Star2.5 "
        "several, in cycles one more of each in every round.",
        choices=(
            ("star2.5", "Star2.5"),
            ("expectimax", "Expectimax"),
            ("star1", "Star1"),
            ("star2", "Star2"),
            ("star2.5_cyclic", "Star2.5, cyclic"),
        ),
    )
    probing: int = option(5, "Probing factor", "Star2.5: actions of each outcome probed.", minimum=1, maximum=1000)
    keep_probes: bool = option(
        False,
        "Keep probes",
        "Does not search probed actions again. The thesis does: the same value with more nodes.",
    )
    killers: bool = option(
        False,
        "Killer actions",
        "Tries first what was best after the same chance outcome elsewhere in the tree. Not in the thesis: the same "
        "value with far fewer nodes.",
    )
    order: str = option(
        "order2",
        "Move order",
        "The game's orders of actions; in Carcassonne: order 1 tries meeples first, order 2 cities, monasteries, "
        "roads, no meeple, fields.",
        choices=(("order2", "order 2"), ("none", "none"), ("order1", "order 1")),
    )
    equal_ranks: str = option(
        "listed",
        "Equal in move order",
        "Order of the actions that the move order ranks alike: as the rules list them, or the other way round. The "
        "value is the same; where nothing says which comes first, the two show what that decides.",
        choices=(("listed", "as listed"), ("reversed", "last one first")),
    )
    evaluation: str = option(
        "final",
        "Evaluation",
        "A set of weights that the game names, or your own below.",
        choices=((OWN, "own weights"),),
        names="evaluations",
    )
    value: str = playing_options.value(
        "Leaves are worth the margin in points that was learned from self-play, in place of the evaluation. The bound "
        "is then in points: 20 prunes well."
    )
    weight_score: float = option(100.0, "Own weight: points", "Own minus best other seat.", minimum=-1e4, maximum=1e4)
    weight_meeples: float = option(10.0, "Own weight: meeples in hand", minimum=-1e4, maximum=1e4)
    weight_unfinished: float = option(
        10.0, "Own weight: unfinished features", "Points for them if the match ended here.", minimum=-1e4, maximum=1e4
    )
    weight_unfinished_city: float = option(
        1.25,
        "Own weight: unfinished cities",
        "Points for each tile of such a city if the match ended here.",
        minimum=-1e4,
        maximum=1e4,
    )
    weight_poor_field: float = option(
        -40.0,
        "Own weight: poor fields",
        "A meeple on a field with fewer than three finished cities.",
        minimum=-1e4,
        maximum=1e4,
    )
    bounds: str = option(
        "dynamic",
        "Bounds",
        "Values are cut off at these bounds: those of the thesis, the same for every position, or moved with the "
        "score. Behind by more than fixed bounds, an engine takes the first action, as if it resigned.",
        choices=(("dynamic", "dynamic: score difference and bound"), ("fixed", "fixed: bound")),
    )
    bound: float = option(2000.0, "Bound", "In units of the evaluation.", minimum=1.0, maximum=1e9)
    deepening: bool = option(
        False,
        "Iterative deepening",
        "Depth 1, then 2, and so on, the last best action first. Always so under a limit of nodes or time.",
    )
    opponents: str = option(
        "paranoid",
        "More than two seats",
        "Paranoid: all others play against this seat. Max^n: every seat plays for itself; only Expectimax can do that. "
        "Best reply: between two of its own plies one other seat chooses against it, the rest take the first action "
        "in move order.",
        choices=(("paranoid", "paranoid"), ("maxn", "max^n"), ("best_reply", "best reply")),
    )
    forward: str = option(
        "none",
        "Forward pruning",
        "ChanceProbCut leaves a chance node that shallower searches foretell to be outside of its window: fewer nodes, "
        "values that may be wrong. Built after the first part of its article alone (Schadd, Winands, Uiterwijk 2009). "
        "It needs a fit of the evaluation, and two seats.",
        choices=(("none", "none"), ("chance_prob_cut", "ChanceProbCut")),
    )
    forward_reduction: int = option(
        1, "ChanceProbCut: plies left out", "How much shallower its searches are.", minimum=1, maximum=2
    )
    forward_threshold: float = option(
        2.0,
        "ChanceProbCut: threshold",
        "Standard deviations of what is foretold that the window has to be away: more is safer and prunes less.",
        minimum=0.0,
        maximum=100.0,
    )


class Expectimax:
    """Searches all actions and all chance outcomes to a depth, and values what it finds there."""

    id = "expectimax"
    version = "1"
    label = "Expectimax"
    summary = (
        "Looks a number of plies ahead through all actions and all outcomes of chance, values the positions "
        "there by the game's evaluation, and leaves out what cannot matter (Star1, Star2, Star2.5)."
    )
    options_class = ExpectimaxOptions
    budgets: Sequence[str] = ("depth", "nodes", "seconds_per_ply", "seconds_per_match")
    default_budget: Mapping[str, int | float] = {"depth": 2}
    peeks = False

    def __init__(self, options: ExpectimaxOptions) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        """Say so when the tree cannot be listed, ordered, valued or bounded, or max^n would have to be pruned."""
        options, traits = self.options, game.traits
        if traits.has_hidden_information:
            return f"Expectimax sees all or nothing: {game.label} hides information from its seats."
        if traits.has_chance and not traits.chance_is_listable:
            return f"Expectimax lists every outcome of chance: those of {game.label} are too many."
        if game.orderings and options.order not in game.orderings:
            return f"{game.label} has the move orders {', '.join(game.orderings)}, not {options.order!r}"
        if options.opponents == "maxn" and options.algorithm != "expectimax":
            return "Max^n cannot be pruned: choose the algorithm Expectimax with it, or other opponents."
        return self._refuses_leaves(game) or self._refuses_forward_pruning(game)

    def _refuses_leaves(self, game: Game) -> str | None:
        options = self.options
        if options.value != playing_options.NO_VALUE:
            return game_adapter.refuses_value(game, options.value)
        if not game.evaluations:
            return f"Expectimax values positions by the game's evaluation: {game.label} has none."
        if options.evaluation != OWN and options.evaluation not in game.evaluations:
            return f"{game.label} has the evaluations {', '.join((*game.evaluations, OWN))}, not {options.evaluation!r}"
        if options.evaluation == OWN and (
            strange := set(next(iter(game.evaluations.values()))) - set(_own_weights(options))
        ):
            return f"The evaluation of {game.label} has terms without an own weight: {', '.join(sorted(strange))}."
        if options.bounds == "dynamic" and SCORE not in next(iter(game.evaluations.values())):
            return f"Dynamic bounds move with the score, which the evaluation of {game.label} leaves out: fix them."
        return None

    def _refuses_forward_pruning(self, game: Game) -> str | None:
        options = self.options
        if options.forward != "chance_prob_cut":
            return None
        if options.algorithm == "expectimax":
            return "ChanceProbCut needs windows, which plain Expectimax has not: choose Star1 or more."
        is_learned = options.value != playing_options.NO_VALUE
        if is_learned or not depth_models.load(game, options.evaluation, options.forward_reduction):
            return f"ChanceProbCut needs a fit of values at two depths: {game.label} has none of these weights."
        return None

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        """Seconds of its nodes, or of the tree that it visits to a depth."""
        limit_s = budget.seconds(costs.plies / num_seats, {"nodes": costs.action_s})
        if budget.depth is None:
            return limit_s
        tree_s = self._nodes(costs, budget.depth) * costs.action_s
        return min(tree_s, limit_s) if len(budget.to_json()) > 1 else tree_s

    def _nodes(self, costs: Costs, depth: int) -> float:
        """Nodes of a tree of that depth that it visits: all actions after all outcomes, below the first ply in part."""
        kept = VISITED.get((self.options.algorithm, self.options.killers), 1.0)
        return costs.legal_actions * (kept * costs.outcomes * costs.legal_actions) ** (depth - 1)

    def prepare(self, game: Game) -> None:
        """Load the search."""
        self._kernels(game)

    def _kernels(self, game: Game) -> Kernels:
        return kernels_of(cast(Any, game), self.options.value != playing_options.NO_VALUE)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Best value at the greatest depth searched; of equals the first in move order, or the last depth's best.

        `rng` is not used: equal budgets of depth or nodes give equal decisions.
        Raises ValueError when `seat` is not on turn, no budget is given, or the engine refuses the game.
        """
        if game.current_player(view) != seat:
            raise ValueError(f"seat {seat} is not on turn")
        if (refusal := self.refuses(game)) is not None:
            raise ValueError(refusal)
        actions = game.legal_actions(view)
        if len(actions) == 1:
            return Decision(int(actions[0]))
        seconds = seconds_for_ply(budget, game, view, seat)
        if budget.depth is None and budget.nodes is None and seconds is None:
            raise ValueError(f"expectimax needs a budget of {', '.join(self.budgets)}")
        kernels = self._kernels(game)
        allowance = NodeAllowance(budget.nodes, seconds, budget.cpu_clock)  # once the kernels are there
        plies_left = sum(game.plies_left(view, k) for k in range(game.num_seats(view)))
        depth = min(budget.depth or int(BUDGET_MAXIMUM["depth"]), plies_left)
        is_limited = budget.nodes is not None or seconds is not None
        first = 1 if self.options.deepening or is_limited else depth
        run = Run(kernels, view, seat, self._plan(game, kernels, view, seat), depth)
        iteration = run.deepen(range(first, depth + 1), allowance)
        return Decision(
            action=iteration.action,
            value=float(iteration.values[iteration.best]),
            table=_table(iteration),
            nodes=run.nodes,
            depth=iteration.depth,
            elapsed_s=allowance.clock.elapsed_s,
            cpu_s=allowance.clock.cpu_s,
            line=run.line(iteration) if budget.wants_line else (),
        )

    def _weights(self, game: Game, kernels: Kernels) -> NDArray[np.float64]:
        options = self.options
        if options.value != playing_options.NO_VALUE:
            return game_adapter.weights_of(game, options)
        own = options.evaluation == OWN
        return kernels.weights(_own_weights(options) if own else game.evaluations[options.evaluation])

    def _plan(self, game: Game, kernels: Kernels, view: State, seat: int) -> Plan:
        options = self.options
        weights = self._weights(game, kernels)
        bound = options.bound
        if options.bounds == "dynamic":
            bound += abs(kernels.score_difference(view, seat, weights))
        model = NO_MODEL
        if options.forward == "chance_prob_cut" and game.num_seats(view) == depth_models.SEATS:
            fits = depth_models.load(game, options.evaluation, options.forward_reduction)
            model = depth_models.model(fits, options.forward_threshold)
        return Plan(
            prunes=options.algorithm != "expectimax",
            probing=(1 if options.algorithm == "star2" else options.probing) if options.algorithm in STAR2 else 0,
            keeps=options.keep_probes,
            killers=options.killers,
            is_maxn=options.opponents == "maxn" and game.num_seats(view) > 2,
            order=kernels.order(options.order, options.equal_ranks == "reversed"),
            weights=weights,
            bound=bound,
            cycles=options.algorithm == "star2.5_cyclic",
            replies=options.opponents == "best_reply" and game.num_seats(view) > 2,
            reduces=options.forward_reduction if model is not NO_MODEL else 0,
            model=model,
        )


def _own_weights(options: ExpectimaxOptions) -> dict[str, float]:
    """Weight by term from the options named after the terms."""
    names = [field.name for field in fields(options) if field.name.startswith(WEIGHT)]
    return {name.removeprefix(WEIGHT): getattr(options, name) for name in names}


def _table(iteration: Iteration) -> Table:
    """Every root action; nothing is sampled, so there are no deviations."""
    n = len(iteration.actions)
    return Table(iteration.actions, iteration.values, iteration.nodes, np.full(n, np.nan), iteration.is_bound)
