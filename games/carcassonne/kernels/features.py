"""Features of Carcassonne: joining, finishing and scoring them (a part of `rules.py`).

A feature is a tree of nodes, one node a segment; its words are valid at the root. Arguments
as in `rules.py`; n, a, b: offsets of nodes in the state. Header words and the words of a new
tile are assigned directly: the caller has noted them in the journal (`kernels.act`, `lay`).
"""

from numpy import int64

from games.carcassonne import tiles
from games.carcassonne.state import *  # noqa: F403 - the layout's names are this file's vocabulary

T = tiles.load()
CITY, MONASTERY, FIELD = int64(tiles.CITY), int64(tiles.MONASTERY), int64(tiles.FIELD)
FIELD_POINTS, CITY_SUPPLY = int64(3), int64(4)
"""Points of a field for each finished city, of a finished city for most farmers round it (first edition)."""
KIND, NUM_SEGMENTS, NUM_CITIES = T.kind, T.num_segments, T.num_cities
OPEN_ENDS, PENNANT, IS_MULTI, CITY_BITS_OF = T.open_ends, T.pennants, T.multi, T.city_bits


@inlined_kernel
def root(s, n):
    """Root offset of the feature that node offset `n` belongs to."""
    while s[n + PARENT] != n:
        n = int64(s[n + PARENT])
    return n


@inlined_kernel
def node(tile, segment):
    """Offset of a segment's node words."""
    return NODES + TILE_WORDS * tile + NODE_WORDS * segment


@inlined_kernel
def new_node(s, n, row, city_bit, multi_bit):
    """A feature of one segment of a tile just laid. row: SLOTS * type + segment."""
    s[n + PARENT] = n
    s[n + SIZE_] = 1
    s[n + OPEN] = OPEN_ENDS[row]
    s[n + PENNANTS] = PENNANT[row]
    s[n + MULTI] = int64(IS_MULTI[row]) << multi_bit
    mask = int64(CITY_BITS_OF[row]) << city_bit
    s[n + MASK] = mask & ((1 << MASK_BITS) - 1)
    s[n + MASK_HIGH] = mask >> MASK_BITS


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
    s[NUM_STANDING] = last


@kernel
def claim(s, n, kind, j):
    """The seat on turn puts a meeple on the feature with root `n`, which holds none."""
    player = s[PLAYER]
    journal.write(s, n + MEEPLES, 1 << (4 * player), j)
    journal.write(s, STANDING + s[NUM_STANDING], (n << 2) | kind, j)
    s[NUM_STANDING] += 1
    journal.write(s, HAND + player, s[HAND + player] - 1, j)
    cell = PLACED + kind * MAX_SEATS + player
    journal.write(s, cell, s[cell] + 1, j)


@inlined_kernel
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
    twice = bits.popcount(int64(s[a + MULTI] & s[b + MULTI]))
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
    """Points of a feature with root `n` when the match ends (fields: 3 a finished city, none where cities count)."""
    if kind != FIELD:
        return int64(s[n + SIZE_] + s[n + PENNANTS])
    return int64(0) if s[FARMERS] == FARMERS_BY_CITY else FIELD_POINTS * num_cities(s, n)


@kernel
def num_cities(s, n):
    """Finished cities that the field with root `n` touches."""
    low, high = int64(s[n + MASK] & s[FINISHED]), int64(s[n + MASK_HIGH] & s[FINISHED + 1])
    return bits.popcount(low) + bits.popcount(high)


@kernel
def finished_cities(s):
    """One bit of each finished city."""
    return int64(s[FINISHED]) | int64(s[FINISHED + 1]) << MASK_BITS


@kernel
def farmers_round(s, bit):
    """Meeples, packed, on all fields that touch the finished city with this bit (`finished_cities`)."""
    word, flag = bit // MASK_BITS, int64(1) << (bit % MASK_BITS)
    meeples = int64(0)
    for i in range(s[NUM_STANDING]):
        n, kind = standing(s, i)
        if kind == FIELD and s[n + MASK + word] & flag:
            meeples += int64(s[n + MEEPLES])
    return meeples


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
def finish_city(s, n, j):
    """Note one bit of the finished city with root `n`, and in every field that touches it.

    No tile can join the city any more, so no field segment can come to touch it later.
    """
    mask = int64(s[n + MASK]) | int64(s[n + MASK_HIGH]) << MASK_BITS
    bit = bits.lowest_bit(mask)
    word, flag = bit // MASK_BITS, int64(1) << (bit % MASK_BITS)
    s[FINISHED + word] |= flag
    for tile in range(s[NUM_LAID]):
        record = TILES + TILE_WORDS * tile
        t = int64(s[record + TYPE])
        here = (mask >> s[record + FIRST_BIT]) & ((1 << NUM_CITIES[t]) - 1)
        if here:
            for k in range(NUM_CITIES[t], NUM_SEGMENTS[t]):
                if KIND[SLOTS * t + k] == FIELD and CITY_BITS_OF[SLOTS * t + k] & here:
                    field = root(s, node(tile, k))
                    journal.write(s, field + MASK + word, s[field + MASK + word] | flag, j)


@kernel
def finish_feature(s, n, kind, j):
    """Score the finished feature with root `n` and send its meeples home."""
    if kind == CITY:
        finish_city(s, n, j)
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
    s[NUM_EVENTS] += 1


@kernel
def add_open(s, out):
    """Add to out int64[seats] what standing meeples would bring if the match ended now."""
    for i in range(s[NUM_STANDING]):
        n, kind = standing(s, i)
        share(s, int64(s[n + MEEPLES]), open_value(s, n, kind), out)
    if s[FARMERS] == FARMERS_BY_CITY:
        cities = finished_cities(s)
        while cities:
            share(s, farmers_round(s, bits.lowest_bit(cities)), CITY_SUPPLY, out)
            cities &= cities - 1


@kernel
def share(s, meeples, points, out):
    """Add points to every seat with the majority in a packed count; to none where that is empty."""
    most = majority(meeples)
    if most:
        for seat in range(s[NUM_SEATS]):
            if (meeples >> (4 * seat)) & 15 == most:
                out[seat] += points
