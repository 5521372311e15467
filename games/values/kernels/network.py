"""Small networks, evaluated (a template): weights as `games.values.networks` lays them out.

Additions come in one order and no library multiplies, so a value is the same on every machine.
"""

from numpy import int64

MAX_HIDDEN = 64


@kernel
def forward(weights, x, num_features, layer):
    """Value of x float64[num_features]; layer: float64[MAX_HIDDEN], overwritten.

    Feature by feature, so that the hidden units of one are added side by side, and zeros are passed over.
    """
    hidden = int64((len(weights) - 1 - num_features) // (num_features + 2))
    rows = 1 + num_features + hidden
    value = weights[0]
    for k in range(hidden):
        layer[k] = weights[1 + num_features + k]
    for f in range(num_features):
        number = x[f]
        if number != 0.0:
            value += weights[1 + f] * number
            row = rows + f * hidden
            for k in range(hidden):
                layer[k] += weights[row + k] * number
    last = rows + num_features * hidden
    for k in range(hidden):
        if layer[k] > 0.0:
            value += weights[last + k] * layer[k]
    return value
