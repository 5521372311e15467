"""Minimax with all hands known, to a depth in turns or to the end of the round."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from games.dominoes import state as layout
from games.dominoes.search import valuations, workspace
from games.hands import ActionValues, Valuation
from games.protocol import Actions, State


def values(
    kernels: ModuleType,
    state: State,
    actions: Actions,
    depth: int,
    valuation: Valuation,
    most_turns: int = valuations.MOST_TURNS,
) -> ActionValues:
    """Value of each action and `depth` turns after it (TO_THE_END: all), or as many as `most_turns` allow.

    Raises ValueError for unknown hands.
    """
    if (state[layout.HAND : layout.COUNT] == layout.UNKNOWN).any():
        raise ValueError("all hands must be known")
    w, out = workspace.words(kernels, state, valuation), np.zeros((2, len(actions)))
    w[kernels.worlds.MOST_TURNS] = most_turns
    kernels.worlds.begin(state, w, *(int(state[layout.HAND + seat]) for seat in range(layout.MAX_SEATS)))
    reached = int(kernels.double_dummy.values(state, w, workspace.table(), actions, depth, out))
    return ActionValues(out, workspace.end(kernels, w), reached)
