"""The policy of a seat that sees its own hand alone, as fitted to the choices of a search."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games.courses import Program
from games.dominoes.search import fitted_weights, workspace
from games.hands import Valuation
from games.protocol import Actions, State


def terms(kernels: ModuleType, view: State, seat: int, actions: Actions) -> NDArray[np.float64]:
    """Features of each action, as the policy weighs them: float64[n, terms]. Looks at the seat's own hand alone."""
    policy, w = kernels.playout_policy, workspace.words(kernels, view, Valuation())
    out = np.zeros((len(actions), policy.TERMS))
    kernels.imperfect_minimax.begin(view, w, seat)
    policy.begin(view, w)
    policy.list_terms(view, w, np.zeros(len(fitted_weights.playout_policy())), seat, actions, out)
    return out


def most_appealing(kernels: ModuleType, view: State, seat: int, actions: Actions) -> int:
    """The action that appeals most to a seat that plays by the policy."""
    w, weights = np.zeros(kernels.worlds.WORK, np.int64), fitted_weights.playout_policy()
    return int(kernels.playout_policy.most_appealing(view, w, weights, seat, actions, len(actions)))


def program() -> Program:
    """The policy as numbers for `course`: the bits of its weights."""
    return tuple(fitted_weights.playout_policy().view(np.int64).tolist())
