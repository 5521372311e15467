"""Imperfect Minimax Search of the DominAI paper: one tree over what a seat believes."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from games.dominoes.search import workspace
from games.hands import ActionValues, Valuation
from games.protocol import Actions, State


def values(
    kernels: ModuleType,
    state: State,
    actions: Actions,
    depth: int,
    valuation: Valuation,
    *,
    is_exact: bool = False,
    is_unsound: bool = False,
) -> ActionValues:
    """Value of each action and `depth` turns after it, or as many as in `double_dummy.values`.

    is_exact: every value for itself, else those that do not beat an earlier one are bounds from above;
    is_unsound: prune as the authors' program does.
    """
    w, out = workspace.words(kernels, state, valuation), np.zeros((2, len(actions)))
    reached = int(kernels.imperfect_minimax.values(state, w, actions, depth, is_exact, is_unsound, out))
    return ActionValues(out, workspace.end(kernels, w), reached)
