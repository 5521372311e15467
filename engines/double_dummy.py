"""A seat that sees all hands and plays the round out perfectly against seats that do, too."""

from __future__ import annotations

from dataclasses import dataclass

from engines import hands
from engines.hands import OverHands, SearchRequest
from engines.protocol import Budget, Decision
from games.costs import HandCosts
from games.hands import TO_THE_END, Valuation


@dataclass(frozen=True)
class DoubleDummyOptions:
    """Options of the double-dummy engine: the worth of a round's end."""

    payoff: str = hands.payoff("points")


class DoubleDummy(OverHands):
    """Solves the round with all hands known. It peeks."""

    id = "double_dummy"
    version = "3"
    label = "Double dummy"
    summary = (
        "Sees the hands of all seats, which no player at the table may, and searches the round to its end: each "
        "value is what perfect play of all four comes to."
    )
    options_class = DoubleDummyOptions
    peeks = True

    def unit_s(self, costs: HandCosts, budget: Budget) -> float:
        """A round searched to its end."""
        return costs.solution_s

    def decide(self, asked: SearchRequest) -> Decision:
        """Best value. Draws nothing."""
        valuation = Valuation("pips", self.options.payoff)
        found = asked.hands.double_dummy(asked.kernels, asked.view, asked.actions, TO_THE_END, valuation)
        return hands.decision(asked, found, bounds=False)
