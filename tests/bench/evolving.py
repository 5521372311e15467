"""Matches of two seats between weights of the learned policy (a template; P: Dominion's `learned`, R: rules)."""

import numpy as np
from numpy import int64


@kernel
def play(start, count, seed, one, other, policy, buffers, out):
    """Play `count` matches from `start`: `one` sits at seat 0 and 1 in turn, against `other` or a policy.

    policy: its number, or -1 where the weights `other` play; buffers: (s, r, actions, journal); out: int64[count, 2],
    the points of `one` less the other's, and 1, 0 or -1 as it won or lost. Two matches have the stream of (seed, deal).
    """
    s, r, actions, j = buffers
    for k in range(count):
        rng.seed(r, rng.mix2(seed, np.uint64(k // 2)))
        journal.copy(start, s)
        seat = int64(k % 2)
        R.settle(s, r, j)
        while s[R.PLAYER] >= 0:
            if s[R.PLAYER] == seat:
                action = P.action(s, one, r)
            elif policy < 0:
                action = P.action(s, other, r)
            else:
                action = int64(R.policies.choose(policy, s, r, actions, j))
            R.apply(s, action, j)
            R.settle(s, r, j)
        margin = P.lead(s, seat)
        turns = int64(s[R.moves.seat_at(1 - seat) + R.TURNS]) - int64(s[R.moves.seat_at(seat) + R.TURNS])
        decisive = margin if margin else turns
        out[k, 0], out[k, 1] = margin, int64(decisive > 0) - int64(decisive < 0)
