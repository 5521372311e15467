"""Policies of cards: a template of `games.loader`, rules in R."""

import numpy as np
from numpy import int64

NAMES = ("random", "greedy")
NEEDS_JOURNAL = ("greedy",)


@kernel
def random_action(s, r):
    """Uniform over the legal actions."""
    if s[R.NUM_LEFT] == 0:
        return int64(s[R.PLAYER])
    return rng.below(r, int64(s[R.NUM_SEATS]))


@allocating_kernel
def greedy_action(s, buffer, j):
    """The action after which the own projected score is highest: always to keep the card."""
    seat = int64(s[R.PLAYER])
    points = np.zeros(R.MAX_SEATS, np.int64)
    chosen, best = int64(-1), int64(-1)
    for i in range(R.legal_actions(s, buffer)):
        mark = j[0]
        R.apply(s, int64(buffer[i]), j)
        R.projected(s, points)
        journal.undo(s, j, mark)
        if points[seat] > best:
            chosen, best = int64(buffer[i]), points[seat]
    return chosen


@kernel
def choose(policy, s, r, buffer, j):
    if policy == 1:
        return greedy_action(s, buffer, j)
    return random_action(s, r)
