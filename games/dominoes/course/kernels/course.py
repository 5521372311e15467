"""Luck and notation of a match of dominoes (a template; R: its rules; `games.courses` says what is asked)."""

import numpy as np
from numpy import int64, uint64

from games.courses import PROGRAM
from games.dominoes import tiles
from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

NUM_TILES, HAND_SIZE = tiles.NUM_TILES, tiles.HAND_SIZE
SEED, ORDER = 0, 1
"""Places in the memory: the seed of all deals, and the tiles in the order of the present one."""
LUCK = ORDER + NUM_TILES
NOTES = 0
WORK = R.worlds.WORK
DEALS = uint64(1)
"""As `games.rng.DEAL`."""


@inlined_kernel
def mixed(h, value):
    """`games.rng.mix` of one more number."""
    return rng.finalise((h ^ uint64(value)) + rng._GOLDEN)


@kernel
def renew(luck, r, a, b):
    """Let r be the stream of (seed, DEAL, a, b, 0)."""
    h = mixed(mixed(uint64(0), luck[SEED]), DEALS)
    rng.seed(r, mixed(mixed(mixed(h, a), b), int64(0)))


@kernel
def deal(s, luck, r):
    """The seed of all deals, as `HandsDeal` draws it."""
    luck[SEED] = int64(rng.next_u64(r))


@kernel
def draw(s, luck, r):
    """The seat that opens, or the tiles that the next seat is dealt."""
    if s[TO_DRAW]:
        renew(luck, r, int64(0), int64(0))
        return rng.below(r, int64(MAX_SEATS))
    dealt = int64(s[NUM_DEALT])
    if dealt == 0:
        renew(luck, r, int64(s[ROUND]) + int64(s[REDEALS] == 0), int64(s[REDEALS]))
        for tile in range(NUM_TILES):
            luck[ORDER + tile] = tile
        for i in range(NUM_TILES - 1, 0, -1):
            k = rng.below(r, int64(i + 1))
            luck[ORDER + i], luck[ORDER + k] = luck[ORDER + k], luck[ORDER + i]
    hand = int64(0)
    for i in range(HAND_SIZE * dealt, HAND_SIZE * (dealt + 1)):
        hand |= int64(1) << luck[ORDER + i]
    return hand


@kernel
def spelling(s, action):
    """The action, and whether a tile could go to one place only."""
    return 2 * action + int64(s[LEFT] == s[RIGHT])


@kernel
def note(s, points, out):
    """Nothing."""


@kernel
def choose(policy, program, s, r, buffer, j, work):
    """The action of a policy, or the one that appeals most: a program is the weights of `playout_policy`."""
    if policy != PROGRAM:
        return int64(R.policies.choose(policy, s, r, buffer, j))
    n, weights = int64(R.legal_actions(s, buffer)), program.view(np.float64)
    return R.playout_policy.most_appealing(s, work, weights, int64(s[PLAYER]), buffer, n)
