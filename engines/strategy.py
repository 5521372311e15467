"""Plays a strategy that somebody wrote down, in games that have a form for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.driver import Clock
from engines.protocol import Budget, Decision
from games.costs import Costs
from games.options import data_option
from games.protocol import Game, Rng, State
from games.strategies import Chooser, StrategyError


@dataclass(frozen=True)
class StrategyOptions:
    """The strategy as data: the spec of an experiment holds all of it."""

    strategy: Mapping[str, Any] = data_option(
        "Strategy", "Ordered rules with conditions, as the game's strategy editor writes them.", names="strategies"
    )


class Strategy:
    """Plays by the rules of one strategy."""

    id = "strategy"
    version = "1"
    label = "Strategy"
    summary = "Plays by rules that you write: what to buy, play and trash, in order, each under its conditions."
    options_class = StrategyOptions
    budgets: Sequence[str] = ()
    default_budget: Mapping[str, int | float] = {}
    peeks = False

    def __init__(self, options: StrategyOptions) -> None:
        self.options = options
        self._chooser: tuple[Game, Chooser] | None = None

    def refuses(self, game: Game) -> str | None:
        """Say so where the game has no form for strategies, or the strategy is none of this game."""
        if game.strategies is None:
            return f"{game.label} has no form for strategies"
        try:
            game.strategies.check(self.options.strategy)
        except StrategyError as error:
            return f"The strategy cannot be played: {error}"
        return None

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        """Rules are read within the time of the game's own."""
        return 0.0

    def prepare(self, game: Game) -> None:
        """Read the strategy, and load what plays it."""
        self._player(game)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Ask the rules. Raises ValueError when `seat` is not on turn or the strategy is none of this game."""
        if game.current_player(view) != seat:
            raise ValueError(f"seat {seat} is not on turn")
        choose = self._player(game)
        clock = Clock()
        action = choose(view, rng)
        return Decision(action, elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)

    def _player(self, game: Game) -> Chooser:
        """The strategy made ready for a game, once."""
        if self._chooser is None or self._chooser[0] is not game:
            if refusal := self.refuses(game):
                raise ValueError(refusal)
            assert game.strategies is not None
            data = game.strategies.check(self.options.strategy)
            self._chooser = game, game.strategies.chooser(game, data)
        return self._chooser[1]
