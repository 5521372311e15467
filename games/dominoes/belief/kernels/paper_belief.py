"""The belief of the DominAI paper in closed form (a part of the rules).

The paper gives each hidden tile to every other seat with chance 1/3, sets it to zero for a seat
that has passed on one of its numbers, reweights by the tiles that seats hold after each turn, and
renormalises each tile by itself. After any turns that comes to: tiles held by the seat, divided by
the sum of tiles held by all seats that may hold the tile. Hand sizes do not bind: a seat's chances
need not add up to its tiles. Arrays: s int32[SIZE], out float64[28, 4].
"""

from numpy import int64

from games.dominoes import tiles
from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

FIRST, SECOND, NUM_TILES = tiles.FIRST, tiles.SECOND, tiles.NUM_TILES


@kernel
def may_hold(s, seat, tile):
    """Whether a seat may hold a hidden tile: it has not passed on either number, where passes prove that."""
    lacking = int64(s[LACKS + seat])
    return s[ENFORCE_PASS] == 0 or (lacking >> FIRST[tile] & 1 == 0 and lacking >> SECOND[tile] & 1 == 0)


@kernel
def chance(s, seat, tile, other):
    """Chance, as the paper believes from a seat, that another seat holds a tile hidden from it."""
    if not may_hold(s, other, tile):
        return 0.0
    room = 0.0
    for k in range(MAX_SEATS):
        if k != seat and may_hold(s, k, tile):
            room += s[COUNT + k]
    return s[COUNT + other] / room


@kernel
def paper(s, seat, out):
    """Chance of each tile to be with each seat, as the paper believes from a seat; on the table: zeros."""
    for tile in range(NUM_TILES):
        for other in range(MAX_SEATS):
            out[tile, other] = 0.0
        if int64(s[UNPLAYED]) >> tile & 1 == 0:
            continue
        if int64(s[HAND + seat]) >> tile & 1:
            out[tile, seat] = 1.0
            continue
        for other in range(MAX_SEATS):
            if other != seat:
                out[tile, other] = chance(s, seat, tile, other)
