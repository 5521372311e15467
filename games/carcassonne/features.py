"""Features of Carcassonne: joining, finishing and scoring them (a part of `kernels.py`).

A feature is a tree of nodes, one node a segment; its words are valid at the root. Arguments
as in `kernels.py`; n, a, b: offsets of nodes in the state.
"""

from numpy import int64

from games.carcassonne import tiles
from games.carcassonne.state import *  # noqa: F403 - the layout's names are this file's vocabulary

T = tiles.load()
CITY, FIELD = int64(tiles.CITY), int64(tiles.FIELD)
KIND, OPEN_ENDS, PENNANT, IS_MULTI, ADJACENT = T.kind, T.open_ends, T.pennants, T.multi, T.adjacent


@kernel
def root(s, n):
    """Root offset of the feature that node offset `n` belongs to."""
    while s[n + PARENT] != n:
        n = int64(s[n + PARENT])
    return n


@kernel
def node(tile, segment):
    """Offset of a segment's node words."""
    return NODES + NODE_WORDS * (SLOTS * tile + segment)


@kernel
def new_node(s, n, t, segment, city_bit, multi_bit, j):
    """A feature of one segment of a tile just laid."""
    kind = int64(KIND[SLOTS * t + segment])
    journal.write(s, n + PARENT, n, j)
    journal.write(s, n + SIZE_, 1, j)
    journal.write(s, n + OPEN, OPEN_ENDS[SLOTS * t + segment], j)
    if kind == CITY:
        if PENNANT[SLOTS * t + segment]:
            journal.write(s, n + PENNANTS, 1, j)
        own = city_bit + segment  # cities are a type's first segments
        journal.write(s, n + MASK + own // MASK_BITS, 1 << (own % MASK_BITS), j)
    elif kind == FIELD:
        touched = int64(ADJACENT[SLOTS * t + segment])
        for k in range(SLOTS):
            if touched & (1 << k):
                own = city_bit + k
                word = n + MASK + own // MASK_BITS
                journal.write(s, word, s[word] | (1 << (own % MASK_BITS)), j)
    if IS_MULTI[SLOTS * t + segment]:
        journal.write(s, n + MULTI, multi_bit, j)


@kernel
def standing(s, i):
    """Root and kind of entry `i` of the features that hold a meeple."""
    entry = int64(s[STANDING + i])
    return entry >> 2, entry & 3


@kernel
def standing_position(s, n):
    """Entry of the feature with root `n` among those that hold a meeple."""
    i = int64(0)
    while s[STANDING + i] >> 2 != n:
        i += 1
    return i


@kernel
def drop_standing(s, position, j):
    """Take an entry out of the features that hold a meeple; the last one takes its place."""
    last = s[NUM_STANDING] - 1
    journal.write(s, STANDING + position, s[STANDING + last], j)
    journal.write(s, STANDING + last, 0, j)
    journal.write(s, NUM_STANDING, last, j)


@kernel
def claim(s, n, kind, j):
    """The seat on turn puts a meeple on the feature with root `n`, which holds none."""
    player = s[PLAYER]
    journal.write(s, n + MEEPLES, 1 << (4 * player), j)
    journal.write(s, STANDING + s[NUM_STANDING], (n << 2) | kind, j)
    journal.write(s, NUM_STANDING, s[NUM_STANDING] + 1, j)
    journal.write(s, HAND + player, s[HAND + player] - 1, j)
    cell = PLACED + kind * MAX_SEATS + player
    journal.write(s, cell, s[cell] + 1, j)


@kernel
def join(s, a, b, closed, j):
    """Join the features of nodes a and b across an edge that closes `closed` open ends."""
    a, b = root(s, a), root(s, b)
    if a == b:
        if closed:
            journal.write(s, a + OPEN, s[a + OPEN] - closed, j)
        return
    if s[a + SIZE_] < s[b + SIZE_]:
        a, b = b, a
    journal.write(s, b + PARENT, a, j)
    # an older tile may lie in both with different segments: count it once
    twice = bits.popcount(s[a + MULTI] & s[b + MULTI])
    journal.write(s, a + SIZE_, s[a + SIZE_] + s[b + SIZE_] - twice, j)
    if closed:
        journal.write(s, a + OPEN, s[a + OPEN] + s[b + OPEN] - closed, j)
    if s[b + PENNANTS]:
        journal.write(s, a + PENNANTS, s[a + PENNANTS] + s[b + PENNANTS], j)
    for word in (MULTI, MASK, MASK_HIGH):
        if s[b + word]:
            journal.write(s, a + word, s[a + word] | s[b + word], j)
    if s[b + MEEPLES]:
        position = standing_position(s, b)
        if s[a + MEEPLES]:
            drop_standing(s, position, j)
        else:
            journal.write(s, STANDING + position, (a << 2) | (s[STANDING + position] & 3), j)
        journal.write(s, a + MEEPLES, s[a + MEEPLES] + s[b + MEEPLES], j)


@kernel
def finished_value(s, n, kind):
    """Points of a finished city, road or monastery with root `n`."""
    if kind == CITY:
        value = int64(s[n + SIZE_] + s[n + PENNANTS])
        return value if s[HALVES] and s[n + SIZE_] == 2 else 2 * value
    return int64(s[n + SIZE_])


@kernel
def open_value(s, n, kind):
    """Points of a feature with root `n` when the match ends (fields: 3 a finished city)."""
    if kind != FIELD:
        return int64(s[n + SIZE_] + s[n + PENNANTS])
    value = int64(0)
    for i in range(s[NUM_CITIES]):
        city = s[CITIES + i]
        if (s[city + MASK] & s[n + MASK]) | (s[city + MASK_HIGH] & s[n + MASK_HIGH]):
            value += 3
    return value


@kernel
def majority(meeples):
    """Most meeples any seat has in a packed count."""
    most = int64(0)
    while meeples:
        most = max(most, meeples & 15)
        meeples >>= 4
    return most


@kernel
def award(s, meeples, kind, points, totals, j):
    """Give `points` to every seat with the majority; book them under offset `totals`."""
    most = majority(meeples)
    present = winners = 0
    for seat in range(s[NUM_SEATS]):
        count = (meeples >> (4 * seat)) & 15
        present += count > 0
        winners += count == most
    if points == 0:
        return
    for seat in range(s[NUM_SEATS]):
        count = (meeples >> (4 * seat)) & 15
        cell = kind * MAX_SEATS + seat
        if count == most:
            journal.write(s, SCORE + seat, s[SCORE + seat] + points, j)
            journal.write(s, totals + cell, s[totals + cell] + points, j)
            journal.write(s, FEATURES + cell, s[FEATURES + cell] + 1, j)
            if winners > 1:
                journal.write(s, SHARED + seat, s[SHARED + seat] + 1, j)
            elif present > 1:
                journal.write(s, TAKEN_OVER + seat, s[TAKEN_OVER + seat] + 1, j)
        elif count:
            journal.write(s, LOST + seat, s[LOST + seat] + 1, j)


@kernel
def finish_feature(s, n, kind, j):
    """Score the finished feature with root `n` and send its meeples home."""
    if kind == CITY:
        journal.write(s, CITIES + s[NUM_CITIES], n, j)
        journal.write(s, NUM_CITIES, s[NUM_CITIES] + 1, j)
    meeples = int64(s[n + MEEPLES])
    if meeples == 0:
        return
    points = finished_value(s, n, kind)
    award(s, meeples, kind, points, int64(POINTS_FINISHED), j)
    for seat in range(s[NUM_SEATS]):
        count = (meeples >> (4 * seat)) & 15
        if count:
            journal.write(s, HAND + seat, s[HAND + seat] + count, j)
            cell = RETURNED + kind * MAX_SEATS + seat
            journal.write(s, cell, s[cell] + count, j)
    journal.write(s, n + MEEPLES, 0, j)
    drop_standing(s, standing_position(s, n), j)
    event = EVENTS + EVENT * s[NUM_EVENTS]
    journal.write(s, event, n, j)
    journal.write(s, event + 1, kind, j)
    journal.write(s, event + 2, points, j)
    journal.write(s, event + 3, meeples, j)
    journal.write(s, NUM_EVENTS, s[NUM_EVENTS] + 1, j)
