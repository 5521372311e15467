"""The last plies of a match, searched to the end once nothing is left to chance."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engines import templates, utilities
from engines.driver import NodeAllowance
from games import loader, readiness
from games import rng as random_streams
from games.protocol import Game, State


class Attempt(NamedTuple):
    """Utility of every action of the seat on turn, in the order of the rules, and the actions made for it.

    values: float64[n], or None where the match was not searched through.
    """

    values: NDArray[np.float64] | None
    nodes: int


def kernels_of(game: Any) -> ModuleType:
    """Kernels over a game's rules, compiled or loaded on first use."""
    return _kernels(game, readiness.usual_mode())


@cache
def _kernels(game: Any, mode: str) -> ModuleType:  # games are one object each, by identity
    kernels = templates.load("endgame", game.folder, False, mode)

    def exercise() -> None:
        r = random_streams.new_stream(0, random_streams.ANALYSIS)
        state = game.initial_state(game.options(), game.traits.min_seats)
        while game.current_player(state) < 0:
            state = game.apply(state, game.sample_chance(state, r))
        search(game.kernels(), kernels, state, ("difference", "best"), NodeAllowance(1, None, True))

    loader.ensure_loaded(kernels, exercise)
    return kernels


def search(
    rules: ModuleType, kernels: ModuleType, view: State, maximised: tuple[str, str], allowance: NodeAllowance
) -> Attempt:
    """Return the values of `solve`, by kernels over a game's rules."""
    rows = kernels.DEPTH + 1
    turns, progress = np.zeros((rows, kernels.TURN), np.int64), np.zeros(kernels.PROGRESS, np.int64)
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
    kernels.begin(view, stack, progress)
    found = kernels.PAUSED
    while found == kernels.PAUSED and not allowance.is_over(made := int(progress[kernels.NODES])):
        found = kernels.solve(kind, total, allowance.share(made)[0], stack, progress, values)
    nodes = int(progress[kernels.NODES])
    return Attempt(values[: turns[0, kernels.COUNT]].copy() if found == kernels.SOLVED else None, nodes)


def solve(game: Game, view: State, maximised: tuple[str, str], allowance: NodeAllowance) -> Attempt:
    """Return the value of every action if all seats play on for themselves (max^n).

    maximised: (utility, opponent), as options of engines name them. Not known where chance has a
    say before the end, where the allowance does not suffice, and beyond the kernels' depth.
    Compiled code is called for a slice of the allowance at a time.
    """
    return search(game.kernels(), kernels_of(cast(Any, game)), view, maximised, allowance)
