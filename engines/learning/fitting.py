"""Fits a network to what positions learn: least squares for the linear part, then Adam for all of it.

Residuals of the seats of a position are centred: what all seats get more than foretold counts `COMMON` times, what
one gets more than another counts whole, since decisions compare margins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

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


class Tables(NamedTuple):
    """Positions as a fit takes them. x: float64[n, seats, F]; y: float64[n, seats]; present: bool[n, seats]."""

    x: Numbers
    y: Numbers
    present: NDArray[np.bool_]

    def of(self, rows: NDArray[np.int64]) -> Tables:
        """Some of them."""
        return Tables(self.x[rows], self.y[rows], self.present[rows])


def _means(numbers: Numbers, present: NDArray[np.bool_]) -> Numbers:
    """Means over the seats that are there."""
    where = present.reshape(present.shape + (1,) * (numbers.ndim - 2))
    means: Numbers = numbers.mean(axis=1, keepdims=True, where=where)
    return means


def centred(residuals: Numbers, present: NDArray[np.bool_]) -> Numbers:
    """Residuals float64[n, seats] with what they have in common counted less, 0 where nobody sits."""
    return np.where(present, residuals - (1.0 - COMMON) * _means(residuals, present), 0.0)


def margin_error(network: Network, tables: Tables) -> float:
    """Root mean square error of what a seat has more than the mean of its table."""
    return _spread(_flat_forward(network, tables.x) - tables.y, tables.present)


def _spread(numbers: Numbers, present: NDArray[np.bool_]) -> float:
    return float(np.sqrt(((numbers - _means(numbers, present)) ** 2).mean(where=present)))


def fit(positions: Positions, hidden: int, epochs: int, seed: int, begin: Network | None = None) -> Fitted:
    """Fit a network with `hidden` units.

    begin: over features as they are, to go on from. The same positions and seed give the same network on one machine.
    """
    held = positions.matches % HELD_OUT == 0
    learned, tested, rng = positions.present[~held], positions.present[held], np.random.default_rng(seed)
    x, mean, scale = _standardised(positions.features[~held].astype(np.float64), learned)
    tables = Tables(x, positions.points[~held], learned)
    tests = Tables((positions.features[held].astype(np.float64) - mean) / scale, positions.finals[held], tested)
    network = networks.initial(x.shape[-1], hidden, rng)
    if begin is not None:
        network = networks.standardised(begin, mean, scale)
    linear = _ridge(tables._replace(y=tables.y - _flat_forward(network, x)))
    network = network._replace(bias=network.bias + linear[:1], linear=network.linear + linear[1:])
    linear_error = margin_error(network, tests)
    if hidden:
        network = _adam(network, tables, epochs, rng)
    error, spread = margin_error(network, tests), _spread(tests.y, tested)
    return Fitted(networks.rescaled(network, mean, scale), error, linear_error, spread)


def _standardised(x: Numbers, present: NDArray[np.bool_]) -> tuple[Numbers, Numbers, Numbers]:
    """(x, in place, mean, scale)."""
    rows = x[present]
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale < 1e-6] = 1.0
    x -= mean
    x /= scale
    return x, mean, scale


def _flat_forward(network: Network, x: Numbers) -> Numbers:
    return networks.forward(network, x.reshape(-1, x.shape[-1]))[0].reshape(x.shape[:2])


def _ridge(tables: Tables) -> Numbers:
    """Least squares of centred residuals: bias, then a weight for each feature."""
    x, y, present = tables
    share = COMMON**0.5
    rows = (x - (1.0 - share) * _means(x, present))[present]
    a = np.concatenate([np.full((len(rows), 1), share), rows], axis=1)
    b = (y - (1.0 - share) * _means(y, present))[present]
    penalty = np.diag([0.0] + [RIDGE * len(rows)] * x.shape[-1])
    found: Numbers = np.linalg.solve(a.T @ a + penalty, a.T @ b)
    return found


def _adam(network: Network, tables: Tables, epochs: int, rng: np.random.Generator) -> Network:
    """Minimise the squares of centred residuals (Kingma, Ba 2015), at a rate that falls to nothing."""
    first = [np.zeros_like(part) for part in network]
    second = [np.zeros_like(part) for part in network]
    count, step = len(tables.x), 0
    steps = epochs * -(-count // BATCH)
    network = Network(*(part.copy() for part in network))
    for _ in range(epochs):
        order = rng.permutation(count)
        for begin in range(0, count, BATCH):
            gradients = _gradients(network, tables.of(order[begin : begin + BATCH]))
            step += 1
            rate = RATE * 0.5 * (1.0 + np.cos(np.pi * step / steps))
            for part, gradient, m, v in zip(network, gradients, first, second, strict=True):
                m += (1.0 - BETAS[0]) * (gradient - m)
                v += (1.0 - BETAS[1]) * (gradient * gradient - v)
                corrected = v / (1.0 - BETAS[1] ** step)
                part -= rate / (1.0 - BETAS[0] ** step) * m / (np.sqrt(corrected) + TINY)
    return network


def _gradients(network: Network, tables: Tables) -> Network:
    """Gradient of half the mean square of centred residuals, part by part."""
    rows = tables.x.reshape(-1, tables.x.shape[-1])
    found, layer = networks.forward(network, rows)
    residuals = found.reshape(tables.y.shape) - tables.y
    errors = centred(residuals, tables.present).ravel() / np.count_nonzero(tables.present)
    behind = np.where(layer > 0.0, errors[:, None] * network.out, 0.0)
    return Network(errors.sum(keepdims=True), errors @ rows, behind.sum(axis=0), rows.T @ behind, errors @ layer)
