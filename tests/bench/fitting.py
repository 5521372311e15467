"""Matches between weights of informed play (a template; I: Kingdomino's `informed`, R: rules)."""

import numpy as np
from numpy import int64


@allocating_kernel
def play(start, count, seed, weights, buffers, out):
    """Play `count` matches; seat 0 plays by weights[0], all others by weights[1].

    weights: int64[2, :], each as `worth.table`; buffers: (s, r, luck, actions, journal); out:
    int64[count, MAX_SEATS], final points. Match k has the luck of (seed, k), whatever is played.
    """
    s, r, luck, actions, j = buffers
    points = np.zeros(R.MAX_SEATS, np.int64)
    for k in range(count):
        rng.seed(r, rng.mix2(seed, np.uint64(2 * k)))
        rng.seed(luck, rng.mix2(seed, np.uint64(2 * k + 1)))
        journal.copy(start, s)
        while True:
            player = R.current_player(s)
            if player == -2:
                break
            if player == -1:
                R.apply(s, R.sample_chance(s, luck), j)
            else:
                R.apply(s, I.action(s, r, actions, weights[min(player, int64(1))], I.WIDTH), j)
        R.scores(s, points)
        for seat in range(R.MAX_SEATS):
            out[k, seat] = points[seat]
