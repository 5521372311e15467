"""The rules of Carcassonne, once: a template of `games.loader` over the layout of `state.py`.

Injected: `kernel`, `part`, `rng`, `bits`, `journal`, JOURNAL. Arrays: s int32[SIZE] (a state, mutated
where a journal is asked for), j int32[:] (journal), r uint64[4] (generator), out int32[:].
Nothing here checks its arguments: faces and engines pass legal actions only. Whole numbers are
widened with `int64` before they are passed on, so that every kernel is compiled for one signature.
"""

import numpy as np
from numpy import int64

from games.carcassonne import tiles
from games.carcassonne.state import *  # noqa: F403 - the layout's names are this file's vocabulary

OVER_RULES = ("policies", "evaluation", "ordering")

T = tiles.load()
CITY, ROAD, MONASTERY, FIELD = int64(tiles.CITY), int64(tiles.ROAD), int64(tiles.MONASTERY), int64(tiles.FIELD)
START, COUNT = int64(T.start), T.count
features = part("features")
root, node = features.root, features.node
NO_ENDS, TWO_ENDS = int64(0), int64(2)
CITY_SUPPLY = features.CITY_SUPPLY
ROTATIONS, NUM_SEGMENTS, KIND, MONASTERY_SEGMENT = T.rotations, T.num_segments, T.kind, T.monastery
OPEN_ENDS, PENNANT, IS_MULTI = features.OPEN_ENDS, features.PENNANT, features.IS_MULTI
EDGE, EDGE_SEGMENT, HALF_SEGMENT, PORTS = T.edge, T.edge_segment, T.half_segment, T.ports
FIT, TYPES_FIT, NUM_CITIES_OF, HAS_MULTI = T.fit, T.types_fit, T.num_cities, T.has_multi
STEP = np.array([RING - ROW, 1, ROW, RING - 1])  # to the cell N, E, S, W of a cell
AROUND = np.array([RING - ROW - 1, RING - ROW, RING - ROW + 1, RING - 1, 1, ROW - 1, ROW, ROW + 1])  # 8 neighbours
DX, DY = np.array([0, 1, 0, -1]), np.array([-1, 0, 1, 0])


# ---------------------------------------------------------------- board
@kernel
def step(cell, edge):
    """The neighbour of a cell across an edge."""
    cell += STEP[edge]
    return cell - RING if cell >= RING else cell


@kernel
def pattern(s, cell):
    """Edge pattern that an empty cell asks of a tile."""
    return (s[CELLS + cell] >> 8) & 255


@inlined_kernel
def leave_frontier(s, cell, j):
    """Take a cell out of the frontier list; the last one takes its place."""
    position = s[CELLS + cell] >> 16
    last = s[NUM_FRONTIER] - 1
    moved = s[FRONTIER + last]
    journal.write(s, FRONTIER + position, moved, j)
    journal.write(s, CELLS + moved, (s[CELLS + moved] & 0xFFFF) | (position << 16), j)
    journal.write(s, FRONTIER + last, 0, j)
    s[NUM_FRONTIER] = last


@inlined_kernel
def extend_frontier(s, cell, edge_code, edge, j):
    """Note on an empty cell what its neighbour across `edge` asks for."""
    word = s[CELLS + cell]
    if word == 0:
        position = s[NUM_FRONTIER]
        journal.write(s, FRONTIER + position, cell, j)
        s[NUM_FRONTIER] = position + 1
        word = position << 16
    journal.write(s, CELLS + cell, word | (edge_code << (8 + 2 * edge)), j)


@inlined_kernel
def connect(s, tile, t, rotation, edge, other, j):
    """Join the segments of a tile just laid with those of its neighbour across `edge`."""
    facing = edge ^ 2
    mine = 4 * t + rotation
    record = TILES + TILE_WORDS * other
    theirs = 4 * int64(s[record + TYPE]) + s[record + ROTATION]
    code = EDGE[4 * mine + edge]
    if code != 3:
        a = int64(EDGE_SEGMENT[4 * mine + edge])
        b = int64(EDGE_SEGMENT[4 * theirs + facing])
        features.join(s, node(tile, a), node(other, b), TWO_ENDS, j)
    if code != 1:
        a = int64(HALF_SEGMENT[8 * mine + 2 * edge])
        b = int64(HALF_SEGMENT[8 * theirs + 2 * facing + 1])
        features.join(s, node(tile, a), node(other, b), NO_ENDS, j)
    if code == 2:  # a field edge has the same field in both halves
        a = int64(HALF_SEGMENT[8 * mine + 2 * edge + 1])
        b = int64(HALF_SEGMENT[8 * theirs + 2 * facing])
        features.join(s, node(tile, a), node(other, b), NO_ENDS, j)


@inlined_kernel
def lay_segments(s, tile, t):
    """Make the features of a tile's segments."""
    for k in range(NUM_SEGMENTS[t]):
        row = SLOTS * t + k
        multi_bit = int64(s[MULTI_BITS + (KIND[row] == ROAD)])
        features.new_node(s, node(tile, k), row, int64(s[CITY_BITS]), multi_bit)
    s[CITY_BITS] += NUM_CITIES_OF[t]
    s[MULTI_BITS] += HAS_MULTI[2 * t]
    s[MULTI_BITS + 1] += HAS_MULTI[2 * t + 1]


@kernel
def claim(s, tile, t, segment, cell, j):
    """The seat on turn claims a segment of the tile just laid, whose feature holds no meeple."""
    kind = int64(KIND[SLOTS * t + segment])
    n = root(s, node(tile, segment))
    features.claim(s, n, kind, j)
    if kind == MONASTERY:
        size = int64(1)
        for step_to in AROUND:
            size += s[CELLS + (cell + step_to) % RING] & 255 > 0
        s[n + SIZE_] = size
        journal.write(s, MONASTERIES + s[NUM_MONASTERIES], n, j)
        s[NUM_MONASTERIES] += 1


@kernel
def surround_monasteries(s, tile, j):
    """Count the tile just laid at every claimed monastery beside it; finish those surrounded."""
    laid = TILES + TILE_WORDS * tile
    i = int64(0)
    while i < s[NUM_MONASTERIES]:
        n = int64(s[MONASTERIES + i])
        record = TILES + TILE_WORDS * ((n - NODES) // TILE_WORDS)
        if record != laid and abs(s[record + X] - s[laid + X]) <= 1 and abs(s[record + Y] - s[laid + Y]) <= 1:
            journal.write(s, n + SIZE_, s[n + SIZE_] + 1, j)
        if s[n + SIZE_] == 9:
            features.finish_feature(s, n, MONASTERY, j)
            last = s[NUM_MONASTERIES] - 1
            journal.write(s, MONASTERIES + i, s[MONASTERIES + last], j)
            journal.write(s, MONASTERIES + last, 0, j)
            s[NUM_MONASTERIES] = last
        else:
            i += 1


@inlined_kernel
def finish_features(s, tile, t, j):
    """Score the cities and roads that the tile just laid has finished."""
    for k in range(NUM_SEGMENTS[t]):
        kind = int64(KIND[SLOTS * t + k])
        if kind <= ROAD:
            n = root(s, node(tile, k))
            if s[n + OPEN] == 0:
                first = True  # two segments of one tile may end the same feature
                for i in range(k):
                    first &= root(s, node(tile, i)) != n
                if first:
                    features.finish_feature(s, n, kind, j)


@inlined_kernel
def lay(s, t, cell, rotation, claimed, j):
    """Lay a tile of type `t`, join and score what it touches (rules: tile, meeple, score).

    Writes to the header and to the tile's own words directly: the caller has noted the header.
    """
    tile = int64(s[NUM_LAID])
    record = TILES + TILE_WORDS * tile
    x = y = int64(0)
    if tile:
        leave_frontier(s, cell, j)
    s[NUM_LAID] = tile + 1
    journal.write(s, CELLS + cell, tile + 1, j)
    journal.fresh(s, record, 1 + NUM_SEGMENTS[t], j)
    s[record + TYPE] = t
    s[record + FIRST_BIT] = s[CITY_BITS]
    lay_segments(s, tile, t)
    for edge in range(4):
        beside = step(cell, edge)
        other = int64(s[CELLS + beside] & 255) - 1
        if other < 0:
            extend_frontier(s, beside, int64(EDGE[4 * (4 * t + rotation) + edge]), edge ^ 2, j)
        else:
            neighbour = TILES + TILE_WORDS * other
            x, y = int64(s[neighbour + X]) - DX[edge], int64(s[neighbour + Y]) - DY[edge]
            connect(s, tile, t, rotation, edge, other, j)
    s[record + ROTATION] = rotation
    s[record + CELL] = cell
    s[record + X] = x
    s[record + Y] = y
    s[record + MEEPLE] = claimed
    s[record + OWNER] = s[PLAYER]
    if claimed:
        claim(s, tile, t, claimed - 1, cell, j)
    finish_features(s, tile, t, j)
    surround_monasteries(s, tile, j)


# ---------------------------------------------------------------- drawing and ending
@kernel
def is_placeable(s, t):
    """Whether a tile of type `t` fits anywhere."""
    for i in range(s[NUM_FRONTIER]):
        if (TYPES_FIT[pattern(s, int64(s[FRONTIER + i]))] >> t) & 1:
            return True
    return False


@kernel
def any_placeable(s):
    """Whether any tile of the pool fits anywhere."""
    pool = int64(s[POOL_TYPES])
    if pool == 0:
        return False
    for i in range(s[NUM_FRONTIER]):
        if TYPES_FIT[pattern(s, int64(s[FRONTIER + i]))] & pool:
            return True
    return False


@kernel
def end_match(s, j):
    """Final scoring: unfinished features, monasteries and fields. Meeples stay on the board."""
    for i in range(s[NUM_STANDING]):
        n, kind = features.standing(s, i)
        features.award(s, int64(s[n + MEEPLES]), kind, features.open_value(s, n, kind), int64(POINTS_OPEN), j)
    if s[FARMERS] == FARMERS_BY_CITY:
        cities = features.finished_cities(s)
        while cities:
            meeples = features.farmers_round(s, bits.lowest_bit(cities))
            cities &= cities - 1
            if meeples:
                features.award(s, meeples, FIELD, CITY_SUPPLY, int64(POINTS_OPEN), j)
    s[OVER] = 1


@kernel
def leave_pool(s, t, j):
    """Take a tile of type `t` out of the pool."""
    journal.write(s, POOL + t, s[POOL + t] - 1, j)
    journal.write(s, NUM_LEFT, s[NUM_LEFT] - 1, j)
    if s[POOL + t] == 0:
        journal.write(s, POOL_TYPES, s[POOL_TYPES] ^ (1 << t), j)


@kernel
def draw(s, t, j):
    """A tile of type `t` is drawn; one that fits nowhere goes back or is discarded."""
    if is_placeable(s, t):
        leave_pool(s, t, j)
        journal.write(s, TILE, t + 1, j)
        return
    cell = VAIN + s[PLAYER]
    journal.write(s, cell, s[cell] + 1, j)
    if s[DISCARDS]:
        leave_pool(s, t, j)
        journal.write(s, DISCARDED + t, s[DISCARDED + t] + 1, j)


@inlined_kernel
def act(s, action, j):
    """The seat on turn lays its tile, perhaps with a meeple; the next seat is on turn."""
    for start in range(0, HEADER, journal.BLOCK):
        journal.keep(s, start, j)
    for i in range(s[NUM_EVENTS]):
        for word in range(EVENT):
            journal.write(s, EVENTS + EVENT * i + word, 0, j)
    s[NUM_EVENTS] = 0
    player = s[PLAYER]
    journal.write(s, HAND_SUM + player, s[HAND_SUM + player] + s[HAND + player], j)
    cell, rest = action // ACTION_CELL, action % ACTION_CELL
    lay(s, int64(s[TILE]) - 1, cell, rest // ACTION_ROTATION, rest % ACTION_ROTATION, j)
    s[TILE] = 0
    s[PLAYER] = player + 1 if player + 1 < s[NUM_SEATS] else 0
    if not any_placeable(s):
        end_match(s, j)


# ---------------------------------------------------------------- the verbs
@allocating_kernel
def init(s, num_seats, options):
    """Set up a match in a zeroed state. options: int32[3], codes as in `game.Options`."""
    unused = np.zeros(SIZE * 2 if JOURNAL else 1, np.int32)
    unused[0] = 1
    s[NUM_SEATS] = num_seats
    s[DISCARDS] = options[0]
    s[HALVES] = options[1]
    s[FARMERS] = options[2]
    for seat in range(num_seats):
        s[HAND + seat] = MEEPLES_PER_SEAT
    for t in range(NUM_TYPES):
        s[POOL + t] = COUNT[t] - (t == START)
        s[POOL_TYPES] |= (s[POOL + t] > 0) << t
    s[NUM_LEFT] = NUM_TILES - 1
    lay(s, START, int64(0), int64(0), int64(0), unused)


@kernel
def num_seats(s):
    return int64(s[NUM_SEATS])


@kernel
def current_player(s):
    """Seat to act, -1 (a tile must be drawn) or -2 (the match is over)."""
    if s[OVER]:
        return int64(-2)
    return int64(s[PLAYER]) if s[TILE] else int64(-1)


@inlined_kernel
def touched_root(s, cell, kind, port):
    """Root of the feature across a port (an edge; for fields a half-edge), or -1 where no tile lies."""
    edge = port >> 1 if kind == FIELD else port
    other = int64(s[CELLS + step(cell, edge)] & 255) - 1
    if other < 0:
        return int64(-1)
    record = TILES + TILE_WORDS * other
    theirs = 4 * int64(s[record + TYPE]) + s[record + ROTATION]
    facing = edge ^ 2
    if kind == FIELD:
        return root(s, node(other, int64(HALF_SEGMENT[8 * theirs + 2 * facing + 1 - (port & 1)])))
    return root(s, node(other, int64(EDGE_SEGMENT[4 * theirs + facing])))


@kernel
def touches_meeple(s, cell, kind, ports):
    """Whether a feature across any of the ports (bits) holds a meeple."""
    for port in range(8):
        if (ports >> port) & 1:
            n = touched_root(s, cell, kind, port)
            if n >= 0 and s[n + MEEPLES]:
                return True
    return False


@kernel
def touch_same(s, cell, kind, ports, others):
    """Whether some port of one set and some port of the other touch the same feature."""
    for port in range(8):
        if (ports >> port) & 1:
            n = touched_root(s, cell, kind, port)
            if n >= 0:
                for other in range(8):
                    if (others >> other) & 1 and touched_root(s, cell, kind, other) == n:
                        return True
    return False


@kernel
def is_free(s, t, cell, rotation, segment):
    """Whether the feature that `segment` will belong to once the tile lies here holds no meeple.

    Another segment of the tile may touch one feature in common with it and thereby join it
    with a third: all segments so joined count. A field is never free where there are no farmers.
    """
    row = SLOTS * (4 * t + rotation)
    kind = int64(KIND[SLOTS * t + segment])
    if kind == MONASTERY:
        return True
    if kind == FIELD and s[FARMERS] == NO_FARMERS:
        return False
    joined = int64(PORTS[row + segment])
    if touches_meeple(s, cell, kind, joined):
        return False
    apart = int64(0)  # segments of the same kind, not known to be joined with this one
    for k in range(NUM_SEGMENTS[t]):
        if k != segment and KIND[SLOTS * t + k] == kind:
            apart |= int64(1) << k
    grew = apart != 0
    while grew:
        grew = False
        for k in range(NUM_SEGMENTS[t]):
            if (apart >> k) & 1 and touch_same(s, cell, kind, joined, int64(PORTS[row + k])):
                if touches_meeple(s, cell, kind, int64(PORTS[row + k])):
                    return False
                joined |= int64(PORTS[row + k])
                apart ^= int64(1) << k
                grew = apart != 0
    return True


@kernel
def legal_actions(s, out):
    """Write all legal actions of the seat on turn to out int32[MAX_ACTIONS]; return their number."""
    n = 0
    t = int64(s[TILE]) - 1
    if t < 0 or s[OVER]:
        return n
    has_meeple = s[HAND + s[PLAYER]] > 0
    for i in range(s[NUM_FRONTIER]):
        cell = int64(s[FRONTIER + i])
        fit = FIT[256 * t + pattern(s, cell)]
        for rotation in range(4):
            if (fit >> rotation) & 1:
                base = cell * ACTION_CELL + rotation * ACTION_ROTATION
                out[n] = base
                n += 1
                if has_meeple:
                    for k in range(NUM_SEGMENTS[t]):
                        if is_free(s, t, cell, rotation, k):
                            out[n] = base + k + 1
                            n += 1
    return n


@kernel
def is_legal(s, action):
    """Whether a number is a legal action of the seat on turn, or a possible outcome at a chance node."""
    if s[OVER] or action < 0:
        return False
    if s[TILE] == 0:
        return action < NUM_TYPES and s[POOL + action] > 0
    cell, rest = action // ACTION_CELL, action % ACTION_CELL
    rotation, claimed = rest // ACTION_ROTATION, rest % ACTION_ROTATION
    t = int64(s[TILE]) - 1
    if cell >= RING or s[CELLS + cell] & 255 or pattern(s, cell) == 0:
        return False
    if (FIT[256 * t + pattern(s, cell)] >> rotation) & 1 == 0 or claimed > NUM_SEGMENTS[t]:
        return False
    return claimed == 0 or (s[HAND + s[PLAYER]] > 0 and is_free(s, t, cell, rotation, claimed - 1))


@kernel
def apply(s, action, j):
    """Apply an action of the seat on turn or, at a chance node, the type of the tile drawn."""
    if s[TILE] == 0:
        draw(s, int64(action), j)
    else:
        act(s, int64(action), j)


@kernel
def chance_outcomes(s, out, probability):
    """Write the types that may be drawn and their probabilities; return their number.

    Under `return` a draw that fits nowhere changes nothing but is drawn again, so only types
    that fit are listed; under `discard` it is an outcome of its own.
    """
    n = total = 0
    for t in range(NUM_TYPES):
        if s[POOL + t] and (s[DISCARDS] or is_placeable(s, t)):
            out[n] = t
            probability[n] = s[POOL + t]
            total += s[POOL + t]
            n += 1
    for i in range(n):
        probability[i] /= total
    return n


@kernel
def sample_chance(s, r):
    """Draw one of `chance_outcomes` with its probability (by rejection)."""
    while True:
        k = rng.below(r, int64(s[NUM_LEFT]))
        t = int64(0)
        while k >= s[POOL + t]:
            k -= s[POOL + t]
            t += 1
        if s[DISCARDS] or is_placeable(s, t):
            return t


@kernel
def scores(s, out):
    """Points per seat to out int64[seats]; final scoring included once the match is over."""
    for seat in range(s[NUM_SEATS]):
        out[seat] = s[SCORE + seat]


@kernel
def projected(s, out):
    """Points per seat to out int64[seats] as if the match ended now."""
    scores(s, out)
    if s[OVER]:
        return
    features.add_open(s, out)


@kernel
def has_meeple(s, tile):
    """Whether the meeple placed with a tile still stands there."""
    record = TILES + TILE_WORDS * tile
    return s[record + MEEPLE] > 0 and s[root(s, node(tile, int64(s[record + MEEPLE]) - 1)) + MEEPLES] > 0


@kernel
def key(s):
    """64-bit hash of the position, the same whatever the order in which tiles were laid."""
    h = np.uint64(0)
    for tile in range(s[NUM_LAID]):
        record = TILES + TILE_WORDS * tile
        word = int64(s[record + CELL]) * 4096 + s[record + TYPE] * 4 + s[record + ROTATION]
        if has_meeple(s, tile):
            word += int64(s[record + MEEPLE] * 8 + s[record + OWNER] + 1) << 32
        h += rng.finalise(np.uint64(word + 1))
    for seat in range(s[NUM_SEATS]):
        h = rng.mix2(h, np.uint64(s[SCORE + seat] * 16 + s[HAND + seat]))
    for t in range(NUM_TYPES):
        h = rng.mix2(h, np.uint64(s[DISCARDED + t]))
    if s[FARMERS]:
        h = rng.mix2(h, np.uint64(s[FARMERS]))
    header = (((s[PLAYER] * 64 + s[TILE]) * 2 + s[OVER]) * 8 + s[NUM_SEATS]) * 4 + s[DISCARDS] * 2 + s[HALVES]
    return rng.mix2(h, np.uint64(header))
