"""The greedy policy: the best projected score difference after a ply, reckoned without laying the tile.

A template over the rules R, a part of `policies.py`. A ply changes only what lies beside its cell: these
features and the segments of the tile between them are joined on paper, each placement once for all claims:
cities, roads and monasteries by `cells.py`, which says what b holds, fields by `farms.py`.
"""

from numpy import int64

cells, farms = part("cells"), part("farms")
POINT_BITS, FIELD_POINTS = cells.POINT_BITS, R.features.FIELD_POINTS
LOWEST = int64(-1 << 30)
"""Below every difference of scores."""
CELLS = farms.BEHIND
"""In the buffer: cells where the tile fits, and the rotations."""


@inlined_kernel
def difference(s, points):
    """Points, packed, of the seat on turn, less those of the best other."""
    best = LOWEST
    for seat in range(s[R.NUM_SEATS]):
        if seat != s[R.PLAYER]:
            best = max(best, (points >> (POINT_BITS * seat)) & ((1 << POINT_BITS) - 1))
    return ((points >> (POINT_BITS * s[R.PLAYER])) & ((1 << POINT_BITS) - 1)) - best


@kernel
def points_but_fields(s):
    """Points, packed, if the match ended now, without those of fields."""
    points = int64(0)
    for seat in range(s[R.NUM_SEATS]):
        points += int64(s[R.SCORE + seat]) << (POINT_BITS * seat)
    for i in range(s[R.NUM_STANDING]):
        n, kind = R.features.standing(s, i)
        if kind != R.FIELD:
            points += cells.share(int64(s[n + R.MEEPLES]), R.features.open_value(s, n, kind))
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
    members, touched = cells.joined(b, t, k)
    if touched & b[cells.FARMED]:
        return LOWEST
    cities, _ = farms.joined_field(s, b, t, members, touched)
    if s[R.FARMERS] != R.FARMERS_BY_CITY:
        return value + FIELD_POINTS * farms.num_finished(s, b, cities, ended)
    listed = farms.list_farms_after(s, b, t)
    farms.add_farm(b, listed, cities, int64(1) << (4 * s[R.PLAYER]))
    return difference(s, points + farms.farm_points(s, b, listed + 1, ended))


@inlined_kernel
def weigh(s, r, b, t, cell, rotation, others, has_farms, best):
    """`best` after a placement with each of its claims.

    others: points, packed, of all that it does not touch, and of the fields as they stand; has_farms: whether any
    field holds a meeple.
    """
    row, action = R.SLOTS * (4 * t + rotation), cell * R.ACTION_CELL + rotation * R.ACTION_ROTATION
    change, ended = cells.join_edges(s, b, t, row)
    points, on_fields = others[0] + change, others[1]
    has_touched = has_farms and (ended > 0 or farms.may_join(b, t, rotation))
    if has_touched and ((farms.touch_fields(s, b, t, row, cell) and b[cells.FARMED]) or ended):
        on_fields = farms.farm_points(s, b, farms.list_farms_after(s, b, t), ended)
    value = difference(s, points + on_fields)
    best = better(r, best, value, action)
    if s[R.HAND + s[R.PLAYER]] == 0:
        return best
    for k in range(R.NUM_SEGMENTS[t]):
        kind = R.KIND[R.SLOTS * t + k]
        if kind <= R.ROAD:
            gain = int64(b[cells.SEGMENTS + cells.SEGMENT * k + cells.GAIN])
            if gain >= 0:
                best = better(r, best, value + gain, action + k + 1)
        elif kind == R.MONASTERY:
            best = better(r, best, value + cells.monastery_points(s, cell), action + k + 1)
        elif s[R.FARMERS] == R.NO_FARMERS or value + farms.at_most(s, b, cell, ended) < best[0]:
            return best  # fields come last
        else:
            if not has_touched:
                has_touched = True
                farms.touch_fields(s, b, t, row, cell)
                if value + farms.at_most(s, b, cell, ended) < best[0]:
                    return best
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
    points, listed = points_but_fields(s), farms.list_farms(s, b)
    on_fields, monasteries = farms.farm_points(s, b, listed, int64(0)), cells.list_monasteries(s, b)
    b[cells.LOOKED], b[cells.FARMED] = -1, 0
    for i in range(list_cells(s, b, t)):
        cell, fit = int64(b[CELLS + 2 * i]), int64(b[CELLS + 2 * i + 1])
        cells.look_across_edges(s, cell, b)
        others = points + cells.beside_monasteries(b, monasteries, cell), on_fields
        while fit:
            best = weigh(s, r, b, t, cell, int64(bits.lowest_bit(fit)), others, listed > 0, best)
            fit &= fit - 1
    return best[1]
