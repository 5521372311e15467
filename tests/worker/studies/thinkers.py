"""An engine that keeps a line of play and bounds, and engines that go wrong, for tests of positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engines.protocol import Budget, Decision, Table
from games import rng as random_streams
from games.costs import Costs
from games.options import option
from games.protocol import CHANCE, TERMINAL, Game, Rng, State


@dataclass(frozen=True)
class LinerOptions:
    """How far the line goes."""

    length: int = option(5, "Length of the line", minimum=0, maximum=40)


def tree_s(costs: Costs, depth: int) -> float:
    """Seconds of all actions after all outcomes of chance, to a depth."""
    return costs.weighing_s * (costs.outcomes * costs.legal_actions) ** (depth - 1)


class Liner:
    """Likes the first legal action best, follows first actions and drawn outcomes."""

    id = "liner"
    version = "1"
    label = "Liner"
    summary = "Follows the first action."
    options_class: type = LinerOptions
    budgets = ("depth", "playouts")
    default_budget = {"playouts": 10}
    peeks = False

    def __init__(self, options: Any) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        return None

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        unit_s = {"playouts": costs.played_s(0.0)}
        if budget.depth is not None:
            unit_s["depth"] = tree_s(costs, budget.depth) / budget.depth
        return budget.seconds(costs.plies / num_seats, unit_s)

    def prepare(self, game: Game) -> None: ...

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        actions = game.legal_actions(view).copy()
        n = len(actions)
        line, state = [int(actions[0])], game.apply(view, int(actions[0]))
        while len(line) < self.options.length and (player := game.current_player(state)) != TERMINAL:
            chance = player == CHANCE
            line.append(game.sample_chance(state, rng) if chance else int(game.legal_actions(state)[0]))
            state = game.apply(state, line[-1])
        luck = random_streams.below(rng, 1000) / 1000
        values = np.append(luck - np.arange(n - 1), luck) if n > 1 else np.array([luck])
        return Decision(
            action=int(actions[0]),
            value=luck,
            table=Table(
                actions,
                values.astype(np.float64),
                np.full(n, 4, np.int64),
                np.where(np.arange(n) == 0, 2.0, np.nan),
                np.arange(n) == n - 1 if n > 1 else None,
            ),
            playouts=10,
            nodes=123,
            depth=budget.depth or 0,
            elapsed_s=0.002,
            cpu_s=0.001,
            line=tuple(line) if self.options.length and budget.wants_line else (),
        )


class Failing(Liner):
    """Raises."""

    id = "failing"
    label = "Failing"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        raise RuntimeError("no move came to mind")


class Cheating(Liner):
    """Answers what nobody may play."""

    id = "cheating"
    label = "Cheating"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        return Decision(2**30)


class Straying(Liner):
    """Its line leaves the rules at its second step."""

    id = "straying"
    label = "Straying"

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        action = int(game.legal_actions(view)[0])
        return Decision(action, line=(action, 2**30))


class Looking(Liner):
    """Keeps what it was shown."""

    id = "looking"
    label = "Looking"
    seen: ClassVar[list[State]] = []

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        self.seen.append(view)
        return Decision(int(game.legal_actions(view)[0]))


ENGINES = (Liner, Failing, Cheating, Straying, Looking)
