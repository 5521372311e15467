"""An engine whose cost is known, for tests of studies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.protocol import Budget, Decision
from games import rng as random_streams
from games.costs import Costs
from games.options import option
from games.protocol import Game, Rng, State


@dataclass(frozen=True)
class CounterOptions:
    """nodes = legal actions * factor + extra."""

    factor: int = option(1, "Nodes an action", minimum=0, maximum=1000)
    extra: int = option(0, "Nodes on top", minimum=0, maximum=1000)
    last: bool = option(False, "Takes the last action")
    luck: bool = option(False, "Adds a random number of nodes")
    illegal: bool = option(False, "Answers what is not legal")


def tree_s(costs: Costs, depth: int) -> float:
    """Seconds of all actions after all outcomes of chance, to a depth."""
    return costs.weighing_s * (costs.outcomes * costs.legal_actions) ** (depth - 1)


class Counter:
    """Counts instead of thinking."""

    id = "counter"
    version = "3"
    label = "Counter"
    summary = "Counts."
    options_class: type = CounterOptions
    budgets = ("depth",)
    default_budget = {"depth": 1}
    peeks = False

    def __init__(self, options: Any) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        return None

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        return tree_s(costs, budget.depth or 1)

    def prepare(self, game: Game) -> None: ...

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        assert game.current_player(view) == seat
        actions, asked = game.legal_actions(view), self.options
        nodes = len(actions) * asked.factor + asked.extra
        if asked.luck:
            nodes += random_streams.below(rng, 1000)
        action = 10**6 if asked.illegal else int(actions[-1 if asked.last else 0])
        return Decision(action, 0.5, nodes=nodes, depth=budget.depth or 0, cpu_s=nodes / 1000, elapsed_s=1.0)
