"""Luck, notation and notes of a match of Carcassonne (a template; R: its rules; `games.courses` says what is asked)."""

from numpy import int64

from games.carcassonne import tiles
from games.carcassonne.state import *  # noqa: F403 - the layout's names are this file's vocabulary

T = tiles.load()
COUNT, START = T.count.astype("int64"), int64(T.start)
LEFT, UNDRAWN = 0, 1
"""Places in the memory: how many tiles are not drawn yet, and these, the next one last."""
LUCK = UNDRAWN + NUM_TILES
NOTES = 2
MIDDLE, WIDTH = 128, 256
"""As in `games.carcassonne.course`."""


@kernel
def deal(s, luck, r):
    """A permutation of the pool, as `TileDeal` draws it."""
    n = int64(0)
    for t in range(NUM_TYPES):
        for _ in range(COUNT[t] - int64(t == START)):
            luck[UNDRAWN + n] = t
            n += 1
    luck[LEFT] = n
    for i in range(n - 1, 0, -1):
        k = rng.below(r, int64(i + 1))
        luck[UNDRAWN + i], luck[UNDRAWN + k] = luck[UNDRAWN + k], luck[UNDRAWN + i]


@kernel
def draw(s, luck, r):
    """The type of the next tile; one that fits nowhere may go back among those not drawn."""
    n = luck[LEFT] - 1
    t = luck[UNDRAWN + n]
    if s[DISCARDS] == 0 and not R.is_placeable(s, t):
        k = rng.below(r, n + 1)
        for i in range(n, k, -1):
            luck[UNDRAWN + i] = luck[UNDRAWN + i - 1]
        luck[UNDRAWN + k] = t
        n += 1
    luck[LEFT] = n
    return t


@kernel
def spelling(s, action):
    """Type, column, row, rotation and claimed segment of the tile that is laid."""
    cell, turned = action // ACTION_CELL, action % ACTION_CELL
    x, y = int64(0), int64(0)
    for edge in range(4):
        other = int64(s[CELLS + R.step(cell, int64(edge))] & 255) - 1
        if other >= 0:
            beside = TILES + TILE_WORDS * other
            x, y = int64(s[beside + X]) - R.DX[edge], int64(s[beside + Y]) - R.DY[edge]
    place = ((int64(s[TILE]) - 1) * WIDTH + x + MIDDLE) * WIDTH + y + MIDDLE
    return place * ACTION_CELL + turned


@kernel
def note(s, points, out):
    """Points if the match ended here, and meeples in hand."""
    R.projected(s, points)
    for seat in range(out.shape[1]):
        out[0, seat] = points[seat]
        out[1, seat] = s[HAND + seat]
