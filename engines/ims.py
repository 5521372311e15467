"""Imperfect Minimax Search (the DominAI paper, algorithm 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines import hands
from engines.driver import Clock
from engines.protocol import Budget, Decision
from games.options import option
from games.protocol import Game, Rng, State


@dataclass(frozen=True)
class IMSOptions:
    """How deep the tree is, how it is pruned, and what its leaves are worth."""

    alpha: float = hands.alpha()
    beta: float = hands.beta()
    greedy_first: bool = option(False, "Greedy first tile", "A seat's first tile of a round is the one with most pips.")
    pruning: str = option(
        "sound",
        "Pruning",
        "The paper's program hands its window down unscaled and cuts what could be better.",
        choices=(("sound", "sound"), ("authors", "as the authors' program")),
    )
    evaluation: str = hands.evaluation()
    tile_worth: int = hands.tile_worth()


class ImperfectMinimax:
    """Minimax over what a seat believes: replies count by the chance that they are possible."""

    id = "ims"
    version = "1"
    label = "Imperfect minimax"
    summary = (
        "Looks some turns ahead in a single tree, in which every tile that another seat may hold is a reply, its "
        "value multiplied by the chance that the seat holds it (IMS of the DominAI paper)."
    )
    options_class = IMSOptions
    budgets: Sequence[str] = ()
    default_budget: Mapping[str, int | float] = {}
    peeks = False

    def __init__(self, options: IMSOptions) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        """Say so when the game has no hands to search."""
        return hands.refusal(game)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Best value; of equals the tile with the most pips. Draws nothing. Raises ValueError off turn."""
        hands.check(game, view, seat)
        search, options, clock = hands.searching(game), self.options, Clock()
        actions = search.sorted_actions(game.legal_actions(view))
        if len(actions) == 1 or (options.greedy_first and search.is_first_tile(view)):
            return Decision(int(actions[0]), elapsed_s=clock.elapsed_s, cpu_s=clock.cpu_s)
        depth = search.depth_at(view, options.alpha, options.beta)
        how = search.How(options.evaluation, "authors", options.tile_worth)
        kernels = search.compiled(game.kernels())
        clock = Clock()  # anew: the first decision of a process loads or compiles its kernels
        found = search.imperfect(kernels, view, actions, depth - 1, how, is_unsound=options.pruning == "authors")
        return hands.decision(clock, actions, found, bounds=True)
