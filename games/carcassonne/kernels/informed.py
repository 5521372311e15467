"""The informed policies: the best of some random placements, judged without laying the tile.

A template over the rules R, a part of `policies.py`. Everything is counted in points for the
seat on turn; `left`: share of the tiles still to be drawn, 1 at the start. Weights were found
by matches against the other policies (`tests/bench`).
"""

import numpy as np
from numpy import int64

CANDIDATES = int64(8)
"""Placements that the informed policy looks at in a ply; more make it stronger and slower."""
CLOSES = np.array([1.0, 0.55, 0.35, 0.18, 0.07, 0.0, 0.0, 0.0, 0.0])
"""Chance that a city or road with so many open ends is finished with many tiles left."""
MEEPLE = np.array([0.0, 30.0, 7.0, 5.5, 4.0, 3.5, 2.7, 2.7])
"""Points that the last, the last but one, ... meeple in hand is worth at the start of a match."""
RETURNED = 2.0
"""Points that a meeple come home is worth at the start."""
FIELD_COST = 1.5
"""A meeple on a field never comes home: times what others cost."""
NEIGHBOUR = 0.6
"""Points of each missing neighbour of a monastery that is to be claimed, at the start."""


@inlined_kernel
def signed(points, meeples, seat):
    """Points for the seat: gained with the majority, lost with another's, nothing when shared."""
    own = (meeples >> (4 * seat)) & 15
    rest = meeples ^ (own << (4 * seat))
    if rest == 0:
        return points
    others = R.features.majority(rest)
    if own > others:
        return points
    return -points if own < others else 0.0


@inlined_kernel
def worth(kind, size, ends, left):
    """Points to be expected of a city or road. size: tiles and pennants, ends: open edges."""
    if kind == R.ROAD:
        return float(size)
    if ends == 0:
        return 2.0 * size
    return size * (1.0 + CLOSES[min(ends, 8)] * min(1.0, 1.1 * left))


@kernel
def homecoming(meeples, seat, left):
    """Worth of all meeples of a feature coming home."""
    own = (meeples >> (4 * seat)) & 15
    others = int64(0)
    rest = meeples ^ (own << (4 * seat))
    while rest:
        others += rest & 15
        rest >>= 4
    return RETURNED * left * (own - others)


@kernel
def finished_city(s, mask, mask_high, seat):
    """Points that claimed fields beside a city with these bits gain when it is finished."""
    gain, farmers = 0.0, int64(0)
    for i in range(s[R.NUM_STANDING]):
        n, kind = R.features.standing(s, i)
        if kind == R.FIELD and (s[n + R.MASK] & mask) | (s[n + R.MASK_HIGH] & mask_high):
            gain += signed(3.0, int64(s[n + R.MEEPLES]), seat)
            farmers += int64(s[n + R.MEEPLES])
    return signed(4.0, farmers, seat) if s[R.FARMERS] == R.FARMERS_BY_CITY and farmers else gain


@inlined_kernel
def judge_segment(s, cell, row, k, kind, seat, left, cost):
    """Changes by laying a city or road segment, and gain by claiming it (below 0: do not).

    row: SLOTS * (4 * type + rotation) of the tile; cost: of a meeple that does not come home.
    """
    slot = R.SLOTS * (row // (4 * R.SLOTS)) + k
    ports, ends = int64(R.PORTS[row + k]), int64(R.OPEN_ENDS[slot])
    size = 1 + int64(R.PENNANT[slot])
    meeples = mask = mask_high = int64(0)
    before = 0.0
    first = second = third = int64(-1)
    while ports:
        n = R.touched_root(s, cell, kind, bits.lowest_bit(ports))
        ports &= ports - 1
        if n < 0:
            continue
        ends -= 2
        if n in (first, second, third):
            continue
        first, second, third = n, first, second
        points, held = int64(s[n + R.SIZE_] + s[n + R.PENNANTS]), int64(s[n + R.MEEPLES])
        size, ends = size + points, ends + s[n + R.OPEN]
        mask, mask_high = mask | s[n + R.MASK], mask_high | s[n + R.MASK_HIGH]
        if held:
            meeples += held
            before += signed(worth(kind, points, int64(s[n + R.OPEN]), left), held, seat)
    after = worth(kind, size, ends, left)
    change = -before
    if ends == 0 and kind == R.CITY:
        change += finished_city(s, mask, mask_high, seat)
    if meeples == 0:
        return change, after - cost * (1.0 - CLOSES[min(ends, 8)])
    change += signed(after, meeples, seat)
    if ends == 0:
        change += homecoming(meeples, seat, left)
    return change, -1.0


@kernel
def monastery_points(s, cell, left):
    """Points to be expected of a monastery on an empty cell."""
    around = int64(0)
    for step in R.AROUND:
        around += s[R.CELLS + (cell + step) % R.RING] & 255 > 0
    return 1.0 + around + NEIGHBOUR * left * (8 - around)


@kernel
def beside_monasteries(s, cell, seat, left):
    """Change by a tile on the cell for claimed monasteries beside it."""
    change = 0.0
    for i in range(s[R.NUM_MONASTERIES]):
        n = int64(s[R.MONASTERIES + i])
        record = R.TILES + R.TILE_WORDS * ((n - R.NODES) // R.TILE_WORDS)
        away = abs(cell - s[record + R.CELL])
        away = min(away, R.RING - away)
        if away == 1 or (away >= R.ROW - 1 and away <= R.ROW + 1):
            change += signed(1.0, int64(s[n + R.MEEPLES]), seat)
            if s[n + R.SIZE_] == 8:
                change += homecoming(int64(s[n + R.MEEPLES]), seat, left)
    return change


@kernel
def field_points(s, cell, ports):
    """Points that the field across the ports (half-edges) has now; -1 where it is claimed."""
    low = high = int64(0)
    while ports:
        n = R.touched_root(s, cell, R.FIELD, bits.lowest_bit(ports))
        ports &= ports - 1
        if n >= 0:
            if s[n + R.MEEPLES]:
                return -1.0
            low, high = low | s[n + R.MASK], high | s[n + R.MASK_HIGH]
    low, high = low & s[R.FINISHED], high & s[R.FINISHED + 1]
    return 3.0 * (bits.popcount(int64(low)) + bits.popcount(int64(high)))


@inlined_kernel
def judge(s, t, cell, rotation, most_field):
    """Value of laying the tile here with the best claim, and that claim (segment + 1, 0 none).

    most_field: points of a field beside all finished cities.
    """
    seat, left = int64(s[R.PLAYER]), s[R.NUM_LEFT] / R.NUM_TILES
    hand = int64(s[R.HAND + seat])
    cost = MEEPLE[hand] * left
    row = R.SLOTS * (4 * t + rotation)
    value, best, claimed = beside_monasteries(s, cell, seat, left), 0.0, int64(0)
    for k in range(R.NUM_SEGMENTS[t]):
        kind = int64(R.KIND[R.SLOTS * t + k])
        claim = -1.0
        if kind <= R.ROAD:
            change, claim = judge_segment(s, cell, row, k, kind, seat, left, cost)
            value += change
        elif hand and kind == R.MONASTERY:
            claim = monastery_points(s, cell, left) - cost
        elif hand and most_field - FIELD_COST * cost > best:
            claim = field_points(s, cell, int64(R.PORTS[row + k])) - FIELD_COST * cost
        if hand and claim > best:
            alone = kind == R.MONASTERY or (kind <= R.ROAD and R.IS_MULTI[R.SLOTS * t + k] == 0)
            if alone or R.is_free(s, t, cell, rotation, k):
                best, claimed = claim, k + 1
    return value + best, claimed


@kernel
def best_action(s, r, buffer, candidates):
    """The best action of up to so many placements drawn at random. buffer: as for `choose`."""
    t = int64(s[R.TILE]) - 1
    n = int64(0)
    for i in range(s[R.NUM_FRONTIER]):
        cell = int64(s[R.FRONTIER + i])
        fit = int64(R.FIT[256 * t + R.pattern(s, cell)])
        while fit:
            buffer[n] = cell * R.ACTION_CELL + bits.lowest_bit(fit) * R.ACTION_ROTATION
            fit &= fit - 1
            n += 1
    most_field = 3.0 * (bits.popcount(int64(s[R.FINISHED])) + bits.popcount(int64(s[R.FINISHED + 1])))
    chosen, best = int64(-1), 0.0
    for i in range(min(n, candidates)):
        k = i + rng.below(r, n - i)
        action = int64(buffer[k])
        buffer[k] = buffer[i]
        cell, rotation = action // R.ACTION_CELL, action % R.ACTION_CELL // R.ACTION_ROTATION
        value, claimed = judge(s, t, cell, rotation, most_field)
        if chosen < 0 or value > best:
            chosen, best = action + claimed, value
    return chosen
