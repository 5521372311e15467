"""Beliefs from how others have played: deals weighted by likelihood, and what it says of their levels.

The template of the same name says the model. Deals are drawn exactly (`beliefs.sample`) and weighted; where few of
them carry the weight, a part is given back to all alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games import loader
from games.dominoes import state as layout
from games.dominoes import tiles
from games.dominoes.belief import beliefs
from games.dominoes.belief.beliefs import Belief, Deals
from games.protocol import Rng, State

GRID = np.linspace(0.0, 1.0, 11)
"""Levels that a seat may have where its level is to be learnt."""
BASES = ("flat", "per_legal")
MAX_DEPTH = 12
FEW = 0.1
"""Effective deals, as a share of those drawn, below which weights are mixed."""
MIXED = 0.05
"""Share of the weight that all deals get alike then."""


@dataclass(frozen=True)
class Model:
    """Model of how others play.

    base: "flat" or "per_legal"; depth: turns of the search that says what is best, 0: most pips.
    """

    base: str = "flat"
    depth: int = 0

    def __post_init__(self) -> None:
        if self.base not in BASES:
            raise ValueError(f"base must be one of {', '.join(BASES)}, not {self.base!r}")
        if not 0 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"depth must be between 0 and {MAX_DEPTH}, not {self.depth}")


@dataclass(frozen=True)
class Posterior:
    """Deals with their weights, and what the plays say of each seat's level.

    weights: float64[K], adding up to 1, by which `deals` are to be averaged or drawn again;
    effective: their `effective_size` before mixing;
    is_mixed: whether it was below a tenth of the deals; levels: float64[4, len(GRID)].
    """

    deals: Deals
    weights: NDArray[np.float64]
    effective: float
    is_mixed: bool
    levels: NDArray[np.float64]

    @property
    def belief(self) -> Belief:
        """Chance of each tile to be with each seat."""
        held = self.deals[:, None, :] >> np.arange(tiles.NUM_TILES)[None, :, None] & 1
        return np.asarray(np.einsum("k,kts->ts", self.weights, held), np.float64)


def effective_size(weights: NDArray[np.float64]) -> float:
    """Size of an unweighted sample that is as good as one with weights adding up to 1 (Kish 1965)."""
    return float(1.0 / (weights**2).sum())


def known(level: float) -> NDArray[np.float64]:
    """The prior of a seat whose level is known, to the next step of the grid. Raises ValueError."""
    if not 0.0 <= level <= 1.0:
        raise ValueError(f"a level must be between 0 and 1, not {level}")
    prior = np.zeros(len(GRID))
    prior[int(np.abs(GRID - level).argmin())] = 1.0
    return prior


def uniform_prior() -> NDArray[np.float64]:
    """The prior of a seat of which nothing is known."""
    return np.full(len(GRID), 1 / len(GRID))


def likelihoods(kernels: ModuleType, state: State, seat: int, deals: Deals, model: Model) -> NDArray[np.float64]:
    """Log-likelihoods float64[deal, seat, level] of what the others have laid in this round."""
    ensure_loaded(kernels)
    return _weigh(kernels, state, seat, deals, model)


def ensure_loaded(kernels: ModuleType) -> None:
    """Have what this module calls compiled and loaded."""
    nobody, nothing = np.zeros(layout.SIZE, np.int32), np.zeros((1, layout.MAX_SEATS), np.int64)
    loader.ensure_loaded(kernels.opponent_model, lambda: _weigh(kernels, nobody, 0, nothing, Model()))


def _weigh(kernels: ModuleType, state: State, seat: int, deals: Deals, model: Model) -> NDArray[np.float64]:
    out = np.zeros((len(deals), layout.MAX_SEATS, len(GRID)))
    hands = np.zeros(layout.MAX_SEATS, np.int64)
    kernels.opponent_model.weigh(state, seat, deals, GRID, model.base == "per_legal", model.depth, hands, out)
    return out


def weighted_posterior(logs: NDArray[np.float64], deals: Deals, priors: NDArray[np.float64]) -> Posterior:
    """The posterior from log-likelihoods. priors: float64[4, len(GRID)], rows adding up to 1."""
    likelihood = np.exp(logs)
    of_seats = np.maximum((likelihood * priors).sum(axis=2), np.finfo(float).tiny)
    total = np.log(of_seats).sum(axis=1)
    weights = np.exp(total - total.max())
    weights /= weights.sum()
    effective = effective_size(weights)
    is_mixed = effective < FEW * len(deals)
    if is_mixed:
        weights = (1.0 - MIXED) * weights + MIXED / len(deals)
    levels = np.einsum("k,ksg->sg", weights, priors * likelihood / of_seats[:, :, None])
    return Posterior(deals, weights, effective, is_mixed, levels / levels.sum(axis=1, keepdims=True))


def log_of_unknown_levels(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-likelihoods float64[deal] where every seat has a level of its own, at first any of GRID alike.

    What a seat has laid so says which levels fit it, under each deal: its level is learned in the course of a round.
    """
    return np.asarray((np.logaddexp.reduce(logs, axis=2) - np.log(len(GRID))).sum(axis=1), np.float64)


def posterior(
    kernels: ModuleType, state: State, seat: int, priors: NDArray[np.float64], model: Model, number: int, rng: Rng
) -> Posterior:
    """Draw `number` deals that the seat cannot tell apart, and weigh them by the plays of the others.

    priors: float64[4, len(GRID)], what is thought of each seat's level (`known`, `uniform_prior`); the
    posterior's `levels` are the prior of the next round.
    """
    deals = beliefs.sample(kernels, state, seat, number, rng)
    return weighted_posterior(likelihoods(kernels, state, seat, deals, model), deals, priors)
