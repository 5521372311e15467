"""Playing policies of dominoes: state to action (a template of `games.loader`, rules in R)."""

from numpy import int64

measure = part("measures").measure

NAMES = ("random", "greedy")
NEEDS_JOURNAL = ()


@inlined_kernel
def nth(tiles, n):
    """The n-th lowest tile of a set."""
    for _ in range(n):
        tiles &= tiles - 1
    return int64(bits.lowest_bit(tiles))


@inlined_kernel
def random_action(s, r, buffer):
    """Uniform over the legal actions; a list is made only where there is more than tiles and a forced pass."""
    if s[R.ENFORCE_PASS] == 0 or s[R.MAY_HAND_OVER]:
        return int64(buffer[rng.below(r, R.legal_actions(s, buffer))])
    fit = R.fitting(s, s[R.PLAYER])
    if fit == 0:
        return int64(R.PASS)
    both, tiles = R.fits_both(s, fit), int64(bits.popcount(fit))
    k = rng.below(r, tiles + int64(both >= 0))
    if k == tiles:
        return 2 * both + R.RIGHT_SIDE
    tile = nth(fit, k)
    return 2 * tile + R.side_of(s, tile)


@kernel
def greedy_action(s):
    """The tile with the most pips among those that fit; ties: first in tile order, left end first."""
    fit = R.fitting(s, s[R.PLAYER])
    chosen, most = int64(-1), int64(-1)
    while fit:
        tile = int64(bits.lowest_bit(fit))
        if R.PIPS[tile] > most:
            chosen, most = tile, R.PIPS[tile]
        fit &= fit - 1
    return int64(R.PASS) if chosen < 0 else 2 * chosen + R.side_of(s, chosen)


@kernel
def choose(policy, s, r, buffer, j):
    """Action of the policy with index `policy` in NAMES for the seat on turn. buffer: int32[MAX_ACTIONS]."""
    if policy == 1:
        return greedy_action(s)
    return random_action(s, r, buffer)
