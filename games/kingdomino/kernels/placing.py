"""Placements of dominoes: where they may lie, and laying them, a part of the rules of Kingdomino (`rules.py`).

Arguments as in `rules.py`; k: offset of a kingdom in the state.
"""

from numpy import int64, uint64

from games.kingdomino import dominoes
from games.kingdomino.state import *  # noqa: F403 - the layout's names are this file's vocabulary

board = part("squares")
squares, put, moved, beside = board.squares, board.put, board.moved, board.beside
occupied, within, COLUMNS, ROWS, SPAN = board.occupied, board.within, board.COLUMNS, board.ROWS, board.SPAN
NONE, CASTLE, ONE = board.NONE, board.CASTLE, board.ONE
T = dominoes.load()
END_TERRAIN, END_CROWNS, IS_EQUAL = T.terrain, T.crowns, T.is_equal


@kernel
def pairs(empty, touching_a, touching_b, is_equal):
    """Squares where end a of a domino may lie, end b to the right of it, below, left, above: four sets.

    Both ends lie on empty squares, one at least where its own set of touching squares says. A
    domino with equal ends has its end a to the left or above.
    """
    right = empty & moved(empty, LEFT) & (touching_a | moved(touching_b, LEFT))
    down = empty & moved(empty, UP) & (touching_a | moved(touching_b, UP))
    if is_equal:
        return right, down, NONE, NONE
    left = empty & moved(empty, RIGHT) & (touching_a | moved(touching_b, RIGHT))
    up = empty & moved(empty, DOWN) & (touching_a | moved(touching_b, DOWN))
    return right, down, left, up


@kernel
def seams(limit, west, east, north, south):
    """Lines that no end a may lie on, end b to the right of it, below, left, above: they end at the board's seams.

    A kingdom six wide, in a limit of seven, has one line free at each side: these two meet on the board of 8 lines.
    """
    right = down = left = up = NONE
    if limit == 7:
        if east - west == 5:
            right, left = COLUMNS[east + 1 + SPAN, east + 1 + SPAN], COLUMNS[west - 1 + SPAN, west - 1 + SPAN]
        if south - north == 5:
            down, up = ROWS[south + 1 + SPAN, south + 1 + SPAN], ROWS[north - 1 + SPAN, north - 1 + SPAN]
    return right, down, left, up


@kernel
def unseamed(sets, limit, west, east, north, south):
    """Placements less those across `seams`."""
    right, down, left, up = seams(limit, west, east, north, south)
    return sets[0] & ~right, sets[1] & ~down, sets[2] & ~left, sets[3] & ~up


@kernel
def placements(s, seat, domino):
    """Squares where a domino may be placed in a kingdom: four sets, as `pairs`.

    One end at least lies beside the castle or its own terrain, and the kingdom keeps its limit.
    """
    k, limit = KINGDOMS + KINGDOM * seat, int64(s[LIMIT])
    west, east, north, south = int64(s[k + WEST]), int64(s[k + EAST]), int64(s[k + NORTH]), int64(s[k + SOUTH])
    empty = within(limit, west, east, north, south) & ~occupied(s, seat)
    touching_a = beside(squares(s, k + 2 * END_TERRAIN[2 * domino]) | CASTLE)
    touching_b = beside(squares(s, k + 2 * END_TERRAIN[2 * domino + 1]) | CASTLE)
    sets = pairs(empty, touching_a, touching_b, IS_EQUAL[domino])
    return unseamed(sets, limit, west, east, north, south)


@kernel
def coordinate(line, low, high, limit, step):
    """Column (row) of a square that a domino may cover, from its line on the board of 8.

    low, high: bounds of the kingdom; step: towards the domino's other end along this axis.
    Beside a kingdom five wide, in a limit of seven, the second lines at both sides are one line
    of the board: which of them is meant shows in the step, for the other end is nearer.
    """
    first = max(high - limit + 1, low - 2)
    if limit == 7 and high - low == 4 and step < 0 and ((line - first) & 7) == 0:
        return high + 2
    return ((line - first) & 7) + first


@kernel
def add_square(s, k, domino, end, square, j):
    """Lay one end of a domino on a square."""
    here = ONE << uint64(square)
    at = k + TERRAIN + 2 * END_TERRAIN[2 * domino + end]
    put(s, at, squares(s, at) | here, j)
    for level in range(END_CROWNS[2 * domino + end]):
        at = k + CROWNED + 2 * level
        put(s, at, squares(s, at) | here, j)


@kernel
def stretch(s, k, x, y, j):
    """Let the kingdom's bounds hold a square."""
    if x < s[k + WEST]:
        journal.write(s, k + WEST, x, j)
    if x > s[k + EAST]:
        journal.write(s, k + EAST, x, j)
    if y < s[k + NORTH]:
        journal.write(s, k + NORTH, y, j)
    if y > s[k + SOUTH]:
        journal.write(s, k + SOUTH, y, j)


@kernel
def place(s, seat, domino, placement, j):
    """Lay a domino in a kingdom."""
    k = KINGDOMS + KINGDOM * seat
    square, direction = placement >> 2, placement & 3
    dx = int64(direction == RIGHT) - int64(direction == LEFT)
    dy = int64(direction == DOWN) - int64(direction == UP)
    limit = int64(s[LIMIT])
    x = coordinate(square & 7, int64(s[k + WEST]), int64(s[k + EAST]), limit, dx)
    y = coordinate(square >> 3, int64(s[k + NORTH]), int64(s[k + SOUTH]), limit, dy)
    add_square(s, k, domino, 0, square, j)
    add_square(s, k, domino, 1, 8 * ((y + dy) & 7) + ((x + dx) & 7), j)
    stretch(s, k, x, y, j)
    stretch(s, k, x + dx, y + dy, j)


@kernel
def resolve(s, seat, domino, placement, j):
    """The domino chosen a round ago is placed, or discarded."""
    fate = s[FATE + domino]
    if placement == NOWHERE:
        k = KINGDOMS + KINGDOM * seat
        journal.write(s, k + DISCARDS, s[k + DISCARDS] + 1, j)
        journal.write(s, FATE + domino, fate | (DISCARDED << FATE_STATE), j)
        return
    place(s, seat, domino, placement, j)
    laid = (PLACED << FATE_STATE) | ((placement >> 2) << FATE_CELL) | ((placement & 3) << FATE_TURN)
    journal.write(s, FATE + domino, fate | laid, j)


@kernel
def laid_as(fate):
    """The placement of a domino that has been placed or discarded."""
    if (fate >> FATE_STATE) & 3 == DISCARDED:
        return int64(NOWHERE)
    return ((fate >> FATE_CELL) & 63) * 4 + ((fate >> FATE_TURN) & 3)
