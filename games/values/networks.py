"""Layout of a learned value's weights: a linear part and one hidden layer, in one flat array.

With F features x and H hidden units: y = b + sum_f a_f x_f + sum_h c_h max(0, d_h + sum_f w_fh x_f). The array holds
b, a[F], d[H], w[F, H] row by row, c[H]; its length tells H. No hidden units make it a linear value.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
MAX_HIDDEN = 64


class Network(NamedTuple):
    """The parts of a network; arrays are views where it was made by `split`."""

    bias: Numbers  # float64[1]
    linear: Numbers  # float64[F]
    hidden_bias: Numbers  # float64[H]
    hidden: Numbers  # float64[F, H]
    out: Numbers  # float64[H]

    def flat(self) -> Numbers:
        """All in one array, as kernels take it."""
        return np.concatenate([part.ravel() for part in self])


def size(num_features: int, hidden: int) -> int:
    """Length of the array."""
    return 1 + num_features + hidden * (num_features + 2)


def hidden_units(num_features: int, length: int) -> int:
    """Hidden units of an array of this length. Raises ValueError where none has this length."""
    hidden, rest = divmod(length - 1 - num_features, num_features + 2)
    if rest or not 0 <= hidden <= MAX_HIDDEN:
        raise ValueError(f"no network over {num_features} features has {length} weights")
    return hidden


def split(weights: Numbers, num_features: int) -> Network:
    """The parts of a flat array, as views."""
    hidden = hidden_units(num_features, len(weights))
    ends = np.cumsum([1, num_features, hidden, num_features * hidden])
    bias, linear, hidden_bias, rows, out = np.split(weights, ends)
    return Network(bias, linear, hidden_bias, rows.reshape(num_features, hidden), out)


def initial(num_features: int, hidden: int, rng: np.random.Generator) -> Network:
    """A network of no value yet: the hidden layer drawn as He et al. (2015) do, all that follows it zero."""
    drawn = rng.normal(0.0, np.sqrt(2.0 / num_features), (num_features, hidden))
    return Network(np.zeros(1), np.zeros(num_features), np.zeros(hidden), drawn, np.zeros(hidden))


def forward(network: Network, x: Numbers) -> tuple[Numbers, Numbers]:
    """(values, hidden layer) of many positions. x: float64[n, F]."""
    layer = np.maximum(0.0, x @ network.hidden + network.hidden_bias)
    return network.bias + x @ network.linear + layer @ network.out, layer


def rescaled(network: Network, mean: Numbers, scale: Numbers) -> Network:
    """The network over features as they are of one that was fitted to (x - mean) / scale."""
    linear, hidden = network.linear / scale, network.hidden / scale[:, None]
    return Network(network.bias - linear @ mean, linear, network.hidden_bias - mean @ hidden, hidden, network.out)


def standardised(network: Network, mean: Numbers, scale: Numbers) -> Network:
    """The inverse: the network over (x - mean) / scale of one over features as they are."""
    bias = network.bias + network.linear @ mean
    hidden_bias = network.hidden_bias + mean @ network.hidden
    return Network(bias, network.linear * scale, hidden_bias, network.hidden * scale[:, None], network.out)
