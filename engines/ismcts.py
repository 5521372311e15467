"""One tree for all worlds over hidden hands: information-set Monte Carlo tree search with team reward.

Cowling, Powley and Whitehouse (2012): Information Set Monte Carlo Tree Search, single observer: all moves
are open, so one tree of them serves every seat. In a game with hands it does what `uct` does there, many
times as fast, and weighs worlds by how others have played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines import hands
from engines.hands import OverHands, SearchRequest
from engines.protocol import Budget, Decision, Table
from games import rng as random_streams
from games.costs import HandCosts
from games.hands import TreeGrowth, Valuation
from games.options import option


@dataclass(frozen=True)
class ISMCTSOptions:
    """Options of ISMCTS: growth of the tree, and the worlds that it grows from."""

    c: float = option(30.0, "C", "Exploration, in points.", minimum=0.0, maximum=1000.0)
    selection: str = option(
        "manner",
        "Selection",
        "By upper confidence bounds, every move once first; or by the mean and what each seat is expected to lay.",
        choices=(("manner", "mean and fitted play"), ("ucb", "upper confidence bounds")),
    )
    sharpness: float = hands.sharpness()
    inference: str = hands.inference()
    level: float = hands.level()
    adapts: bool = hands.adapts()
    level_depth: int = hands.level_depth()
    payoff: str = hands.payoff("points")


class InformationSetMCTS(OverHands):
    """Grows one tree of moves over worlds that agree with what the seat knows; the move made most often is taken."""

    id = "ismcts"
    version = "3"
    label = "One tree (ISMCTS)"
    summary = (
        "Grows a single tree of what may be laid, every simulation with other hands that agree with all it knows, and "
        "plays on by fitted play: partners want the same, and no seat does what it could not know to do."
    )
    options_class = ISMCTSOptions
    budgets: Sequence[str] = ("simulations", "seconds_per_ply", "seconds_per_match")
    default_budget: Mapping[str, int | float] = {"simulations": 500}

    def unit_s(self, costs: HandCosts, budget: Budget) -> float:
        """A world drawn and weighed, a way down the tree, a round played to its end."""
        return costs.simulation_s + hands.inferred_s(costs, self.options.inference, self.options.level_depth)

    def decide(self, asked: SearchRequest) -> Decision:
        """The action made most often, of these the best mean. A simulation grows the tree by one move."""
        options = self.options
        growth = TreeGrowth(
            c=options.c,
            selection=options.selection,
            sharpness=options.sharpness,
            inference=hands.make_inference(options),
            valuation=Valuation("pips", options.payoff),
        )
        seed = random_streams.next_u64(asked.rng) >> 1
        run = asked.hands.ismcts(asked.kernels, asked.view, asked.seat, asked.actions, growth, seed)
        spent = asked.spend(run.add, asked.budget.simulations)
        values, visits, deviations = run.statistics()
        best = max(range(len(values)), key=lambda i: (visits[i], np.nan_to_num(values[i], nan=-np.inf), -i))
        return Decision(
            action=int(asked.actions[best]),
            value=float(values[best]),
            table=Table(asked.actions, values, visits, deviations),
            playouts=spent.units,
            nodes=run.nodes,
            elapsed_s=asked.clock.elapsed_s,
            cpu_s=asked.clock.cpu_s,
        )
