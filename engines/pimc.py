"""Perfect Information Monte Carlo over hidden hands (the DominAI paper, algorithm 2), and what mends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines import hands
from engines.hands import OverHands, SearchRequest
from engines.protocol import Budget, Decision, Table
from games import rng as random_streams
from games.costs import HandCosts
from games.hands import TO_THE_END, Sampling
from games.options import option

MOST_PLAYOUTS = 100_000
"""Bound on the playouts of each action, where all worlds are played out whatever the budget."""


@dataclass(frozen=True)
class PIMCOptions:
    """Options of PIMC: which worlds are drawn, how they are weighed, and how each is searched."""

    alpha: float = hands.alpha()
    beta: float = hands.beta()
    full_from: int = option(
        200,
        "To the end from turn",
        "Turn of a round from which all worlds are searched to its end, even if playouts were used before; 200: never.",
        minimum=0,
        maximum=200,
    )
    sampler: str = option(
        "exact",
        "Worlds",
        "Exact: drawn uniformly from all deals that agree with what the seat knows. Paper: tile by tile from the "
        "paper's belief, with hands that may come out too small or too large.",
        choices=(("exact", "exact"), ("paper", "as in the paper")),
    )
    common: bool = option(
        True, "Same worlds for all", "All actions are tried in the same worlds. If off, each has worlds of its own."
    )
    all_below: int = option(
        0,
        "All worlds",
        "If at most this many worlds are possible, each is searched once, as far as there is time.",
        minimum=0,
        maximum=100_000,
    )
    inner: str = option(
        "search",
        "In each world",
        "Minimax knows all hands. In playouts, seats that see only their own hands play the round to its end.",
        choices=(("search", "minimax"), ("playouts", "playouts")),
    )
    playouts: int = option(
        1, "Playouts a world", "Number of playouts of each action in a world.", minimum=1, maximum=1000
    )
    sharpness: float = hands.sharpness()
    inference: str = hands.inference()
    level: float = hands.level()
    adapts: bool = hands.adapts()
    level_depth: int = hands.level_depth()
    postponed: bool = option(
        False,
        "Postponed",
        "The seat's next tile is chosen once for all worlds that look alike by then, instead of in each world (EPIMC).",
    )
    evaluation: str = hands.evaluation()
    tile_worth: int = hands.tile_worth()
    payoff: str = hands.payoff("authors")


class PerfectInformationMonteCarlo(OverHands):
    """Searches many worlds that agree with what the seat knows; the best mean wins."""

    id = "pimc"
    version = "2"
    label = "Many worlds (PIMC)"
    summary = (
        "Draws hands that agree with all it knows, searches each as if every hand were open, and takes the action with "
        "the best mean; or plays each out by seats that see only their own."
    )
    options_class = PIMCOptions
    budgets: Sequence[str] = ("simulations", "seconds_per_ply", "seconds_per_match")
    default_budget: Mapping[str, int | float] = {"simulations": 50}

    def contradiction(self) -> str | None:
        """Say so where options do not go together."""
        if self.options.postponed and (self.options.inner == "playouts" or not self.options.common):
            return "Postponed choices compare searched worlds that all actions share: set both options so."
        if self.options.inner == "playouts" and self.options.all_below * self.options.playouts > MOST_PLAYOUTS:
            return f"All worlds with that many playouts each are more than {MOST_PLAYOUTS:,} playouts of each action."
        return None

    def unit_s(self, costs: HandCosts, budget: Budget) -> float:
        """A world drawn, weighed and searched; as many to a simulation as there are more where all are taken."""
        options, simulations = self.options, budget.simulations
        world_s = self._world_s(costs) + hands.inferred_s(costs, options.inference, options.level_depth)
        return world_s * (max(1.0, costs.all_share * options.all_below / simulations) if simulations else 1.0)

    def _world_s(self, costs: HandCosts) -> float:
        """Seconds of searching one world, or playing it to its end."""
        options, tree = self.options, costs.known
        ahead = enumerate(hands.depths(tree, options.alpha, options.beta))
        depths = [costs.round_turns if 4 * group >= options.full_from else depth for group, depth in ahead]
        searched_s = tree.turn_s * costs.turns(tree, depths) * (costs.postponed if options.postponed else 1.0)
        if options.inner != "playouts":
            return searched_s
        played_share: float = min(1.0, options.full_from / costs.round_turns)
        played_s = costs.playout_s * int(options.playouts)
        return played_share * played_s + (1.0 - played_share) * searched_s

    def decide(self, asked: SearchRequest) -> Decision:
        """Best mean. A simulation is one world for all actions."""
        actions, sampling = asked.actions, self._sampling(asked)
        seed = random_streams.next_u64(asked.rng) >> 1
        run = asked.hands.pimc(asked.kernels, asked.view, asked.seat, actions, sampling, seed)
        spent = asked.spend(run.add, asked.budget.simulations if run.number is None else run.number)
        values, deviations = run.means()
        best = int(values.argmax())
        return Decision(
            action=int(actions[best]),
            value=float(values[best]),
            table=Table(actions, values, np.full(len(actions), run.worlds, np.int64), deviations),
            playouts=spent.units,
            nodes=run.nodes,
            depth=run.depth,
            elapsed_s=asked.clock.elapsed_s,
            cpu_s=asked.clock.cpu_s,
        )

    def _sampling(self, asked: SearchRequest) -> Sampling:
        """The sampling and search of worlds that the game is asked for now."""
        options, turns = self.options, asked.hands.turns(asked.view)
        is_full = turns >= options.full_from
        is_played = options.inner == "playouts" and not is_full
        return Sampling(
            sampler=options.sampler,
            is_common=options.common,
            all_below=options.all_below,
            depth=TO_THE_END if is_full else hands.depth_after(turns, options.alpha, options.beta),
            playouts=options.playouts if is_played else 0,
            sharpness=options.sharpness,
            inference=hands.make_inference(options),
            is_postponed=options.postponed,
            valuation=hands.valuation(options),
        )
