"""Flat Monte Carlo: playouts shared over some of the root actions (a template; R: rules).

Injected besides: `utility` of `utility.py`.
"""

import numpy as np
from numpy import int64

if hasattr(R, "promise"):
    promises = R.promise.promises
else:

    @kernel
    def promises(s, actions, buffer, out):
        """Guess nothing: no action promises more than another."""
        for i in range(len(actions)):
            out[i] = 0.0


@kernel
def play_on(s, policy, epsilon, r, luck, buffer, j):
    """Play to the end, each ply at random with probability `epsilon`; return the number of plies.

    luck: the generator that chance draws from, r itself or another.
    """
    plies = int64(0)
    while True:
        player = R.current_player(s)
        if player == -2:
            return plies
        if player == -1:
            R.apply(s, R.sample_chance(s, luck), j)
        else:
            chosen = int64(0) if epsilon > 0.0 and rng.uniform(r) < epsilon else policy
            R.apply(s, R.policies.choose(chosen, s, r, buffer, j), j)
            plies += 1
        journal.reset(j)


@kernel
def sample(start, how, places, before, first, count, tally, buffers):
    """Do playouts number first .. first + count - 1 of a stage; number k tries places[k mod n].

    how: (actions int32[], seed uint64, policy, epsilon, is_paired, utility, total); places: int64[n], of the
    actions that the stage tries; before: (playouts, deals) of the stages before it; tally: (sums
    float64[], squares float64[], visits int64[]) of all actions, added to; buffers: (s, r, luck,
    actions, journal, points). A playout draws from the stream of its number, all stages counted;
    if is_paired, from that of its deal, the same for every action. Returns the number of moves.
    """
    actions, seed, policy, epsilon, is_paired, kind, total = how
    s, r, luck, buffer, j, points = buffers
    sums, squares, visits = tally
    seat, num_seats, n = R.current_player(start), R.num_seats(start), len(places)
    moves = int64(0)
    for k in range(first, first + count):
        i = places[k % n]
        rng.seed(r, rng.mix2(seed, np.uint64(before[1] + k // n if is_paired else before[0] + k)))
        rng.seed(luck, rng.mix2(r[0], r[1]))
        journal.copy(start, s)
        R.apply(s, int64(actions[i]), j)
        journal.reset(j)
        moves += 1 + play_on(s, policy, epsilon, r, luck if is_paired else r, buffer, j)
        R.scores(s, points)
        value = utility(kind, points, seat, num_seats, total)
        sums[i] += value
        squares[i] += value * value
        visits[i] += 1
    return moves
