"""Worlds that a seat cannot tell apart: drawn by number, and weighed by what the play of the others says."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games.dominoes import state as layout
from games.dominoes.belief import opponent_model
from games.dominoes.belief.beliefs import Deals
from games.dominoes.search import fitted_weights
from games.hands import Inference
from games.protocol import State

INFERENCES = ("none", "flat", "per_legal", "manner")


def draw_worlds(
    kernels: ModuleType, view: State, seat: int, seed: int, numbers: range, *, is_exact: bool = True
) -> Deals:
    """Worlds of these numbers, each the one after, that a seat cannot tell apart (`determinization.draw`)."""
    deals, r = np.zeros((len(numbers), layout.MAX_SEATS), np.int64), np.zeros(4, np.uint64)
    classes = np.zeros(kernels.dealing.WORK, np.int64)
    kernels.determinization.draw(view, seat, seed, numbers.start, is_exact, r, classes, deals)
    return deals


def log_likelihoods(
    kernels: ModuleType, view: State, w: NDArray[np.int64], seat: int, deals: Deals, inference: Inference
) -> NDArray[np.float64]:
    """Log-likelihoods of the others' play under each of the deals, float64[K]. w: overwritten (`worlds`)."""
    found = np.zeros(len(deals))
    if inference.kind == "manner":
        kernels.determinization.weigh(view, w, fitted_weights.playout_policy(), seat, deals, found)
        found *= inference.level
    elif inference.kind != "none":
        model = opponent_model.Model(inference.kind, inference.depth)
        logs = opponent_model.likelihoods(kernels, view, seat, deals, model)
        if inference.adapts:
            return opponent_model.log_of_unknown_levels(logs)
        found = logs[:, :, int(opponent_model.known(inference.level).argmax())].sum(axis=1)
    return found
