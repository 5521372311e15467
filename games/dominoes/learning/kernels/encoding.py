"""Dominoes written as numbers (a template over the rules, R; `games.encodings` lists the kernels).

s: int32[SIZE], a state; seat: who looks; out: the array written to; n: where in it; whole numbers are int64.
"""

from numpy import int64

from games.dominoes import learning, tiles
from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

NUM_TILES, NUM_NUMBERS, ENDS, COURSE = tiles.NUM_TILES, tiles.NUM_NUMBERS, learning.ENDS, learning.COURSE


@kernel
def write_set(members, size, out, n):
    """A set of tiles or numbers as `size` bits; return where the next block begins."""
    for i in range(size):
        out[n + i] = (members >> i) & 1
    return n + size


@kernel
def write_turns(s, seat, out, n):
    """Who has laid which tile in this round, where zeros stand."""
    for turn in range(s[NUM_TURNS]):
        word = int64(s[LOG + turn])
        action, other = word & 63, (word >> LOG_SEAT) & 3
        if action < PASS:
            out[n + ((other - seat) & 3) * NUM_TILES + (action >> 1)] = 1


@kernel
def observe(s, seat, chosen, out):
    """The whole observation of a seat."""
    out[:] = 0
    n = write_set(int64(s[HAND + seat]), NUM_TILES, out, int64(0))
    for end in (LEFT, RIGHT):
        out[n + (s[end] if s[end] >= 0 else NUM_NUMBERS)] = 1
        n += ENDS
    if s[MUST_OPEN]:
        out[n + s[MUST_OPEN] - 1] = 1
    n += NUM_TILES
    for word in COURSE:
        out[n] = s[word]
        n += 1
    if s[PLAYER] >= 0:
        out[n + ((s[PLAYER] - seat) & 3)] = 1
    out[n + MAX_SEATS + ((s[OPENER] - seat) & 3)] = 1
    n += 2 * MAX_SEATS
    out[n], out[n + 1] = s[CREDIT + (seat & 1)], s[CREDIT + 1 - (seat & 1)]
    n += 2
    write_turns(s, seat, out, n)
    n += MAX_SEATS * NUM_TILES
    for i in range(MAX_SEATS):
        n = write_set(int64(s[LACKS + ((seat + i) & 3)]), NUM_NUMBERS, out, n)
    for i in range(MAX_SEATS):
        other = (seat + i) & 3
        out[n + i] = s[COUNT + other]
        out[n + MAX_SEATS + 2 * i] = s[PASSED_AT + other]
        out[n + MAX_SEATS + 2 * i + 1] = s[CALLED_AT + other]
    n += 3 * MAX_SEATS
    out[n + seat] = 1


@kernel
def standing(s, seat):
    """Points in favour of the team; a single round is won by its winning team, whatever the points."""
    if s[LENGTH]:
        return int64(s[WINNER] == (seat & 1) + 1)
    return int64(s[CREDIT + (seat & 1)])
