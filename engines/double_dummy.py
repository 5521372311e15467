"""A seat that sees all hands and plays the round out perfectly against seats that do, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines import hands
from engines.driver import Clock
from engines.protocol import Budget, Decision
from games.protocol import Game, Rng, State


@dataclass(frozen=True)
class DoubleDummyOptions:
    """What the end of a round is worth."""

    payoff: str = hands.payoff("points")


class DoubleDummy:
    """Solves the round with all hands known. It peeks."""

    id = "double_dummy"
    version = "1"
    label = "Double dummy"
    summary = (
        "Sees the hands of all seats, which no player at the table may, and searches the round to its end: each "
        "value is what perfect play of all four comes to."
    )
    options_class = DoubleDummyOptions
    budgets: Sequence[str] = ()
    default_budget: Mapping[str, int | float] = {}
    peeks = True

    def __init__(self, options: DoubleDummyOptions) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        """Say so when the game has no hands to search."""
        return hands.refusal(game)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Best value; of equals the tile with the most pips. Draws nothing. Raises ValueError off turn."""
        hands.check(game, view, seat)
        search, clock = hands.searching(game), Clock()
        actions = search.sorted_actions(game.legal_actions(view))
        if len(actions) == 1:
            return Decision(int(actions[0]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
        kernels = search.compiled(game.kernels())
        clock = Clock()
        found = search.values(kernels, view, actions, search.TO_THE_END, search.How("pips", self.options.payoff))
        return hands.decision(clock, actions, found, bounds=False)
