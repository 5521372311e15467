"""Fields for `greedy.py`: those beside a cell, those with meeples, and what a placement makes of both.

A template over the rules R; arguments as in `cells.py`, in whose buffer b the fields with meeples are listed.
"""

import numpy as np
from numpy import int64

cells = part("cells")
share, cities_at, put_cities, touch, joined = cells.share, cells.cities_at, cells.put_cities, cells.touch, cells.joined
MASK_BITS, OF_KIND = cells.MASK_BITS, cells.OF_KIND
HALVES, ROOTS, ENDED = cells.HALVES, cells.ROOTS, cells.ENDED
NUM_FIELDS, FARMED, FINISHED, LOOKED = cells.NUM_FIELDS, cells.FARMED, cells.FINISHED, cells.LOOKED

FARMS, FARM = cells.BEHIND, int64(3)
"""A field: the cities beside it, and its meeples."""
BEHIND = FARMS + FARM * (R.MAX_STANDING + R.SLOTS)


def _joining():
    """[16 * (4 * type + rotation) + edges beside tiles] -> whether a field of the tile may join two: an edge of one
    field in both halves touches one.
    """
    table = np.zeros(64 * R.NUM_TYPES, np.bool_)
    for row in range(4 * R.NUM_TYPES):
        for beside in range(16):
            halves = 0
            for edge in range(4):
                if beside >> edge & 1:
                    halves |= (1 if R.EDGE[4 * row + edge] == cells.FIELD_EDGE else 3) << 2 * edge
            fields = [R.PORTS[R.SLOTS * row + k] for k in range(R.SLOTS) if OF_KIND[row // 4 * 4 + R.FIELD] >> k & 1]
            table[16 * row + beside] = any(int(ports & halves).bit_count() > 1 for ports in fields)
    return table


IS_JOINING = _joining()


# ---------------------------------------------------------------- beside a cell
@kernel
def look_across_halves(s, cell, b):
    """Note the fields beside an empty cell."""
    pattern, roots = R.pattern(s, cell), int64(0)
    for edge in range(4):
        b[HALVES + 2 * edge], b[HALVES + 2 * edge + 1] = 0, 0
        code = (pattern >> (2 * edge)) & 3
        if code > 1:  # neither empty nor a city
            tile, theirs = cells.neighbour(s, cell, int64(edge))
            at = 8 * theirs + 2 * (edge ^ 2)
            n = R.root(s, R.node(tile, int64(R.HALF_SEGMENT[at + 1])))
            roots = cells.note_port(b, HALVES, int64(2 * edge), n, roots)
            if code == cells.FIELD_EDGE:
                b[HALVES + 2 * edge + 1] = b[HALVES + 2 * edge]
            else:
                n = R.root(s, R.node(tile, int64(R.HALF_SEGMENT[at])))
                roots = cells.note_port(b, HALVES, int64(2 * edge + 1), n, roots)
    farmed = finished = int64(0)
    for number in range(roots):
        n = int64(b[HALVES + ROOTS + number])
        farmed |= int64(s[n + R.MEEPLES] > 0) << number
        finished += R.features.num_cities(s, n)
    b[NUM_FIELDS], b[FARMED], b[FINISHED], b[LOOKED] = roots, farmed, finished, cell


@inlined_kernel
def may_join(b, t, rotation):
    """Whether a placement on the cell whose edges were looked across may join fields."""
    return IS_JOINING[16 * (4 * t + rotation) + b[cells.BESIDE]]


@inlined_kernel
def touch_fields(s, b, t, row, cell):
    """Write to the rows of a placement's fields what they touch; return whether one touches several."""
    if b[LOOKED] != cell:
        look_across_halves(s, cell, b)
    is_joining, rest = False, OF_KIND[4 * t + R.FIELD]
    while rest:
        k = int64(bits.lowest_bit(rest))
        touched = touch(b, HALVES, 8, k, int64(R.PORTS[row + k]))
        is_joining |= touched & (touched - 1) != 0
        rest &= rest - 1
    return is_joining


@inlined_kernel
def at_most(s, b, cell, ended):
    """Bound of what a meeple on a field of the tile adds to the difference; less by much where halves were looked
    across.
    """
    a_city = 2 * R.CITY_SUPPLY if s[R.FARMERS] == R.FARMERS_BY_CITY else R.features.FIELD_POINTS
    if b[LOOKED] == cell:
        return a_city * (ended + b[FINISHED])
    return a_city * (ended + bits.popcount(R.features.finished_cities(s)))


# ---------------------------------------------------------------- those with meeples
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
