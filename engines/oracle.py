"""A seat that sees all hands and searches them to a depth: the DominAI paper's oracle."""

from __future__ import annotations

from dataclasses import dataclass

from engines import hands
from engines.hands import OverHands, SearchRequest
from engines.protocol import Budget, Decision
from games.costs import HandCosts


@dataclass(frozen=True)
class OracleOptions:
    """Options of the oracle: its depth, and the values of what it finds there."""

    alpha: float = hands.alpha()
    beta: float = hands.beta()
    evaluation: str = hands.evaluation()
    tile_worth: int = hands.tile_worth()
    payoff: str = hands.payoff("authors")


class Oracle(OverHands):
    """Minimax with all hands known. It peeks."""

    id = "oracle"
    version = "2"
    label = "Oracle"
    summary = (
        "Sees the hands of all seats, which no player at the table may, and looks some turns ahead as if everybody "
        "saw them: the upper mark of the DominAI paper."
    )
    options_class = OracleOptions
    peeks = True

    def unit_s(self, costs: HandCosts, budget: Budget) -> float:
        """One search with all hands known."""
        return costs.search_s(costs.known, hands.depths(costs.known, self.options.alpha, self.options.beta))

    def decide(self, asked: SearchRequest) -> Decision:
        """Best value. Draws nothing."""
        depth = hands.depth_after(asked.hands.turns(asked.view), self.options.alpha, self.options.beta)
        valuation = hands.valuation(self.options)
        found = asked.hands.double_dummy(asked.kernels, asked.view, asked.actions, depth - 1, valuation)
        return hands.decision(asked, found, bounds=False)
