"""A seat that sees all hands and searches them to a depth: the DominAI paper's oracle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines import hands
from engines.driver import Clock
from engines.protocol import Budget, Decision
from games.protocol import Game, Rng, State


@dataclass(frozen=True)
class OracleOptions:
    """How deep it looks, and what it finds there."""

    alpha: float = hands.alpha()
    beta: float = hands.beta()
    evaluation: str = hands.evaluation()
    tile_worth: int = hands.tile_worth()
    payoff: str = hands.payoff("authors")


class Oracle:
    """Minimax with all hands known. It peeks."""

    id = "oracle"
    version = "1"
    label = "Oracle"
    summary = (
        "Sees the hands of all seats, which no player at the table may, and looks some turns ahead as if everybody "
        "saw them: the upper mark of the DominAI paper."
    )
    options_class = OracleOptions
    budgets: Sequence[str] = ()
    default_budget: Mapping[str, int | float] = {}
    peeks = True

    def __init__(self, options: OracleOptions) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        """Say so when the game has no hands to search."""
        return hands.refusal(game)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Best value; of equals the tile with the most pips. Draws nothing. Raises ValueError off turn."""
        hands.check(game, view, seat)
        search, options, clock = hands.searching(game), self.options, Clock()
        actions = search.sorted_actions(game.legal_actions(view))
        if len(actions) == 1:
            return Decision(int(actions[0]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
        depth = search.depth_at(view, options.alpha, options.beta)
        how = search.How(options.evaluation, options.payoff, options.tile_worth)
        kernels = search.compiled(game.kernels())
        clock = Clock()
        found = search.values(kernels, view, actions, depth - 1, how)
        return hands.decision(clock, actions, found, bounds=False)
