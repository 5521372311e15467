"""Flat Monte Carlo: playouts shared evenly over the root actions (a template; R: rules).

UTILITY: 0 score difference, 1 win / draw / loss (1, 0, -1), both on the thesis' own scale (Heyden
2009, section 4.2); 2 own share of own and opponents' points, 3 own points (Gedda, Lagerkvist,
Butler 2018: R and P). OPPONENT: 0 the best other seat, 1 all others together.
"""

import numpy as np
from numpy import int64


@kernel
def utility(points, seat, num_seats):
    """What a finished match is worth to `seat`."""
    best, total = int64(-1 << 40), int64(0)
    for other in range(num_seats):
        if other != seat:
            best = max(best, points[other])
            total += points[other]
    own, others = points[seat], total if OPPONENT == 1 else best
    if UTILITY == 0:
        return np.float64(own - others)
    if UTILITY == 1:
        return np.float64((own > others) - (own < others))
    if UTILITY == 2:
        return own / (own + others) if own + others > 0 else 0.5
    return np.float64(own)


@kernel
def play_on(s, policy, epsilon, r, buffer, j):
    """Play to the end, each ply at random with probability `epsilon`; return the number of plies."""
    if epsilon == 0.0:
        return R.playout.playout(s, policy, r, buffer, j)
    plies = int64(0)
    while True:
        player = R.current_player(s)
        if player == -2:
            return plies
        if player == -1:
            R.apply(s, R.sample_chance(s, r), j)
        else:
            chosen = int64(0) if rng.uniform(r) < epsilon else policy
            R.apply(s, R.policies.choose(chosen, s, r, buffer, j), j)
            plies += 1
        journal.reset(j)


@kernel
def sample(start, actions, first, count, seed, policy, epsilon, sums, squares, visits, s, r, buffer, j, points):
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
        moves += 1 + play_on(s, policy, epsilon, r, buffer, j)
        R.scores(s, points)
        value = utility(points, seat, num_seats)
        sums[i] += value
        squares[i] += value * value
        visits[i] += 1
    return moves
