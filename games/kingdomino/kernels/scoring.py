"""Points of a kingdom: a part of the rules of Kingdomino (`rules.py`).

Arguments as in `rules.py`; k: offset of a kingdom in the state. Areas are found by flood fill
whenever they are asked for.
"""

from numpy import int64

from games.kingdomino.state import *  # noqa: F403 - the layout's names are this file's vocabulary

board = part("squares")
squares, beside, count, occupied = board.squares, board.beside, board.count, board.occupied
NONE, ONE = board.NONE, board.ONE
OFF, BOOK = 3, 4


@kernel
def area_of(seed, land):
    """All squares of `land` that hang together with those of `seed`."""
    while True:
        grown = (seed | beside(seed)) & land
        if grown == seed:
            return grown
        seed = grown


@kernel
def area_points(s, k):
    """Squares times crowns, over all areas of a kingdom."""
    crowned = squares(s, k + CROWNED)
    if crowned == NONE:
        return int64(0)
    two, three = squares(s, k + CROWNED + 2), squares(s, k + CROWNED + 4)
    points = int64(0)
    for t in range(NUM_TERRAINS):
        land = squares(s, k + 2 * t)
        seeds = land & crowned
        while seeds != NONE:
            area = area_of(seeds & (~seeds + ONE), land)
            seeds &= ~area
            points += count(area) * (count(area & crowned) + count(area & two) + count(area & three))
    return points


@kernel
def num_squares(s, seat):
    """Squares of a kingdom, the castle included."""
    return count(occupied(s, seat))


@kernel
def middle_points(s, k, seat):
    """Middle Kingdom: 10 points while the castle is in the middle (option `middle`), as the book has it at the end."""
    mode, reach = s[MIDDLE], s[LIMIT] // 2
    if mode == OFF or (mode == BOOK and s[PLAYER] != -2):
        return int64(0)
    west, east, north, south = -s[k + WEST], s[k + EAST], -s[k + NORTH], s[k + SOUTH]
    if mode == 0:
        fits = west <= reach and east <= reach and north <= reach and south <= reach
    else:
        fits = west == east and north == south
        if mode == 2:
            fits = fits and num_squares(s, seat) == s[LIMIT] * s[LIMIT]
    return int64(10) if fits else int64(0)


@kernel
def harmony_points(s, k, seat):
    """Harmony: 5 points for a full kingdom (option `harmony`), or once it can lose no domino any more."""
    mode = s[HARMONY]
    if mode == 2:
        return int64(0)
    if mode == 1:
        return int64(5) if s[PLAYER] == -2 and s[k + DISCARDS] == 0 else int64(0)
    return int64(5) if num_squares(s, seat) == s[LIMIT] * s[LIMIT] else int64(0)


@kernel
def scores(s, out):
    """Points per seat as the kingdoms stand."""
    for seat in range(s[NUM_SEATS]):
        k = KINGDOMS + KINGDOM * seat
        out[seat] = area_points(s, k) + middle_points(s, k, seat) + harmony_points(s, k, seat)


@kernel
def scores_at_end(s, out):
    """Points per seat if the match ended here: what the rule book gives then alone, too."""
    scores(s, out)
    if s[MIDDLE] == BOOK and s[PLAYER] != -2:
        for seat in range(s[NUM_SEATS]):
            k = KINGDOMS + KINGDOM * seat
            out[seat] += 10 * int64(s[k + WEST] == -s[k + EAST] and s[k + NORTH] == -s[k + SOUTH])
