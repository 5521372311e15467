"""Layout of a Carcassonne state: one flat int32 array, every offset named once.

Cells are numbers on a ring: cell(x, y) = (x + ROW * y) mod RING, with x east and y south of
the start tile. RING = 2r^2 + 2r + 1 and ROW = 2r + 1 (the perfect Lee code of radius r) keep
any two cells less than ROW steps apart distinct, so a board of N connected tiles never meets
itself for ROW > N + 3, on 2,965 cells instead of the 5,476 of a square that holds any board.
"""

from __future__ import annotations

from games.carcassonne import tiles

_TABLES = tiles.load()

MAX_SEATS = 5
MEEPLES_PER_SEAT = 7
NUM_TYPES = len(_TABLES.letters)
assert NUM_TYPES <= 31
NUM_TILES = int(_TABLES.count.sum())
SLOTS = tiles.SLOTS

_RADIUS = (NUM_TILES + 4) // 2
ROW = 2 * _RADIUS + 1
RING = 2 * _RADIUS * _RADIUS + 2 * _RADIUS + 1

# ---- header: HEADER words that a ply changes
PLAYER = 0  # seat to act, or for whom the next tile is drawn
TILE = 1  # drawn tile type + 1; 0 = a tile must be drawn
OVER = 2  # 1 once the match has ended and is scored
NUM_LAID = 3  # tiles on the board, start tile included
NUM_LEFT = 4  # tiles in the pool
NUM_FRONTIER = 5
NUM_MONASTERIES = 6  # monasteries that hold a meeple
NUM_STANDING = 7  # features that hold a meeple
NUM_EVENTS = 8  # features scored by the last ply
CITY_BITS = 9  # city segments laid: each has a bit of its own
MULTI_BITS = 10  # two words (cities, roads): tiles laid with several segments of the kind
FINISHED = 12  # two words: one bit of each finished city
FARMERS = 14  # option farmers, which never changes: NO_FARMERS, FARMERS_BY_CITY, 0 by field
HEADER = 16
NO_FARMERS, FARMERS_BY_CITY = 1, 2

# ---- what never changes
NUM_SEATS = HEADER  # 2 .. 5
DISCARDS = HEADER + 1  # option unplaceable: 0 return, 1 discard
HALVES = HEADER + 2  # option two_tile_city: 0 full, 1 half

# ---- per seat, MAX_SEATS words each
SCORE = HEADER + 3  # points; final scoring included once OVER
HAND = SCORE + MAX_SEATS  # meeples in hand, 0 .. 7
HAND_SUM = HAND + MAX_SEATS  # sum over own plies of meeples in hand before the ply
VAIN = HAND_SUM + MAX_SEATS  # own draws that fitted nowhere
SHARED = VAIN + MAX_SEATS  # features scored together with others
TAKEN_OVER = SHARED + MAX_SEATS  # features scored alone although others had a meeple there
LOST = TAKEN_OVER + MAX_SEATS  # features with own meeples where only others scored

# ---- per kind and seat: offset + kind * MAX_SEATS + seat
POINTS_FINISHED = LOST + MAX_SEATS
POINTS_OPEN = POINTS_FINISHED + 4 * MAX_SEATS  # from final scoring
FEATURES = POINTS_OPEN + 4 * MAX_SEATS  # features that gave points
PLACED = FEATURES + 4 * MAX_SEATS
RETURNED = PLACED + 4 * MAX_SEATS

# ---- per tile type
POOL_TYPES = RETURNED + 4 * MAX_SEATS  # one word: bits of the types in the pool
POOL = POOL_TYPES + 1  # copies still to be drawn
DISCARDED = POOL + NUM_TYPES

# ---- lists (length in the header; words beyond it are zero)
EVENTS = DISCARDED + NUM_TYPES  # EVENT words each: root node, kind, points, meeples
EVENT = 4
MAX_EVENTS = 14  # one tile ends at most 4 cities or roads and 9 monasteries (its own and 8 around)
MAX_CITIES = int((_TABLES.count * (_TABLES.kind.reshape(-1, SLOTS) == tiles.CITY).sum(axis=1)).sum())
MAX_MONASTERIES = int((_TABLES.count * (_TABLES.monastery >= 0)).sum())
MONASTERIES = EVENTS + EVENT * MAX_EVENTS  # nodes of monasteries that hold a meeple
STANDING = MONASTERIES + MAX_MONASTERIES  # root node << 2 | kind of each feature that holds a meeple
MAX_STANDING = MAX_SEATS * MEEPLES_PER_SEAT
FRONTIER = STANDING + MAX_STANDING  # empty cells beside a tile
MAX_FRONTIER = 2 * NUM_TILES + 2  # a row of N tiles has 2 N + 2 empty neighbours; no shape has more

# ---- tiles in the order laid: offset + TILE_WORDS * index; a record, then the tile's nodes
TILES = FRONTIER + MAX_FRONTIER
NODE_WORDS = 8
TILE_WORDS = 8 + NODE_WORDS * SLOTS
TYPE, ROTATION, CELL, X, Y, MEEPLE, OWNER, FIRST_BIT = range(8)
# MEEPLE: segment + 1 claimed in that ply, 0 none; FIRST_BIT: city bit of the tile's first segment

# ---- features: a forest of nodes, one a segment, by PARENT (union by size, no path
# compression, so that a write journal can undo it); the other words are valid at roots
NODES = TILES + 8  # node = NODES + TILE_WORDS * tile + NODE_WORDS * segment
PARENT, SIZE_, OPEN, PENNANTS, MULTI, MASK, MASK_HIGH, MEEPLES = range(8)
# SIZE_: distinct tiles of a city or road, merges of a field; neighbours + 1 of a claimed monastery
# OPEN: open edges (city, road)
# MULTI: bits of the tiles with several segments of this kind that belong to it
# MASK, MASK_HIGH: city bits: its own (city), those it touches (field; of each finished city at
# least the bit in FINISHED, so that a population count counts cities); 31 bits a word
# MEEPLES: 4 bits a seat
MASK_BITS = 31
assert MAX_CITIES <= 2 * MASK_BITS
assert MAX_SEATS * 4 <= MASK_BITS

# ---- cells of the ring: tile index + 1 where one lies; else edge pattern << 8 | frontier
# position << 16 for a frontier cell (pattern: 2 bits an edge, never 0 there), else 0
CELLS = TILES + TILE_WORDS * NUM_TILES
SIZE = CELLS + RING

MAX_ACTIONS = MAX_FRONTIER * 4 * (SLOTS + 1)
"""Bound: every empty neighbour cell, four rotations, every segment or none."""
ACTION_ROTATION = SLOTS + 1
ACTION_CELL = 4 * (SLOTS + 1)
"""Action = cell * ACTION_CELL + rotation * ACTION_ROTATION + (segment + 1, or 0 for no meeple)."""
