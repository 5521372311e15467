"""Plays as a search would like to, without any: by what was fitted to its choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines import hands
from engines.driver import Clock
from engines.protocol import Budget, Decision
from games.protocol import Game, Rng, State


@dataclass(frozen=True)
class ShrewdOptions:
    """This engine has no options."""


class Shrewd:
    """Plays what appeals most by a few facts that everybody at the table can see."""

    id = "shrewd"
    version = "1"
    label = "Shrewd"
    summary = (
        "Weighs what a tile does (pips, doubles, what is left to oneself, what partner and opponents have passed on) "
        "as was fitted to the choices of a search, and plays the tile that appeals most, without any search."
    )
    options_class = ShrewdOptions
    budgets: Sequence[str] = ()
    default_budget: Mapping[str, int | float] = {}
    peeks = False

    def __init__(self, options: ShrewdOptions) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        """Say so when the game has no hands, to which this was fitted."""
        return hands.refusal(game)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """What appeals most; of equals the tile with the most pips. Draws nothing. Raises ValueError off turn."""
        hands.check(game, view, seat)
        search, clock = hands.searching(game), Clock()
        actions = search.sorted_actions(game.legal_actions(view))
        best = 0
        if len(actions) > 1:
            kernels = search.compiled(game.kernels())
            clock = Clock()
            best = int(search.appeals(kernels, view, seat, actions).argmax())
        return Decision(int(actions[best]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
