"""The tiles in the order in which searches try them: most pips first, then in tile order.

Sets of tiles that searches hold have bit i for the i-th tile of this order, so that the lowest bit is
the tile to be tried first; pips of a set are four population counts.
"""

from __future__ import annotations

import numpy as np

from games.dominoes import tiles

TILE = np.array(sorted(range(tiles.NUM_TILES), key=lambda tile: (-int(tiles.PIPS[tile]), tile)), np.int64)
"""TILE[i]: the tile (`tiles.TILES`) at place i."""
PLACE = np.argsort(TILE).astype(np.int64)
"""PLACE[tile]: its place."""
PIPS = tiles.PIPS[TILE]
FIRST = tiles.FIRST[TILE]
SUIT = np.array(
    [sum(1 << i for i, tile in enumerate(TILE.tolist()) if int(suit) >> tile & 1) for suit in tiles.SUIT], np.int64
)
"""SUIT[n]: places of the tiles with the number n."""
DOUBLES = sum(1 << i for i, tile in enumerate(TILE.tolist()) if tiles.DOUBLES >> tile & 1)
PLANE_0, PLANE_1, PLANE_2, PLANE_3 = (
    sum(1 << i for i, pips in enumerate(PIPS.tolist()) if pips >> bit & 1) for bit in range(4)
)
"""Places of the tiles whose pips have that bit."""
