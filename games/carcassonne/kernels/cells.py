"""Placements on a cell for `greedy.py`: the cities, roads and monasteries that they join, reckoned on paper.

A template over the rules R. Points of all seats are one number, POINT_BITS a seat, so that they are added at once. A
set of cities is one number, a bit a city, as `features.finished_cities`.

b: the buffer of `choose`. It holds what lies across the edges and half-edges of the cell looked at, a row for
each segment of the tile, the cities that the tile finishes, the claimed monasteries and, behind these, what `farms.py`
lists.
"""

import numpy as np
from numpy import int64

POINT_BITS, MASK_BITS = int64(12), int64(R.MASK_BITS)
LOW = (int64(1) << MASK_BITS) - 1

EDGES, HALVES, ROOTS = int64(0), int64(16), int64(8)
"""Of each port the number of the root across, from 1 on (0: none); behind them the roots that differ."""
NUM_FIELDS, FARMED, FINISHED, LOOKED = int64(32), int64(33), int64(34), int64(35)
"""Of the fields beside a cell: how many differ, which hold a meeple, their finished cities in all; and that cell."""
BESIDE = int64(36)
"""Edges of the cell, as bits, across which a tile lies."""
SEGMENTS, SEGMENT = int64(37), int64(2)
TOUCHED, GAIN = 0, 1
"""In a row: roots that a segment touches, as bits; of a city or road points that a claim brings, -1: it is taken."""
ENDED = SEGMENTS + SEGMENT * R.SLOTS
"""Cities that the tile finishes, two words each."""
CLAIMED = ENDED + 2 * R.SLOTS
"""Of each claimed monastery its cell, and the seat of its meeple."""
BEHIND = CLAIMED + 2 * R.MAX_MONASTERIES
FIELD_EDGE = 3
"""Code of an edge with one field in both halves, in patterns and tables."""


def _segments_of_kind():
    """[4 * type + kind] -> the segments of the kind, as bits."""
    table = np.zeros(4 * R.NUM_TYPES, np.int64)
    for t in range(R.NUM_TYPES):
        for k in range(R.NUM_SEGMENTS[t]):
            table[4 * t + R.KIND[R.SLOTS * t + k]] |= 1 << k
    return table


def _edges_of(matches):
    """[pattern] -> the edges, as bits, whose code matches."""
    return np.array([sum(1 << edge for edge in range(4) if matches(p >> 2 * edge & 3)) for p in range(256)])


OF_KIND = _segments_of_kind()
SEVERAL = np.array([sum(1 << k for k in range(R.SLOTS) if R.IS_MULTI[R.SLOTS * t + k]) for t in range(R.NUM_TYPES)])
"""[type] -> the segments, as bits, that are cities or roads of a tile with several of them."""
WITH_TILE, WITH_SEGMENT = _edges_of(lambda code: code > 0), _edges_of(lambda code: code in (1, 2))
"""[pattern] -> the edges, as bits, across which a tile lies, and those of which a city or road lies there."""


# ---------------------------------------------------------------- points and cities
@inlined_kernel
def share(meeples, points):
    """Points, packed, to every seat with the majority in a packed count."""
    if meeples == 0:
        return int64(0)
    seat = bits.lowest_bit(meeples) >> 2
    if meeples >> (4 * seat) < 16:  # one seat alone
        return points << (POINT_BITS * seat)
    most, shared = R.features.majority(meeples), int64(0)
    while meeples:
        if meeples & 15 == most:
            shared += points
        points <<= POINT_BITS
        meeples >>= 4
    return shared


@inlined_kernel
def cities_at(words, at):
    """A set of cities from its two words."""
    return int64(words[at]) | int64(words[at + 1]) << MASK_BITS


@inlined_kernel
def put_cities(b, at, cities):
    """Write a set of cities."""
    b[at] = cities & LOW
    b[at + 1] = cities >> MASK_BITS


# ---------------------------------------------------------------- across the ports of a cell
@inlined_kernel
def note_port(b, at, port, n, roots):
    """Note the root across a port; return how many differ, which were so many before."""
    number = int64(0)
    while number < roots and b[at + ROOTS + number] != n:
        number += 1
    b[at + ROOTS + number] = n
    b[at + port] = number + 1
    return roots + (number == roots)


@inlined_kernel
def neighbour(s, cell, edge):
    """The tile across an edge, where one lies, and the row of its type and rotation in tables."""
    tile = int64(s[R.CELLS + R.step(cell, edge)] & 255) - 1
    record = R.TILES + R.TILE_WORDS * tile
    return tile, 4 * int64(s[record + R.TYPE]) + s[record + R.ROTATION]


@inlined_kernel
def look_across_edges(s, cell, b):
    """Note the tiles, and the cities and roads, beside an empty cell."""
    pattern, roots = R.pattern(s, cell), int64(0)
    b[BESIDE] = WITH_TILE[pattern]
    for edge in range(4):
        b[EDGES + edge] = 0
    edges = WITH_SEGMENT[pattern]
    while edges:
        edge = int64(bits.lowest_bit(edges))
        edges &= edges - 1
        tile, theirs = neighbour(s, cell, edge)
        n = R.root(s, R.node(tile, int64(R.EDGE_SEGMENT[4 * theirs + (edge ^ 2)])))
        roots = note_port(b, EDGES, edge, n, roots)


@inlined_kernel
def touch(b, at, num_ports, k, ports):
    """Write to a segment's row which roots it touches, and return it."""
    numbers = int64(0)
    for port in range(num_ports):  # no branch, of which none could be foretold
        numbers |= ((ports >> port) & 1) << b[at + port]
    b[SEGMENTS + SEGMENT * k + TOUCHED] = numbers >> 1
    return numbers >> 1


@inlined_kernel
def joined(b, t, k):
    """Segments of the tile, as bits, that become one feature with segment k, and the roots that they touch."""
    members, touched = int64(1) << k, int64(b[SEGMENTS + SEGMENT * k + TOUCHED])
    apart = OF_KIND[4 * t + R.KIND[R.SLOTS * t + k]] ^ members
    grew = touched != 0
    while grew:
        grew, rest = False, apart
        while rest:
            others = int64(b[SEGMENTS + SEGMENT * bits.lowest_bit(rest) + TOUCHED])
            if others & touched:
                members |= rest & -rest
                apart ^= rest & -rest
                touched |= others
                grew = True
            rest &= rest - 1
    return members, touched


# ---------------------------------------------------------------- cities and roads
@inlined_kernel
def joined_points(s, b, t, row, kind, members):
    """Of the city or road that segments of the tile become: points, open ends, meeples, and the points, packed, that
    its parts have had.
    """
    size = pennants = ends = ports = multi = twice = int64(0)
    while members:
        k = int64(bits.lowest_bit(members))
        members &= members - 1
        slot = R.SLOTS * t + k
        size, pennants, ends = size + 1, pennants + R.PENNANT[slot], ends + R.OPEN_ENDS[slot]
        ports |= R.PORTS[row + k]
        twice += R.IS_MULTI[slot]
        multi |= int64(R.IS_MULTI[slot]) << s[R.MULTI_BITS + (kind == R.ROAD)]
    meeples = before = seen = int64(0)
    ports &= b[BESIDE]
    while ports:
        number = int64(b[EDGES + bits.lowest_bit(ports)])
        ports &= ports - 1
        ends -= 2
        if (seen >> number) & 1 == 0:
            seen |= int64(1) << number
            n = int64(b[EDGES + ROOTS - 1 + number])
            size, pennants, ends = size + s[n + R.SIZE_], pennants + s[n + R.PENNANTS], ends + s[n + R.OPEN]
            twice += bits.popcount(int64(s[n + R.MULTI]))
            multi |= s[n + R.MULTI]
            if s[n + R.MEEPLES]:
                meeples += s[n + R.MEEPLES]
                before += share(int64(s[n + R.MEEPLES]), int64(s[n + R.SIZE_] + s[n + R.PENNANTS]))
    size -= twice - bits.popcount(multi)  # a tile may lie in it with several segments: it counts once
    points = size + pennants
    if ends == 0 and kind == R.CITY and not (s[R.HALVES] and size == 2):
        points *= 2
    return points, ends, meeples, before


@kernel
def joined_city(s, b, t, row, members):
    """The bits of the city that segments of the tile become."""
    cities = int64(0)
    while members:
        k = int64(bits.lowest_bit(members))
        members &= members - 1
        cities |= int64(R.features.CITY_BITS_OF[R.SLOTS * t + k]) << s[R.CITY_BITS]
        ports = int64(R.PORTS[row + k]) & b[BESIDE]
        while ports:
            number = int64(b[EDGES + bits.lowest_bit(ports)])
            ports &= ports - 1
            cities |= cities_at(s, int64(b[EDGES + ROOTS - 1 + number]) + R.MASK)
    return cities


@inlined_kernel
def touch_several(b, t, row):
    """Write to the rows of cities and roads of a tile with several what they touch; return what two of them touch."""
    seen = shared = int64(0)
    rest = SEVERAL[t]
    while rest:
        k = int64(bits.lowest_bit(rest))
        rest &= rest - 1
        touched = touch(b, EDGES, 4, k, int64(R.PORTS[row + k]))
        shared |= seen & touched
        seen |= touched
    return shared


@inlined_kernel
def join_edges(s, b, t, row):
    """Change of points, packed, by the cities and roads that a placement joins, and how many cities it finishes."""
    change = ended = int64(0)
    left, shared = OF_KIND[4 * t + R.CITY] | OF_KIND[4 * t + R.ROAD], touch_several(b, t, row)
    while left:
        k, members = int64(bits.lowest_bit(left)), left & -left
        kind = int64(R.KIND[R.SLOTS * t + k])
        if shared and R.IS_MULTI[R.SLOTS * t + k]:
            members, _ = joined(b, t, k)
        left &= ~members
        points, ends, meeples, before = joined_points(s, b, t, row, kind, members)
        if ends == 0 and kind == R.CITY:
            put_cities(b, ENDED + 2 * ended, joined_city(s, b, t, row, members))
            ended += 1
        change += share(meeples, points) - before
        while members:
            b[SEGMENTS + SEGMENT * bits.lowest_bit(members) + GAIN] = -1 if meeples else points
            members &= members - 1
    return change, ended


# ---------------------------------------------------------------- monasteries
@inlined_kernel
def monastery_points(s, cell):
    """Points of a monastery that is laid on an empty cell."""
    points = int64(1)
    for away in R.AROUND:
        beside = cell + away
        beside -= R.RING if beside >= R.RING else 0
        points += s[R.CELLS + beside] & 255 > 0
    return points


@kernel
def list_monasteries(s, b):
    """List the claimed monasteries; return their number."""
    for i in range(s[R.NUM_MONASTERIES]):
        n = int64(s[R.MONASTERIES + i])
        record = R.TILES + R.TILE_WORDS * ((n - R.NODES) // R.TILE_WORDS)
        b[CLAIMED + 2 * i], b[CLAIMED + 2 * i + 1] = s[record + R.CELL], bits.lowest_bit(int64(s[n + R.MEEPLES])) >> 2
    return int64(s[R.NUM_MONASTERIES])


@inlined_kernel
def beside_monasteries(b, monasteries, cell):
    """Points, packed, that a tile on an empty cell adds to the listed monasteries beside it."""
    change = int64(0)
    for i in range(monasteries):
        away = abs(cell - b[CLAIMED + 2 * i])
        away = min(away, R.RING - away)
        if away == 1 or (away >= R.ROW - 1 and away <= R.ROW + 1):
            change += int64(1) << (POINT_BITS * b[CLAIMED + 2 * i + 1])
    return change
