"""Two orders without sense (a template of `games.loader`)."""
# mypy: ignore-errors

from numpy import int64

from tests.trees.layout import HERE

NAMES = ("none", "order1", "order2")


@kernel
def rank(order, s, action):
    if order == 1:
        return int64(7 - action % 8)
    return int64((s[HERE] * 5 + action * 3) % 4)
