"""Sets of squares of Kingdomino: a part of the rules (`rules.py`), a template of `games.loader`.

A set is the 64 bits of a board of 8 x 8 squares that ends meet (see `state.py`).
"""

import numpy as np
from numpy import int64, uint64

from games.kingdomino.state import *  # noqa: F403 - the layout's names are this file's vocabulary

NONE, CASTLE, ONE = uint64(0), uint64(1), uint64(1)
HALF = uint64(0xFFFFFFFF)
WEST_COLUMN, EAST_COLUMN = uint64(0x0101010101010101), uint64(0x8080808080808080)
_7, _8, _32, _56 = uint64(7), uint64(8), uint64(32), uint64(56)
SPAN = 9  # coordinates of a domino's squares lie between -SPAN and SPAN


def _lines(line):
    """[from + SPAN, to + SPAN] -> the squares of these rows or columns; all where they are 8 or more."""
    table = np.zeros((2 * SPAN + 1, 2 * SPAN + 1), np.uint64)
    for first in range(-SPAN, SPAN + 1):
        for last in range(first, SPAN + 1):
            squares = 0
            for k in range(first, last + 1):
                squares |= line(k % 8)
            table[first + SPAN, last + SPAN] = squares
    return table


COLUMNS = _lines(lambda k: 0x0101010101010101 << k)
ROWS = _lines(lambda k: 0xFF << (8 * k))


@kernel
def squares(s, at):
    """The set whose two words begin at `at`."""
    return (uint64(s[at]) & HALF) | (uint64(s[at + 1]) << _32)


@kernel
def put(s, at, value, j):
    """Store a set in two words."""
    low, high = int64(value & HALF), int64(value >> _32)
    journal.write(s, at, low - ((low >> 31) << 32), j)
    journal.write(s, at + 1, high - ((high >> 31) << 32), j)


@kernel
def moved(m, direction):
    """The set one square further in a direction."""
    if direction == RIGHT:
        return ((m << ONE) & ~WEST_COLUMN) | ((m >> _7) & WEST_COLUMN)
    if direction == LEFT:
        return ((m >> ONE) & ~EAST_COLUMN) | ((m << _7) & EAST_COLUMN)
    if direction == DOWN:
        return (m << _8) | (m >> _56)
    return (m >> _8) | (m << _56)


@kernel
def beside(m):
    """The squares next to a set, its own among them where they are neighbours."""
    return moved(m, RIGHT) | moved(m, LEFT) | moved(m, DOWN) | moved(m, UP)


@kernel
def occupied(s, seat):
    """All squares of a kingdom, the castle included."""
    k = KINGDOMS + KINGDOM * seat
    filled = CASTLE
    for t in range(NUM_TERRAINS):
        filled |= squares(s, k + 2 * t)
    return filled


@kernel
def count(m):
    """Squares of a set."""
    return bits.popcount(m)


@kernel
def nth(m, n):
    """Index of the n-th lowest square of a set."""
    for _ in range(n):
        m &= m - ONE
    return bits.lowest_bit(m)


@kernel
def within(limit, west, east, north, south):
    """Squares that keep a kingdom with these bounds within its limit."""
    columns = COLUMNS[max(east - limit + 1, -SPAN) + SPAN, min(west + limit - 1, SPAN) + SPAN]
    return columns & ROWS[max(south - limit + 1, -SPAN) + SPAN, min(north + limit - 1, SPAN) + SPAN]
