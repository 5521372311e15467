"""The greedy policy: the best projected score difference after a ply, reckoned without laying the tile.

A template over the rules R, a part of `policies.py`. A ply changes only what lies beside its cell: these
features and the segments of the tile between them are joined on paper, each placement once for all claims.
Points of all seats are one number, POINT_BITS a seat, so that they are added at once. A set of cities is
one number, a bit a city, as `features.finished_cities`.

b: the buffer of `choose`. It holds what lies across the edges and half-edges of the cell looked at, a row for
each segment of the tile, the cities that the tile finishes and the fields with meeples.
"""

import numpy as np
from numpy import int64

POINT_BITS, MASK_BITS = int64(12), int64(R.MASK_BITS)
LOW = (int64(1) << MASK_BITS) - 1
LOWEST = int64(-1 << 30)
"""Below every difference of scores."""

EDGES, HALVES, ROOTS = int64(0), int64(16), int64(8)
"""Of each port the number of the root across, from 1 on (0: none); behind them the roots that differ."""
NUM_FIELDS, FARMED, FINISHED, LOOKED = int64(32), int64(33), int64(34), int64(35)
"""Of the fields beside the cell: how many differ, which hold a meeple, their finished cities in all; and the cell."""
SEGMENTS, SEGMENT = int64(36), int64(2)
TOUCHED, GAIN = 0, 1
"""In a row: roots that a segment touches, as bits; of a city or road points that a claim brings, -1: it is taken."""
ENDED = SEGMENTS + SEGMENT * R.SLOTS
FARMS, FARM = ENDED + 2 * R.SLOTS, int64(3)
"""A city: two words. A field: the cities beside it, and its meeples."""
CELLS = FARMS + FARM * (R.MAX_STANDING + R.SLOTS)
"""Cells where the tile fits, and the rotations."""


def _segments_of_kind():
    """[4 * type + kind] -> the segments of the kind, as bits."""
    table = np.zeros(4 * R.NUM_TYPES, np.int64)
    for t in range(R.NUM_TYPES):
        for k in range(R.NUM_SEGMENTS[t]):
            table[4 * t + R.KIND[R.SLOTS * t + k]] |= 1 << k
    return table


OF_KIND = _segments_of_kind()


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
def difference(s, points):
    """Points, packed, of the seat on turn, less those of the best other."""
    best = LOWEST
    for seat in range(s[R.NUM_SEATS]):
        if seat != s[R.PLAYER]:
            best = max(best, (points >> (POINT_BITS * seat)) & ((1 << POINT_BITS) - 1))
    return ((points >> (POINT_BITS * s[R.PLAYER])) & ((1 << POINT_BITS) - 1)) - best


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
    """Note the root across a port (-1: none); return how many differ, which were so many before."""
    number = int64(0)
    if n >= 0:
        while number < roots and b[at + ROOTS + number] != n:
            number += 1
        if number == roots:
            b[at + ROOTS + number] = n
            roots += 1
        number += 1
    b[at + port] = number
    return roots


@inlined_kernel
def neighbour(s, cell, edge):
    """The tile across an edge (-1: none), and the row of its type and rotation in tables."""
    tile = int64(s[R.CELLS + R.step(cell, edge)] & 255) - 1
    if tile < 0:
        return tile, int64(0)
    record = R.TILES + R.TILE_WORDS * tile
    return tile, 4 * int64(s[record + R.TYPE]) + s[record + R.ROTATION]


@inlined_kernel
def look_across_edges(s, cell, b):
    """Note the cities and roads beside an empty cell."""
    roots = int64(0)
    for edge in range(4):
        n = int64(-1)
        tile, theirs = neighbour(s, cell, edge)
        if tile >= 0:
            segment = int64(R.EDGE_SEGMENT[4 * theirs + (edge ^ 2)])
            if segment >= 0:
                n = R.root(s, R.node(tile, segment))
        roots = note_port(b, EDGES, int64(edge), n, roots)


@kernel
def look_across_halves(s, cell, b):
    """Note the fields beside an empty cell; return whether any of them holds a meeple."""
    roots = farmed = int64(0)
    for edge in range(4):
        tile, theirs = neighbour(s, cell, edge)
        n = last = int64(-1)
        for half in range(2):
            if tile >= 0:
                segment = int64(R.HALF_SEGMENT[8 * theirs + 2 * (edge ^ 2) + 1 - half])
                if segment != last:
                    last, n = segment, R.root(s, R.node(tile, segment)) if segment >= 0 else int64(-1)
            roots = note_port(b, HALVES, int64(2 * edge + half), n, roots)
    finished = int64(0)
    for number in range(roots):
        n = int64(b[HALVES + ROOTS + number])
        farmed |= int64(s[n + R.MEEPLES] > 0) << number
        finished += R.features.num_cities(s, n)
    b[NUM_FIELDS], b[FARMED], b[FINISHED], b[LOOKED] = roots, farmed, finished, cell
    return farmed != 0


@inlined_kernel
def touch(b, at, k, ports):
    """Write to a segment's row which roots it touches, and return it."""
    numbers = int64(0)
    for port in range(8):  # no branch, of which none could be foretold
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
    while ports:
        number = int64(b[EDGES + bits.lowest_bit(ports)])
        ports &= ports - 1
        if number == 0:
            continue
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
        ports = int64(R.PORTS[row + k])
        while ports:
            number = b[EDGES + bits.lowest_bit(ports)]
            ports &= ports - 1
            if number:
                cities |= cities_at(s, int64(b[EDGES + ROOTS - 1 + number]) + R.MASK)
    return cities


@inlined_kernel
def join_edges(s, b, t, row):
    """Change of points, packed, by the cities and roads that a placement joins, and how many cities it finishes."""
    change = ended = int64(0)
    left = OF_KIND[4 * t + R.CITY] | OF_KIND[4 * t + R.ROAD]
    rest = left if R.HAS_MULTI[2 * t] or R.HAS_MULTI[2 * t + 1] else int64(0)
    while rest:
        k = int64(bits.lowest_bit(rest))
        touch(b, EDGES, k, int64(R.PORTS[row + k]))
        rest &= rest - 1
    while left:
        k, members = int64(bits.lowest_bit(left)), left & -left
        kind = int64(R.KIND[R.SLOTS * t + k])
        if R.IS_MULTI[R.SLOTS * t + k]:
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
        points += s[R.CELLS + (cell + away) % R.RING] & 255 > 0
    return points


@inlined_kernel
def beside_monasteries(s, cell):
    """Points, packed, that a tile on an empty cell adds to the claimed monasteries beside it."""
    change = int64(0)
    for i in range(s[R.NUM_MONASTERIES]):
        n = int64(s[R.MONASTERIES + i])
        record = R.TILES + R.TILE_WORDS * ((n - R.NODES) // R.TILE_WORDS)
        away = abs(cell - s[record + R.CELL])
        away = min(away, R.RING - away)
        if away == 1 or (away >= R.ROW - 1 and away <= R.ROW + 1):
            change += share(int64(s[n + R.MEEPLES]), int64(1))
    return change


# ---------------------------------------------------------------- fields
@kernel
def list_farms(s, b):
    """List the fields with meeples; return their number."""
    farms = int64(0)
    for i in range(s[R.NUM_STANDING]):
        n, kind = R.features.standing(s, i)
        if kind == R.FIELD:
            add_farm(b, farms, cities_at(s, n + R.MASK), int64(s[n + R.MEEPLES]))
            farms += 1
    return farms


@inlined_kernel
def add_farm(b, farms, cities, meeples):
    """Add a field with meeples to the list of so many."""
    put_cities(b, FARMS + FARM * farms, cities)
    b[FARMS + FARM * farms + 2] = meeples


@kernel
def farm_points(s, b, farms, ended):
    """Points, packed, of the listed fields; ended: cities that the tile finishes."""
    points, finished = int64(0), R.features.finished_cities(s)
    if s[R.FARMERS] == R.FARMERS_BY_CITY:
        while finished:
            points += share(farmers_round(b, farms, finished & -finished), R.CITY_SUPPLY)
            finished &= finished - 1
        for i in range(ended):
            points += share(farmers_round(b, farms, cities_at(b, ENDED + 2 * i)), R.CITY_SUPPLY)
        return points
    for i in range(farms):
        at = FARMS + FARM * i
        points += share(int64(b[at + 2]), R.features.FIELD_POINTS * num_finished(s, b, cities_at(b, at), ended))
    return points


@kernel
def farmers_round(b, farms, city):
    """Meeples, packed, on the listed fields beside a city."""
    meeples = int64(0)
    for i in range(farms):
        if cities_at(b, FARMS + FARM * i) & city:
            meeples += b[FARMS + FARM * i + 2]
    return meeples


@inlined_kernel
def num_finished(s, b, cities, ended):
    """Finished cities among those beside a field. Of a finished one a field has the bit that stands for it."""
    found = int64(bits.popcount(cities & R.features.finished_cities(s)))
    for i in range(ended):
        found += cities & cities_at(b, ENDED + 2 * i) != 0
    return found


@inlined_kernel
def touch_fields(s, b, t, row, cell):
    """Write to the rows of a placement's fields what they touch; return whether one touches several."""
    if b[LOOKED] != cell:
        look_across_halves(s, cell, b)
    is_joining, rest = False, OF_KIND[4 * t + R.FIELD]
    while rest:
        k = int64(bits.lowest_bit(rest))
        touched = touch(b, HALVES, k, int64(R.PORTS[row + k]))
        is_joining |= touched & (touched - 1) != 0
        rest &= rest - 1
    return is_joining


@inlined_kernel
def joined_field(s, b, t, members, touched):
    """Of the field that segments of the tile become: the cities beside it, and its meeples."""
    cities = meeples = int64(0)
    while touched:
        n = int64(b[HALVES + ROOTS + bits.lowest_bit(touched)])
        touched &= touched - 1
        cities |= cities_at(s, n + R.MASK)
        meeples += s[n + R.MEEPLES]
    while members:
        cities |= int64(R.features.CITY_BITS_OF[R.SLOTS * t + bits.lowest_bit(members)]) << s[R.CITY_BITS]
        members &= members - 1
    return cities, meeples


@kernel
def list_farms_after(s, b, t):
    """List the fields with meeples as a placement leaves them; return their number. What it touches is in the rows."""
    farms = int64(0)
    for i in range(s[R.NUM_STANDING]):
        n, kind = R.features.standing(s, i)
        if kind == R.FIELD:
            is_beside = False
            for number in range(b[NUM_FIELDS]):
                is_beside |= b[HALVES + ROOTS + number] == n
            if not is_beside:
                add_farm(b, farms, cities_at(s, n + R.MASK), int64(s[n + R.MEEPLES]))
                farms += 1
    left = OF_KIND[4 * t + R.FIELD] if b[FARMED] else int64(0)
    while left:
        members, touched = joined(b, t, int64(bits.lowest_bit(left)))
        left &= ~members
        if touched & b[FARMED]:
            cities, meeples = joined_field(s, b, t, members, touched)
            add_farm(b, farms, cities, meeples)
            farms += 1
    return farms


@inlined_kernel
def at_most(s, b, cell, ended):
    """Bound of what a meeple on a field of the tile adds to the difference."""
    a_city = 2 * R.CITY_SUPPLY if s[R.FARMERS] == R.FARMERS_BY_CITY else R.features.FIELD_POINTS
    if b[LOOKED] == cell:
        return a_city * (ended + b[FINISHED])
    return a_city * (ended + bits.popcount(R.features.finished_cities(s)))


# ---------------------------------------------------------------- the policy
@kernel
def points_but_fields(s):
    """Points, packed, if the match ended now, without those of fields."""
    points = int64(0)
    for seat in range(s[R.NUM_SEATS]):
        points += int64(s[R.SCORE + seat]) << (POINT_BITS * seat)
    for i in range(s[R.NUM_STANDING]):
        n, kind = R.features.standing(s, i)
        if kind != R.FIELD:
            points += share(int64(s[n + R.MEEPLES]), R.features.open_value(s, n, kind))
    return points


@inlined_kernel
def better(r, best, value, action):
    """`best` with an action that is better, or as good by lot."""
    most, chosen, ties = best
    if value > most:
        return value, action, int64(1)
    if value == most:
        ties += 1
        if rng.below(r, ties) == 0:
            chosen = action
    return most, chosen, ties


@inlined_kernel
def claim_field(s, b, t, k, ended, points, value):
    """Difference with a meeple on the field of segment k, LOWEST where it is taken; value: without one.

    points: packed, of all but fields.
    """
    members, touched = joined(b, t, k)
    if touched & b[FARMED]:
        return LOWEST
    cities, _ = joined_field(s, b, t, members, touched)
    if s[R.FARMERS] != R.FARMERS_BY_CITY:
        return value + R.features.FIELD_POINTS * num_finished(s, b, cities, ended)
    farms = list_farms_after(s, b, t)
    add_farm(b, farms, cities, int64(1) << (4 * s[R.PLAYER]))
    return difference(s, points + farm_points(s, b, farms + 1, ended))


@inlined_kernel
def weigh(s, r, b, t, cell, rotation, others, farms, best):
    """`best` after a placement with each of its claims.

    others: points, packed, of all that it does not touch, and of the fields as they stand; farms: whether any field
    holds a meeple, and whether one of them lies beside the cell.
    """
    row, action = R.SLOTS * (4 * t + rotation), cell * R.ACTION_CELL + rotation * R.ACTION_ROTATION
    change, ended = join_edges(s, b, t, row)
    points, on_fields, has_touched = others[0] + change, others[1], farms[1] or (farms[0] and ended > 0)
    if has_touched and (touch_fields(s, b, t, row, cell) or ended):
        on_fields = farm_points(s, b, list_farms_after(s, b, t), ended)
    value = difference(s, points + on_fields)
    best = better(r, best, value, action)
    if s[R.HAND + s[R.PLAYER]] == 0:
        return best
    for k in range(R.NUM_SEGMENTS[t]):
        kind = R.KIND[R.SLOTS * t + k]
        if kind <= R.ROAD:
            gain = int64(b[SEGMENTS + SEGMENT * k + GAIN])
            if gain >= 0:
                best = better(r, best, value + gain, action + k + 1)
        elif kind == R.MONASTERY:
            best = better(r, best, value + monastery_points(s, cell), action + k + 1)
        elif s[R.FARMERS] == R.NO_FARMERS or value + at_most(s, b, cell, ended) < best[0]:
            return best  # fields come last
        else:
            if not has_touched:
                has_touched = True
                touch_fields(s, b, t, row, cell)
            claimed = claim_field(s, b, t, int64(k), ended, points, value)
            if claimed > LOWEST:
                best = better(r, best, claimed, action + k + 1)
    return best


@kernel
def list_cells(s, b, t):
    """List the cells where the tile fits, with the rotations, as bits; return their number."""
    cells = int64(0)
    for i in range(s[R.NUM_FRONTIER]):
        cell = int64(s[R.FRONTIER + i])
        fit = R.FIT[256 * t + R.pattern(s, cell)]
        b[CELLS + 2 * cells], b[CELLS + 2 * cells + 1] = cell, fit
        cells += fit != 0  # no branch, as none could be foretold
    return cells


@kernel
def best_action(s, r, b):
    """The action with the best difference between own points and those of the best other; ties by lot."""
    t, best = int64(s[R.TILE]) - 1, (LOWEST, int64(-1), int64(0))
    points, farms = points_but_fields(s), list_farms(s, b)
    on_fields = farm_points(s, b, farms, int64(0))
    b[LOOKED], b[FARMED] = -1, 0
    for i in range(list_cells(s, b, t)):
        cell, fit = int64(b[CELLS + 2 * i]), int64(b[CELLS + 2 * i + 1])
        look_across_edges(s, cell, b)
        is_beside = farms > 0 and look_across_halves(s, cell, b)
        others = points + beside_monasteries(s, cell), on_fields
        while fit:
            best = weigh(s, r, b, t, cell, int64(bits.lowest_bit(fit)), others, (farms > 0, is_beside), best)
            fit &= fit - 1
    return best[1]
