"""Quality of beliefs, with all hands known afterwards: chances that they gave to the true deal and to single tiles.

Beliefs of the seat on turn: the paper's, the exact posterior, and the exact one weighed by how others have
played: by levels (`opponent_model`, flat or by legal move) or by fitted play (`playout_policy`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.dominoes import state as layout
from games.dominoes import tiles
from games.dominoes.belief import beliefs, opponent_model
from games.dominoes.belief.beliefs import Belief, Deals
from games.dominoes.search import determinization, workspace
from games.hands import Inference, Valuation
from games.protocol import State

BELIEFS = ("paper", "exact", *(name for name in determinization.INFERENCES if name != "none"))
WEIGHED = BELIEFS[2:]


@dataclass(frozen=True)
class Model:
    """Model of how others play: `Inference.level` and `depth`; worlds: drawn for each position."""

    level: float = 0.5
    level_depth: int = 0
    worlds: int = 500


class PositionQuality(NamedTuple):
    """Quality in one position. log_chances: log of the chance of the true deal, by belief; effective: deals that an
    unweighted sample would need, as a share of those drawn, by weighed belief; beliefs: float64[28, 4] each."""

    log_chances: dict[str, float]
    effective: dict[str, float]
    beliefs: dict[str, Belief]


def judge(kernels: ModuleType, state: State, model: Model, seed: int) -> PositionQuality:
    """Every belief of the seat on turn in a state whose hands are known.

    Where no more deals are possible than `model.worlds` all are taken; else so many are drawn (seed), and
    the chance of the true deal rests on their mean likelihood: its logarithm flatters weighed beliefs by
    about (1 / effective - 1) / (2 * worlds) nats, 0.003 with 1,000 worlds of which 15 % are effective. Where
    a tenth of them carries the weight or less, a part is given back to all alike (`opponent_model.MIXED`).
    """
    seat = int(state[layout.PLAYER])
    possible = beliefs.consistent_deals(kernels, state, seat)
    deals = beliefs.all_deals(kernels, state, seat, model.worlds)
    if deals is None:
        deals = determinization.draw_worlds(kernels, state, seat, seed, range(model.worlds))
    true = np.array([state[layout.HAND : layout.COUNT]], np.int64)
    found = {"paper": beliefs.paper(kernels, state, seat), "exact": beliefs.exact(kernels, state, seat)}
    logs = {"paper": beliefs.log_product(state, found["paper"]), "exact": -math.log(possible)}
    effective: dict[str, float] = {}
    w = workspace.words(kernels, state, Valuation())
    for name in WEIGHED:
        inferred = Inference(name, model.level, model.level_depth)
        likely = determinization.log_likelihoods(kernels, state, w, seat, np.concatenate([deals, true]), inferred)
        weights, share = _weights(likely[:-1])
        mixed = opponent_model.MIXED if share < opponent_model.FEW else 0.0
        own = (1.0 - mixed) * math.exp(likely[-1] - _log_mean(likely[:-1])) + mixed
        logs[name], effective[name] = math.log(own / possible), share
        found[name] = _belief(deals, (1.0 - mixed) * weights + mixed / len(deals))
    return PositionQuality(logs, effective, found)


def _weights(logs: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Weights adding up to 1, and the size of an unweighted sample that is as good, as a share."""
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    return weights, opponent_model.effective_size(weights) / len(weights)


def _log_mean(logs: NDArray[np.float64]) -> float:
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).mean()))


def _belief(deals: Deals, weights: NDArray[np.float64]) -> Belief:
    held = deals[:, None, :] >> np.arange(tiles.NUM_TILES)[None, :, None] & 1
    return np.asarray(np.einsum("k,kts->ts", weights, held), np.float64)
