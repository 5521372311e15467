"""What a kingdom holds, counted for metrics and official ties: a part of the rules of Kingdomino (`rules.py`)."""

from numpy import int64

from games.kingdomino.state import *  # noqa: F403 - the layout's names are this file's vocabulary

board, scoring = part("squares"), part("scoring")
squares, beside, count, occupied, within = board.squares, board.beside, board.count, board.occupied, board.within
NONE, ONE, COLUMNS, ROWS, SPAN = board.NONE, board.ONE, board.COLUMNS, board.ROWS, board.SPAN
area_of = scoring.area_of
TALLY_POINTS, TALLY_SQUARES, TALLY_CROWNS, TALLY_AREAS = 0, 1, 2, 3
TALLY_LARGEST, TALLY_HOLES, TALLY_MIDDLE, TALLY_HARMONY = 0, 1, 2, 3


@kernel
def holes(s, seat):
    """Empty squares within a kingdom's bounds that have no empty neighbour within its reach."""
    k, limit = KINGDOMS + KINGDOM * seat, int64(s[LIMIT])
    west, east, north, south = int64(s[k + WEST]), int64(s[k + EAST]), int64(s[k + NORTH]), int64(s[k + SOUTH])
    empty = within(limit, west, east, north, south) & ~occupied(s, seat)
    inside = COLUMNS[west + SPAN, east + SPAN] & ROWS[north + SPAN, south + SPAN]
    return count(empty & inside & ~beside(empty))


@kernel
def tally(s, seat, out):
    """Count a kingdom. out: int64[NUM_TERRAINS + 1, 4], zeros.

    By terrain: points, squares, crowns, areas; in the last row: squares of the largest area, holes, points from
    the middle kingdom and from harmony.
    """
    k, rest = KINGDOMS + KINGDOM * seat, out[NUM_TERRAINS]
    one, two, three = squares(s, k + CROWNED), squares(s, k + CROWNED + 2), squares(s, k + CROWNED + 4)
    for t in range(NUM_TERRAINS):
        land = squares(s, k + 2 * t)
        left = land
        while left != NONE:
            area = area_of(left & (~left + ONE), land)
            left &= ~area
            size, crowns = count(area), count(area & one) + count(area & two) + count(area & three)
            out[t, TALLY_POINTS] += size * crowns
            out[t, TALLY_SQUARES] += size
            out[t, TALLY_CROWNS] += crowns
            out[t, TALLY_AREAS] += 1
            rest[TALLY_LARGEST] = max(rest[TALLY_LARGEST], size)
    rest[TALLY_HOLES] = holes(s, seat)
    rest[TALLY_MIDDLE] = scoring.middle_points(s, k, seat)
    rest[TALLY_HARMONY] = scoring.harmony_points(s, k, seat)
