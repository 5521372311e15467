"""Playing policies of Carcassonne: state to action (a template of `games.loader`, rules in R)."""

import numpy as np
from numpy import int64

informed = part("informed")

NAMES = ("random", "greedy", "informed", "thorough")
NEEDS_JOURNAL = ("greedy",)
_TRIES = 24


@kernel
def random_action(s, r, buffer):
    """Uniform over the legal actions (tile place, rotation and meeple together).

    Proposes (frontier cell, rotation, segment or none) uniformly and accepts it when legal,
    which is uniform over the legal ones; after _TRIES failures it lists them instead.
    """
    t = int64(s[R.TILE]) - 1
    has_meeple = s[R.HAND + s[R.PLAYER]] > 0
    choices = int64(R.NUM_SEGMENTS[t]) + 1 if has_meeple else int64(1)
    turns = int64(R.ROTATIONS[t])
    for _ in range(_TRIES):
        k = rng.below(r, s[R.NUM_FRONTIER] * turns)
        cell, rotation = int64(s[R.FRONTIER + k // turns]), k % turns
        if (R.FIT[256 * t + R.pattern(s, cell)] >> rotation) & 1:
            claimed = rng.below(r, choices)
            if claimed == 0 or R.is_free(s, t, cell, rotation, claimed - 1):
                return cell * R.ACTION_CELL + rotation * R.ACTION_ROTATION + claimed
    return int64(buffer[rng.below(r, R.legal_actions(s, buffer))])


@kernel
def score_difference(points, seat, num_seats):
    """Own points minus those of the best opponent."""
    best = int64(-1)
    for other in range(num_seats):
        if other != seat and points[other] > best:
            best = points[other]
    return points[seat] - best


@allocating_kernel
def greedy_action(s, r, buffer, j):
    """The action with the best projected score difference after it; ties at random.

    Needs rules with a journal, since every action is tried and taken back.
    """
    seat = int64(s[R.PLAYER])
    points = np.zeros(R.MAX_SEATS, np.int64)
    chosen, best, ties = int64(-1), int64(0), 0
    for i in range(R.legal_actions(s, buffer)):
        mark = j[0]
        R.apply(s, int64(buffer[i]), j)
        R.projected(s, points)
        journal.undo(s, j, mark)
        value = score_difference(points, seat, int64(s[R.NUM_SEATS]))
        if chosen < 0 or value > best:
            chosen, best, ties = int64(buffer[i]), value, 1
        elif value == best:
            ties += 1
            if rng.below(r, int64(ties)) == 0:
                chosen = int64(buffer[i])
    return chosen


@kernel
def choose(policy, s, r, buffer, j):
    """Action of the policy with index `policy` in NAMES for the seat on turn.

    buffer: int32[MAX_ACTIONS], overwritten; j: a journal with room for one ply where the
    policy is listed in NEEDS_JOURNAL (s is left as it was).
    """
    if policy == 1:
        return greedy_action(s, r, buffer, j)
    if policy == 2:
        return informed.best_action(s, r, buffer, informed.CANDIDATES)
    if policy == 3:
        return informed.best_action(s, r, buffer, int64(R.MAX_ACTIONS))
    return random_action(s, r, buffer)
