"""Searches over hidden hands, where a game has them (`Game.hands`): what its engines share.

Options that several of them offer are declared here once; each engine says what it does with them.
`OverHands` is the frame of all: what they refuse, decisions without a choice, kernels made ready before
the clock begins. Those without a budget are bounded all the same: a search that takes too many turns is
made less deep by the game, in a second or so.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.driver import Clock, Spent, seconds_for_ply, spend
from engines.protocol import Budget, Decision, Table
from games.costs import Costs, HandCosts, TurnTree
from games.hands import ActionValues, Hands, Inference, Valuation
from games.options import option
from games.protocol import Game, Rng, State


def alpha() -> Any:
    """The first number of the paper's depth."""
    return option(
        5.0,
        "Alpha",
        "Turns searched at the start of a round. Later the depth is alpha times 2 to the power of beta times a fourth "
        "of the turns played, rounded down, and less if the search would take millions of positions.",
        minimum=1.0,
        maximum=20.0,
    )


def beta() -> Any:
    """The second one. The authors' file names give its inverse: "a5_b3" is beta 1/3."""
    return option(1 / 3, "Beta", "How fast the depth grows: it doubles every 4 / beta turns.", minimum=0.0, maximum=6.0)


MOST_TURNS_AHEAD = 128
"""Greatest depth of a search, whatever its alpha and beta."""


def turns_ahead(turns: int, alpha: float, beta: float) -> float:
    """Turns that a search looks ahead after n turns of a round, as the paper has them: before they are rounded.

    alpha * 2^(beta * floor(n / 4))
    """
    grown: float = alpha * 2.0 ** min(60.0, beta * (turns // 4))
    return min(float(MOST_TURNS_AHEAD), grown)


def depth_after(turns: int, alpha: float, beta: float) -> int:
    """Turns that are searched after n turns of a round: rounded down.

    What is less than a thousandth short of a whole number counts as it: a beta of 0.333333 is a third.
    """
    return max(1, math.floor(turns_ahead(turns, alpha, beta) + 1e-3))


def depths(tree: TurnTree, alpha: float, beta: float) -> list[float]:
    """Turns looked ahead for each four turns of a round that are over, on average."""
    return [turns_ahead(4 * group, alpha, beta) for group in range(len(tree.growth))]


def inferred_s(costs: HandCosts, inference: str, level_depth: int) -> float:
    """Seconds in which one world is weighed by searches of the others."""
    is_searched = inference in ("flat", "per_legal")
    return costs.likelihood_s * costs.likelihood_growth**level_depth if is_searched else 0.0


def evaluation() -> Any:
    """Option: the value of a position where a search ends."""
    return option(
        "pips",
        "Evaluation",
        "Value of a position where the search ends. Pips: those of the opponents minus one's own. The fitted value "
        "comes from self-play.",
        choices=(("pips", "pips"), ("pips_tiles", "pips and tiles laid"), ("fitted", "fitted value")),
    )


def tile_worth() -> Any:
    """Option: the worth of a tile, for the evaluation pips_tiles."""
    return option(1, "Points a tile", "For every tile laid more than the opponents.", minimum=0, maximum=50)


def payoff(default: str) -> Any:
    """Option: the worth of the end of a round."""
    return option(
        default,
        "A round's end",
        "Value of the end of a round. As in the paper: the pips of the losers, or the difference in a block. Match: "
        "what the points under the rules do for winning it.",
        choices=(("authors", "pips, as in the paper"), ("points", "points of the rules"), ("match", "the match")),
    )


def sharpness() -> Any:
    """Option: the sharpness of fitted play."""
    return option(
        4.0, "Sharpness", "How surely playouts lay the most promising tile; 0: any tile.", minimum=0.0, maximum=20.0
    )


def inference() -> Any:
    """Option: conclusions from the play of others about their hands."""
    return option(
        "none",
        "Inference",
        "Worlds get weights by how well they explain the tiles that others laid. Level: with the chance below a seat "
        "lays its best tile; otherwise its move tells nothing (flat), or is any tile (by move). Fitted: by "
        "probabilities learnt from play.",
        choices=(
            ("none", "none"),
            ("flat", "level, flat"),
            ("per_legal", "level, by move"),
            ("manner", "fitted to play"),
        ),
    )


def level() -> Any:
    """Option: the chance that others play as assumed."""
    return option(
        0.5,
        "Level of others",
        "Chance that others lay their best tile (the paper's gamma). Fitted to play: weight of the probabilities.",
        minimum=0.0,
        maximum=1.0,
    )


def adapts() -> Any:
    """Option: whether the level of others is learned."""
    return option(
        False,
        "Learn the level",
        "The level of each other seat is unknown when a round begins, and learned from what it lays. For inference by "
        "level, in place of the number.",
    )


def level_depth() -> Any:
    """Option: the depth that others are assumed to search."""
    return option(
        0,
        "Depth of others",
        "Turns that the others are assumed to search; 0: they lay the most pips.",
        minimum=0,
        maximum=6,
    )


def decision(asked: SearchRequest, found: ActionValues, *, bounds: bool) -> Decision:
    """The first action of the best value, after a search without samples.

    bounds: whether only the best value is exact, and those that follow a better one are bounds.
    """
    values, actions, clock = found.values, asked.actions, asked.clock
    best = int(values.argmax())
    is_bound = None
    if bounds:
        before = np.maximum.accumulate(np.concatenate(([-np.inf], values[:-1])))
        is_bound = values <= before
    table = Table(actions, values, found.visits, np.full(len(actions), np.nan), is_bound)
    # so many turns deep with its own; 0: to the end of the round
    depth = found.depth + 1
    return Decision(int(actions[best]), float(values[best]), table, 0, found.nodes, depth, clock.elapsed_s, clock.cpu_s)


def valuation(options: Any) -> Valuation:
    """The valuation of positions, by the options of an engine that has all of these."""
    return Valuation(options.evaluation, options.payoff, options.tile_worth)


def make_inference(options: Any) -> Inference:
    """The inference about others' hands, by the options of an engine that has all of these."""
    return Inference(options.inference, options.level, options.level_depth, options.adapts)


@dataclass(frozen=True)
class SearchRequest:
    """A decision with a choice: what an engine over hands is shown of it.

    actions: those with the most pips first, so that of equals the first is taken; kernels: of the game's
    rules, compiled; clock: begun when they were.
    """

    game: Game
    hands: Hands
    kernels: ModuleType
    view: State
    seat: int
    actions: NDArray[np.int32]
    budget: Budget
    rng: Rng
    clock: Clock

    def spend(self, work: Callable[[int, int], None], units: int | None) -> Spent:
        """Call ``work(first, count)`` for that number of units, or as long as there is time (`driver.spend`)."""
        seconds = seconds_for_ply(self.budget, self.game, self.view, self.seat)
        if seconds is not None:
            seconds -= self.clock.cpu_s if self.budget.cpu_clock else self.clock.elapsed_s
        return spend(work, units, seconds, self.budget.cpu_clock, 1)


class OverHands(ABC):
    """The frame of an engine over hands (`engines.protocol.Engine`): it says `decide`, the rest is alike."""

    id: str
    version: str
    label: str
    summary: str
    options_class: type
    budgets: Sequence[str] = ()
    default_budget: Mapping[str, int | float] = {}
    peeks = False

    def __init__(self, options: Any) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        """Say so when options contradict each other, or the game has no hands to search."""
        if (said := self.contradiction()) is not None:
            return said
        return None if game.hands else f"{game.label} has no search over the hands of partners and opponents."

    def contradiction(self) -> str | None:
        """Say in one sentence which options do not go together, or None."""
        return None

    def is_settled(self, hands: Hands, view: State) -> bool:
        """Whether the tile with the most pips is laid without a search."""
        return False

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        """Seconds by the game's figures for searches over hands; without those, as if it weighed every action."""
        if costs.hands is None:
            return costs.weighing_s
        unit_s = self.unit_s(costs.hands, budget)
        return budget.seconds(costs.plies / num_seats, {"simulations": unit_s}) if self.budgets else unit_s

    @abstractmethod
    def unit_s(self, costs: HandCosts, budget: Budget) -> float:
        """Estimate the seconds of a simulation, or of the decision of an engine without a budget."""

    def prepare(self, game: Game) -> None:
        """Load all that searches over the game's hands call."""
        if game.hands is not None:
            game.hands.compile_searches(game.kernels())

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """The action that `decide` says; of equals the tile with the most pips.

        Raises ValueError when `seat` is not on turn, the engine needs a budget and none is given, or it
        refuses the game.
        """
        if (said := self.refuses(game)) is not None:
            raise ValueError(said)
        if game.current_player(view) != seat:
            raise ValueError(f"seat {seat} is not on turn")
        hands, clock = game.hands, Clock()
        assert hands is not None
        actions = hands.sorted_actions(game.legal_actions(view))
        if len(actions) == 1 or self.is_settled(hands, view):
            return Decision(int(actions[0]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
        if self.budgets and all(getattr(budget, key) is None for key in self.budgets):
            raise ValueError(f"{self.id} needs a budget of {', '.join(self.budgets)}")
        kernels = hands.compile_searches(game.kernels())
        # the clock begins anew: the first decision of a process loads or compiles its kernels
        return self.decide(SearchRequest(game, hands, kernels, view, seat, actions, budget, rng, Clock()))

    @abstractmethod
    def decide(self, asked: SearchRequest) -> Decision:
        """Decide where there is a choice."""
