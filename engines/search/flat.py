"""Flat Monte Carlo: playouts shared evenly over the root actions (a template; R: rules).

UTILITY: 0 score difference, 1 win / draw / loss. OPPONENT: 0 the best other seat, 1 all
others together. Both are the thesis' own scale (Heyden 2009, section 4.2).
"""

import numpy as np
from numpy import int64


@kernel
def utility(points, seat, num_seats):
    """What a finished match is worth to `seat`: a margin in points, or 1, 0, -1."""
    best, total = int64(-1 << 40), int64(0)
    for other in range(num_seats):
        if other != seat:
            best = max(best, points[other])
            total += points[other]
    margin = points[seat] - (total if OPPONENT == 1 else best)
    if UTILITY == 0:
        return np.float64(margin)
    return np.float64((margin > 0) - (margin < 0))


@kernel
def sample(start, actions, first, count, seed, policy, sums, squares, visits, s, r, buffer, j, points):
    """Do playouts number first .. first + count - 1; number k tries root action k mod n.

    actions: int32[n]; sums, squares: float64[n] and visits: int64[n], added to; seed: uint64,
    each playout has the stream of (seed, its number). The rest are buffers. Returns the
    number of moves made.
    """
    seat = R.current_player(start)
    num_seats = R.num_seats(start)
    n = len(actions)
    moves = int64(0)
    for k in range(first, first + count):
        i = int64(k % n)
        rng.seed(r, rng.mix2(seed, np.uint64(k)))
        journal.copy(start, s)
        R.apply(s, int64(actions[i]), j)
        journal.reset(j)
        moves += 1 + R.playout.playout(s, policy, r, buffer, j)
        R.scores(s, points)
        value = utility(points, seat, num_seats)
        sums[i] += value
        squares[i] += value * value
        visits[i] += 1
    return moves
