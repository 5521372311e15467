"""Orders of actions in cards: a template of `games.loader`, rules in R."""

from numpy import int64

NAMES = ("none", "order1", "order2")


@kernel
def rank(order, s, action):
    """Order 1 keeps the card last, order 2 keeps it first."""
    if order == 0:
        return int64(0)
    keeps = action == s[R.PLAYER]
    return int64(keeps) if order == 1 else int64(not keeps)
