"""The last plies of a match, searched to the end once nothing is left to chance."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engines import utilities
from games import loader
from games import rng as random_streams
from games.protocol import Game, State


class Solved(NamedTuple):
    """Utility of every action of the seat on turn, in the order of the rules, and the actions made for it."""

    values: NDArray[np.float64]
    nodes: int


@cache
def _kernels(game: Any) -> ModuleType:  # games are one object each, by identity
    kernels = utilities.load("endgame", game.folder, False)

    def exercise() -> None:
        r = random_streams.new_stream(0, random_streams.ANALYSIS)
        state = game.initial_state(game.options(), game.traits.min_seats)
        while game.current_player(state) < 0:
            state = game.apply(state, game.sample_chance(state, r))
        search(game.kernels(), kernels, state, ("difference", "best"), 1)

    loader.ensure_compiled(kernels, exercise)
    return kernels


def search(
    rules: ModuleType, kernels: ModuleType, view: State, maximised: tuple[str, str], limit: int
) -> Solved | None:
    """As `solve`, by kernels over a game's rules; maximised: (utility, opponent)."""
    rows = kernels.DEPTH + 1
    turns = np.zeros((rows, kernels.TURN), np.int64)
    stack = (
        np.empty((rows, rules.SIZE), np.int32),
        np.empty((rows, rules.MAX_ACTIONS), np.int32),
        turns,
        np.empty((rows, rules.MAX_SEATS), np.float64),
        np.ones(1, np.int32),
        np.zeros(rules.MAX_SEATS, np.int64),
    )
    values = np.zeros(rules.MAX_ACTIONS)
    kind, total = utilities.UTILITIES.index(maximised[0]), maximised[1] == "total"
    nodes = int(kernels.solve(view, kind, total, limit, stack, values))
    return None if nodes < 0 else Solved(values[: turns[0, kernels.COUNT]].copy(), nodes)


def solve(game: Game, view: State, utility: str, opponent: str, limit: int) -> Solved | None:
    """What every action is worth if all seats play on for themselves (max^n), or None.

    utility, opponent: as options of engines name them. None where chance has a say before the
    end, where more than `limit` actions would have to be made, and beyond the kernels' depth.
    """
    return search(game.kernels(), _kernels(cast(Any, game)), view, (utility, opponent), limit)
