"""Plays as a search would like to, without any: by what was fitted to its choices."""

from __future__ import annotations

from dataclasses import dataclass

from engines.hands import OverHands, SearchRequest
from engines.protocol import Budget, Decision
from games.costs import HandCosts


@dataclass(frozen=True)
class ShrewdOptions:
    """No options."""


class Shrewd(OverHands):
    """Plays what appeals most by a few facts that everybody at the table can see."""

    id = "shrewd"
    version = "2"
    label = "Shrewd"
    summary = (
        "Weighs what a tile does (pips, doubles, what is left to oneself, what partner and opponents have passed on) "
        "as was fitted to the choices of a search, and plays the tile that appeals most, without any search."
    )
    options_class = ShrewdOptions

    def unit_s(self, costs: HandCosts, budget: Budget) -> float:
        """A look at each tile."""
        return costs.appeal_s

    def decide(self, asked: SearchRequest) -> Decision:
        """Choose the most appealing tile. Draws nothing."""
        action = asked.hands.most_appealing(asked.kernels, asked.view, asked.seat, asked.actions)
        return Decision(action, elapsed_s=asked.clock.elapsed_s, cpu_s=asked.clock.cpu_s)
