"""Orders in which searches try actions (Heyden 2009, section 6.3.1; a template, rules in R)."""

import numpy as np
from numpy import int64

NAMES = ("none", "order1", "order2")
"""As they come; actions with a meeple first; by what the meeple claims."""
NO_MEEPLE = int64(3)
BY_KIND = np.array([0, 2, 1, 4], np.int8)
"""Rank of a meeple on a city, road, monastery, field; without one: NO_MEEPLE."""


@kernel
def rank(order, s, action):
    """Rank 0 .. 7 of a legal action of the seat on turn, lower first; order: index into NAMES."""
    claimed = int64(action) % R.ACTION_ROTATION
    if order == 0:
        return int64(0)
    if order == 1:
        return int64(claimed == 0)
    if claimed == 0:
        return NO_MEEPLE
    return int64(BY_KIND[R.KIND[R.SLOTS * (int64(s[R.TILE]) - 1) + claimed - 1]])
