"""Carcassonne written as numbers (a template over the rules, R; `games.encodings` lists the kernels).

s: int32[SIZE], a state; seat: who looks; out: the array written to; n: where in it; whole numbers are int64.
"""

import numpy as np
from numpy import int64

from games.carcassonne import learning, tiles
from games.carcassonne.state import *  # noqa: F403 - the layout's names are this file's vocabulary

T = tiles.load()
RADIUS, SIDE, NUM_PLANES, MEEPLE_STEP = learning.RADIUS, learning.SIDE, learning.NUM_PLANES, learning.MEEPLE
CELLS_OF_PLANE = SIDE * SIDE
EDGE, EDGE_SEGMENT, MONASTERY_OF, KIND = T.edge, T.edge_segment, T.monastery, T.kind
ROAD_CODE, CITY_CODE = tiles.EDGE_CODES["road"], tiles.EDGE_CODES["city"]
PENNANTS_OF = T.pennants.reshape(-1, SLOTS).sum(axis=1).astype(np.int64)
PAIRS = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], np.int64)
ROADS, CITIES, JOINED, MONASTERY_PLANE, PENNANT_PLANE, OWN, OTHERS, OWN_FEATURES, OTHER_FEATURES = (
    1,
    5,
    9,
    15,
    16,
    17,
    21,
    25,
    29,
)


@kernel
def put(out, plane, cell, value):
    """Set one cell of one plane; cell: row by row."""
    out[plane * CELLS_OF_PLANE + cell] = value


@kernel
def write_edges(s, tile, row, seat, out, cell):
    """Roads, cities and who has a meeple there, at the four edges of a tile. row: 4 * type + rotation."""
    for edge in range(4):
        code = EDGE[4 * row + edge]
        if code == ROAD_CODE:
            put(out, ROADS + edge, cell, 1)
        elif code == CITY_CODE:
            put(out, CITIES + edge, cell, 1)
        else:
            continue
        root = R.root(s, R.node(tile, int64(EDGE_SEGMENT[4 * row + edge])))
        meeples = int64(s[root + MEEPLES])
        own = (meeples >> (4 * seat)) & 15
        if own:
            put(out, OWN_FEATURES + edge, cell, 1)
        if meeples - (own << (4 * seat)):
            put(out, OTHER_FEATURES + edge, cell, 1)


@kernel
def write_tile(s, tile, seat, out):
    """One tile of the board where zeros stand; return whether it lies within the planes."""
    record = TILES + TILE_WORDS * tile
    x, y, t = int64(s[record + X]) + RADIUS, int64(s[record + Y]) + RADIUS, int64(s[record + TYPE])
    if x < 0 or x >= SIDE or y < 0 or y >= SIDE:
        return False
    cell, row = y * SIDE + x, 4 * t + int64(s[record + ROTATION])
    put(out, 0, cell, 1)
    write_edges(s, tile, row, seat, out, cell)
    for pair in range(6):
        segment = EDGE_SEGMENT[4 * row + PAIRS[pair, 0]]
        if segment >= 0 and segment == EDGE_SEGMENT[4 * row + PAIRS[pair, 1]]:
            put(out, JOINED + pair, cell, 1)
    put(out, MONASTERY_PLANE, cell, int64(MONASTERY_OF[t] >= 0))
    put(out, PENNANT_PLANE, cell, PENNANTS_OF[t])
    if R.has_meeple(s, tile):
        kind, owner = int64(KIND[SLOTS * t + s[record + MEEPLE] - 1]), int64(s[record + OWNER])
        if owner == seat:
            put(out, OWN + kind, cell, 1)
        else:
            put(out, OTHERS + kind, cell, (owner - seat + s[NUM_SEATS]) % s[NUM_SEATS])
    return True


@kernel
def write_hand(s, chosen, out, n):
    """The tile in hand and the place chosen for it, where zeros stand; return where the next block begins."""
    if s[TILE] and s[OVER] == 0:
        t, rotation = int64(s[TILE]) - 1, chosen % 4 if chosen >= 0 else int64(0)
        out[n + t] = 1
        for edge in range(4):
            code = EDGE[4 * (4 * t + rotation) + edge]
            out[n + NUM_TYPES + 2 * edge] = code == ROAD_CODE
            out[n + NUM_TYPES + 2 * edge + 1] = code == CITY_CODE
        if chosen >= 0:
            at = n + NUM_TYPES + 8
            out[at], out[at + 3 + rotation] = 1, 1
            write_place(s, chosen // 4, out, at + 1)
    return n + NUM_TYPES + 15


@kernel
def write_place(s, cell, out, n):
    """x and y of an empty cell, from a tile beside it."""
    for edge in range(4):
        other = int64(s[CELLS + R.step(cell, edge)] & 255) - 1
        if other >= 0:
            record = TILES + TILE_WORDS * other
            out[n], out[n + 1] = s[record + X] - R.DX[edge], s[record + Y] - R.DY[edge]


@kernel
def observe(s, seat, chosen, out):
    """The whole observation of a seat."""
    out[:] = 0
    beyond = int64(0)
    for tile in range(s[NUM_LAID]):
        beyond += not write_tile(s, int64(tile), seat, out)
    n, seats = int64(NUM_PLANES * CELLS_OF_PLANE), int64(s[NUM_SEATS])
    out[n], out[n + 1], out[n + 2] = s[NUM_LAID], s[NUM_LEFT], beyond
    n += 3
    player = R.current_player(s)
    if player >= 0:
        out[n + (player - seat + seats) % seats] = 1
    n = write_hand(s, chosen if player == seat else int64(-1), out, n + seats)
    for t in range(NUM_TYPES):
        out[n + t] = s[POOL + t]
    n += NUM_TYPES
    for i in range(seats):
        other = (seat + i) % seats
        out[n + i], out[n + seats + i] = s[SCORE + other], s[HAND + other]


@kernel
def legal_numbers(s, chosen, out):
    """Write places in the first step, in the second meeples at the chosen one; return how many."""
    n = int64(0)
    if R.current_player(s) < 0:
        return n
    if chosen >= 0:
        base = chosen // 4 * ACTION_CELL + chosen % 4 * ACTION_ROTATION
        for claim in range(R.NUM_SEGMENTS[s[TILE] - 1] + 1):
            if R.is_legal(s, base + claim):
                out[n] = MEEPLE_STEP + claim
                n += 1
        return n
    for i in range(s[NUM_FRONTIER]):
        cell = int64(s[FRONTIER + i])
        for rotation in range(4):
            if R.is_legal(s, cell * ACTION_CELL + rotation * ACTION_ROTATION):
                out[n] = 4 * cell + rotation
                n += 1
    return n


@kernel
def action(s, chosen, number):
    """The action of a place and a meeple, -1 for a place alone."""
    if number < MEEPLE_STEP:
        return int64(-1)
    return chosen // 4 * ACTION_CELL + chosen % 4 * ACTION_ROTATION + number - MEEPLE_STEP


@kernel
def standing(s, seat):
    """Points."""
    return int64(s[SCORE + seat])
