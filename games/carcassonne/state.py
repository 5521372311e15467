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
NUM_TILES = int(_TABLES.count.sum())
SLOTS = tiles.SLOTS

_RADIUS = (NUM_TILES + 4) // 2
ROW = 2 * _RADIUS + 1
RING = 2 * _RADIUS * _RADIUS + 2 * _RADIUS + 1

# ---- header, one word each
NUM_SEATS = 0  # 2 .. 5
DISCARDS = 1  # option unplaceable: 0 return, 1 discard
HALVES = 2  # option two_tile_city: 0 full, 1 half
PLAYER = 3  # seat to act, or for whom the next tile is drawn
TILE = 4  # drawn tile type + 1; 0 = a tile must be drawn
OVER = 5  # 1 once the match has ended and is scored
NUM_LAID = 6  # tiles on the board, start tile included
NUM_LEFT = 7  # tiles in the pool
NUM_FRONTIER = 8
NUM_MONASTERIES = 9
NUM_CITIES = 10  # finished cities
NUM_EVENTS = 11  # features scored by the last ply
CITY_BITS = 12  # city segments laid: each has a bit of its own
MULTI_BITS = 13  # two words (cities, roads): tiles laid with several segments of the kind
NUM_STANDING = 15  # features that hold a meeple

# ---- per seat, MAX_SEATS words each
SCORE = 16  # points; final scoring included once OVER
HAND = SCORE + MAX_SEATS  # meeples in hand, 0 .. 7
PLIES = HAND + MAX_SEATS  # own plies so far
HAND_SUM = PLIES + MAX_SEATS  # sum over own plies of meeples in hand before the ply
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
POOL = RETURNED + 4 * MAX_SEATS  # copies still to be drawn
DISCARDED = POOL + NUM_TYPES

# ---- lists (length in the header; words beyond it are zero)
EVENTS = DISCARDED + NUM_TYPES  # EVENT words each: root node, kind, points, meeples
EVENT = 4
MAX_EVENTS = 14  # one tile ends at most 4 cities or roads and 9 monasteries (its own and 8 around)
CITIES = EVENTS + EVENT * MAX_EVENTS  # root nodes of finished cities
MAX_CITIES = int((_TABLES.count * (_TABLES.kind.reshape(-1, SLOTS) == tiles.CITY).sum(axis=1)).sum())
MAX_MONASTERIES = int((_TABLES.count * (_TABLES.monastery >= 0)).sum())
MONASTERIES = CITIES + MAX_CITIES  # tile indices
STANDING = MONASTERIES + MAX_MONASTERIES  # root node << 2 | kind of each feature that holds a meeple
MAX_STANDING = MAX_SEATS * MEEPLES_PER_SEAT
FRONTIER = STANDING + MAX_STANDING  # empty cells beside a tile
MAX_FRONTIER = 2 * NUM_TILES + 2  # a row of N tiles has 2 N + 2 empty neighbours; no shape has more

# ---- tiles in the order laid: offset + TILE_WORDS * index
TILES = FRONTIER + MAX_FRONTIER
TILE_WORDS = 8
TYPE, ROTATION, CELL, X, Y, MEEPLE, OWNER = range(7)  # MEEPLE: segment + 1 claimed in that ply, 0 none

# ---- features: node = tile index * SLOTS + segment, a forest by PARENT (union by size, no
# path compression, so that a write journal can undo it); the words are valid at roots
NODES = TILES + TILE_WORDS * NUM_TILES
NODE_WORDS = 8
PARENT, SIZE_, OPEN, PENNANTS, MULTI, MASK, MASK_HIGH, MEEPLES = range(8)
# SIZE_: distinct tiles of a city or road, neighbours + 1 of a monastery, merges of a field
# OPEN: open edges (city, road) or missing neighbours (monastery)
# MULTI: bits of the tiles with several segments of this kind that belong to it
# MASK, MASK_HIGH: city bits: its own (city), those it touches (field); 31 bits a word
# MEEPLES: 4 bits a seat
MASK_BITS = 31
assert MAX_CITIES <= 2 * MASK_BITS
assert MAX_SEATS * 4 <= MASK_BITS

# ---- cells of the ring: tile index + 1 where one lies; else edge pattern << 8 | frontier
# position << 16 for a frontier cell (pattern: 2 bits an edge, never 0 there), else 0
CELLS = NODES + NODE_WORDS * SLOTS * NUM_TILES
SIZE = CELLS + RING

MAX_ACTIONS = MAX_FRONTIER * 4 * (SLOTS + 1)
"""Bound: every empty neighbour cell, four rotations, every segment or none."""
ACTION_ROTATION = SLOTS + 1
ACTION_CELL = 4 * (SLOTS + 1)
"""Action = cell * ACTION_CELL + rotation * ACTION_ROTATION + (segment + 1, or 0 for no meeple)."""
