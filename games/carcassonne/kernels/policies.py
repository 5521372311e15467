"""Playing policies of Carcassonne: state to action (a template of `games.loader`, rules in R)."""

from numpy import int64

greedy, informed = part("greedy"), part("informed")

NAMES = ("random", "greedy", "informed", "thorough")
NEEDS_JOURNAL = ()
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


@inlined_kernel
def play_random(policy, s, r, buffer, j):
    """Action of `random`."""
    return random_action(s, r, buffer)


@inlined_kernel
def play_greedy(policy, s, r, buffer, j):
    """Action of `greedy`."""
    return greedy.best_action(s, r, buffer)


@inlined_kernel
def play_informed(policy, s, r, buffer, j):
    """Action of `informed` or `thorough`."""
    return informed.best_action(s, r, buffer, informed.CANDIDATES if policy == 2 else int64(R.MAX_ACTIONS))


BY_NUMBER = (play_random, play_greedy, play_informed, play_informed)


@kernel
def choose(policy, s, r, buffer, j):
    """Action of the policy with index `policy` in NAMES for the seat on turn.

    buffer: int32[MAX_ACTIONS], overwritten.
    """
    if policy == 1:
        return play_greedy(policy, s, r, buffer, j)
    if policy >= 2:
        return play_informed(policy, s, r, buffer, j)
    return play_random(policy, s, r, buffer, j)
