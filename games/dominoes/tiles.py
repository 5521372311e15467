"""The 28 tiles of the double-six set: their order, pips and suits."""

from __future__ import annotations

import numpy as np

NUM_NUMBERS = 7
HAND_SIZE = 7
TILES = tuple((a, b) for a in range(NUM_NUMBERS) for b in range(a, NUM_NUMBERS))
"""Tile order: 0-0, 0-1, ... 0-6, 1-1, ... 6-6; the lower number first."""
NUM_TILES = len(TILES)
INDEX = {pair: index for index, pair in enumerate(TILES)}
ALL = (1 << NUM_TILES) - 1
"""The set of all tiles; a set is an integer with bit `index` for each tile."""

FIRST = np.array([a for a, _ in TILES], np.int64)
SECOND = np.array([b for _, b in TILES], np.int64)
PIPS = FIRST + SECOND
SUIT = np.array(
    [sum(1 << i for i, pair in enumerate(TILES) if number in pair) for number in range(NUM_NUMBERS)], np.int64
)
"""SUIT[n]: the seven tiles with the number n."""
WITH_ANY = np.array(
    [
        sum(1 << i for i, (a, b) in enumerate(TILES) if numbers >> a & 1 or numbers >> b & 1)
        for numbers in range(1 << NUM_NUMBERS)
    ],
    np.int64,
)
"""WITH_ANY[numbers]: tiles with a number of the set `numbers` (bit n for the number n)."""
DOUBLES = sum(1 << INDEX[n, n] for n in range(NUM_NUMBERS))


def tile_indices(tiles: int) -> tuple[int, ...]:
    """Indices of a set of tiles, in tile order."""
    return tuple(index for index in range(NUM_TILES) if tiles >> index & 1)


def index_of(a: int, b: int) -> int:
    """Index of the tile with two numbers, in either order. Raises ValueError where there is none."""
    pair = (min(a, b), max(a, b))
    if pair not in INDEX:
        raise ValueError(f"{a}-{b} is no tile of the double-six set")
    return INDEX[pair]


def name(index: int) -> str:
    """``2-5``: the lower number first."""
    a, b = TILES[index]
    return f"{a}-{b}"
