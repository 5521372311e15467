"""Fits a network to what positions learn: least squares for the linear part, then Adam for all of it.

Residuals of the seats of a position are centred: what all seats get more than foretold counts `COMMON` times, what
one gets more than another counts whole, since decisions compare margins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engines.learning.self_play import Positions
from games.values import networks
from games.values.networks import Network

Numbers = NDArray[np.float64]
COMMON = 0.3
RIDGE = 1e-3
"""Penalty of the linear part, for a feature of variance 1 and each position."""
BATCH = 512
RATE = 2e-3
BETAS, TINY = (0.9, 0.999), 1e-8
HELD_OUT = 10
"""One match of so many is kept out of the fit, to say how well it foretells."""


@dataclass(frozen=True)
class Fitted:
    """A network over features as they are; root mean square errors of margins to the mean of all seats, held out."""

    network: Network
    error: float
    linear_error: float
    spread: float


def centred(residuals: Numbers) -> Numbers:
    """Residuals float64[n, seats] with what they have in common counted less."""
    found: Numbers = residuals - (1.0 - COMMON) * residuals.mean(axis=1, keepdims=True)
    return found


def margin_error(network: Network, x: Numbers, points: Numbers) -> float:
    """Root mean square error of what a seat has more than the mean of its table."""
    found = networks.forward(network, x.reshape(-1, x.shape[-1]))[0].reshape(points.shape) - points
    return float(np.sqrt(((found - found.mean(axis=1, keepdims=True)) ** 2).mean()))


def fit(positions: Positions, hidden: int, epochs: int, seed: int, begin: Network | None = None) -> Fitted:
    """Fit a network with `hidden` units.

    begin: over features as they are, to go on from. The same positions and seed give the same network on one machine.
    """
    held = positions.matches % HELD_OUT == 0
    x, mean, scale = _standardised(positions.features[~held].astype(np.float64))
    y, rng = positions.points[~held], np.random.default_rng(seed)
    tests = (positions.features[held].astype(np.float64) - mean) / scale, positions.finals[held]
    network = networks.initial(x.shape[-1], hidden, rng)
    if begin is not None:
        network = networks.standardised(begin, mean, scale)
    linear = _ridge(x, y - _flat_forward(network, x))
    network = network._replace(bias=network.bias + linear[:1], linear=network.linear + linear[1:])
    linear_error = margin_error(network, *tests)
    if hidden:
        network = _adam(network, x, y, epochs, rng)
    spread = float(np.sqrt(((tests[1] - tests[1].mean(axis=1, keepdims=True)) ** 2).mean()))
    return Fitted(networks.rescaled(network, mean, scale), margin_error(network, *tests), linear_error, spread)


def _standardised(x: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    rows = x.reshape(-1, x.shape[-1])
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale < 1e-6] = 1.0
    return (x - mean) / scale, mean, scale


def _flat_forward(network: Network, x: Numbers) -> Numbers:
    return networks.forward(network, x.reshape(-1, x.shape[-1]))[0].reshape(x.shape[:2])


def _ridge(x: Numbers, y: Numbers) -> Numbers:
    """Least squares of centred residuals: bias, then a weight for each feature."""
    n, seats, features = x.shape
    share = COMMON**0.5
    rows = x - (1.0 - share) * x.mean(axis=1, keepdims=True)
    a = np.concatenate([np.full((n * seats, 1), share), rows.reshape(-1, features)], axis=1)
    b = (y - (1.0 - share) * y.mean(axis=1, keepdims=True)).ravel()
    penalty = np.diag([0.0] + [RIDGE * n * seats] * features)
    found: Numbers = np.linalg.solve(a.T @ a + penalty, a.T @ b)
    return found


def _adam(network: Network, x: Numbers, y: Numbers, epochs: int, rng: np.random.Generator) -> Network:
    """Minimise the squares of centred residuals (Kingma, Ba 2015), at a rate that falls to nothing."""
    first = [np.zeros_like(part) for part in network]
    second = [np.zeros_like(part) for part in network]
    steps, step = epochs * -(-len(x) // BATCH), 0
    network = Network(*(part.copy() for part in network))
    for _ in range(epochs):
        order = rng.permutation(len(x))
        for begin in range(0, len(x), BATCH):
            rows = order[begin : begin + BATCH]
            step += 1
            rate = RATE * 0.5 * (1.0 + np.cos(np.pi * step / steps))
            for part, gradient, m, v in zip(network, _gradients(network, x[rows], y[rows]), first, second, strict=True):
                m += (1.0 - BETAS[0]) * (gradient - m)
                v += (1.0 - BETAS[1]) * (gradient * gradient - v)
                corrected = v / (1.0 - BETAS[1] ** step)
                part -= rate / (1.0 - BETAS[0] ** step) * m / (np.sqrt(corrected) + TINY)
    return network


def _gradients(network: Network, x: Numbers, y: Numbers) -> Network:
    """Gradient of half the mean square of centred residuals, part by part."""
    rows = x.reshape(-1, x.shape[-1])
    found, layer = networks.forward(network, rows)
    errors = centred(found.reshape(y.shape) - y).ravel() / len(rows)
    behind = np.where(layer > 0.0, errors[:, None] * network.out, 0.0)
    return Network(errors.sum(keepdims=True), errors @ rows, behind.sum(axis=0), rows.T @ behind, errors @ layer)
