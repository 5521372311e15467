"""Imperfect Minimax Search (the DominAI paper, algorithm 1)."""

from __future__ import annotations

from dataclasses import dataclass

from engines import hands
from engines.hands import OverHands, SearchRequest
from engines.protocol import Budget, Decision
from games.costs import HandCosts
from games.hands import Hands, Valuation
from games.options import option
from games.protocol import State


@dataclass(frozen=True)
class IMSOptions:
    """Options of IMS: depth and pruning of the tree, and values of its leaves."""

    alpha: float = hands.alpha()
    beta: float = hands.beta()
    greedy_first: bool = option(False, "Greedy first tile", "A seat's first tile of a round is the one with most pips.")
    pruning: str = option(
        "sound",
        "Pruning",
        "The paper's program passes its window down without scaling it, and so cuts moves that could be better.",
        choices=(("sound", "sound"), ("authors", "as the authors' program")),
    )
    evaluation: str = hands.evaluation()
    tile_worth: int = hands.tile_worth()


class ImperfectMinimax(OverHands):
    """Minimax over what a seat believes: replies count by the chance that they are possible."""

    id = "ims"
    version = "2"
    label = "Imperfect minimax"
    summary = (
        "Looks some turns ahead in a single tree, in which every tile that another seat may hold is a reply, its "
        "value multiplied by the chance that the seat holds it (IMS of the DominAI paper)."
    )
    options_class = IMSOptions

    def is_settled(self, hands: Hands, view: State) -> bool:
        """Whether a seat's first tile is laid without a search."""
        return self.options.greedy_first and hands.is_first_tile(view)

    def unit_s(self, costs: HandCosts, budget: Budget) -> float:
        """One search of what others may hold."""
        depths = hands.depths(costs.believed, self.options.alpha, self.options.beta)
        return costs.search_s(costs.believed, depths)

    def decide(self, asked: SearchRequest) -> Decision:
        """Best value. Draws nothing."""
        options, search = self.options, asked.hands.imperfect_minimax
        depth = hands.depth_after(asked.hands.turns(asked.view), options.alpha, options.beta)
        valuation = Valuation(options.evaluation, "authors", options.tile_worth)
        is_unsound = options.pruning == "authors"
        found = search(asked.kernels, asked.view, asked.actions, depth - 1, valuation, is_unsound=is_unsound)
        return hands.decision(asked, found, bounds=True)
