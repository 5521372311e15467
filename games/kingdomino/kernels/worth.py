"""Promise of a kingdom of Kingdomino: a part of `informed.py` (a template of `games.loader`, rules in R).

Everything is counted for one seat in POINT-ths of a point. An area of n squares and c crowns is
worth its points, and what may still come to it: ALPHA n^GAMMA for each crown of its terrain that
the seat may expect from the dominoes still to be drawn, and BETA c for each square of it. A shape
costs HOLE for each empty square with no empty neighbour, END for each with one, ODD for each part
of an odd number of empty squares; it gains FLEX times the share of what is to come that fits.

The weights were fitted by matches against the weights before (`tests/bench/fit_informed.py`).
"""

import numpy as np
from numpy import int64, uint64

from games.kingdomino import dominoes

greedy = part("greedy")
NONE, ONE, CASTLE = R.NONE, uint64(1), R.CASTLE
SQUARES = int64(64)
FIRST_END, SECOND_END = SQUARES * R.NUM_TERRAINS, SQUARES * (R.NUM_TERRAINS + 1)
"""In the buffer: a map of 64 words for each terrain, then those of the ends of the domino just placed."""
PROSPECTS = SECOND_END + SQUARES
"""In the buffer, behind the maps: of each terrain what n^GAMMA squares, and what a crown, promise."""
KEPT = PROSPECTS + 2 * R.NUM_TERRAINS
"""Behind it: placements kept, two words each."""
POINT = int64(256)
FULL = 5 * POINT
"""A kingdom without a hole."""

WEIGHTS = ("alpha", "beta", "hole", "end", "odd", "flex", "follow", "place", "gamma")
"""See above; follow: what the chosen domino adds, place: each place further down the row."""
ALPHA, BETA, HOLE, END, ODD, FLEX, FOLLOW, PLACE = range(8)
POWERS, LARGEST = 8, 49
"""In the weights: n^GAMMA for n up to LARGEST."""
FITTED = (0.65, 0.34, 4.0, 0.44, 1.0, 2.0, 0.77, 0.68, 1.37)


def table(values):
    """The weights, in the order of WEIGHTS, as kernels take them."""
    row = np.zeros(POWERS + LARGEST + 1, np.int64)
    row[:POWERS] = np.round(POINT * np.array(values[:POWERS]))
    row[POWERS:] = np.round(POINT * np.arange(LARGEST + 1.0) ** values[POWERS])
    return row


def _sets(number_of):
    """[terrain, n - 1] -> the dominoes, as bits, of which number_of(domino, terrain) is n or more."""
    sets = np.zeros((R.NUM_TERRAINS, dominoes.MAX_CROWNS), np.uint64)
    for terrain in range(R.NUM_TERRAINS):
        for domino in range(R.NUM_DOMINOES):
            sets[terrain, : number_of(domino, terrain)] |= uint64(1 << domino)
    return sets


def _ends(domino, terrain):
    return [end for end in (2 * domino, 2 * domino + 1) if R.END_TERRAIN[end] == terrain]


SQUARES_OF = _sets(lambda domino, terrain: len(_ends(domino, terrain)))
CROWNS_OF = _sets(lambda domino, terrain: sum(int(R.END_CROWNS[end]) for end in _ends(domino, terrain)))


# ---------------------------------------------------------------- areas
@kernel
def prospect(s, w, buffer):
    """Write what squares and crowns of each terrain promise the seat on turn."""
    left, share = R.drafting.pool(s), 0.0
    undrawn, rows = R.count(left), int64(s[R.NUM_ROWS]) - int64(s[R.ROUND])
    if rows > 0 and undrawn > 0:
        share = rows * s[R.NUM_KINGS] / (undrawn * s[R.NUM_SEATS])
    for t in range(R.NUM_TERRAINS):
        land, crowns = int64(0), int64(0)
        for n in range(dominoes.MAX_CROWNS):
            land += R.count(left & SQUARES_OF[t, n])
            crowns += R.count(left & CROWNS_OF[t, n])
        buffer[PROSPECTS + 2 * t] = int64(w[ALPHA] * crowns * share)
        buffer[PROSPECTS + 2 * t + 1] = int64(w[BETA] * land * share)


@inlined_kernel
def area_worth(w, buffer, terrain, size, crowns):
    """Worth of an area."""
    squares, crown = int64(buffer[PROSPECTS + 2 * terrain]), int64(buffer[PROSPECTS + 2 * terrain + 1])
    return size * crowns * POINT + ((squares * w[POWERS + size]) >> 8) + crown * crowns


@inlined_kernel
def add_along(buffer, at, edge, word):
    """Add a word to a map on every square of an edge."""
    while edge != NONE:
        x = bits.lowest_bit(edge)
        edge &= edge - ONE
        buffer[at + x] += word


@kernel
def fill_map(w, buffer, at, terrain, land, crowned, empty):
    """Write for each empty square what areas of one terrain touch it: size, crowns, worth, summed.

    A word is size + crowns * 64 + worth * 4096.
    """
    for i in range(SQUARES):
        buffer[at + i] = 0
    rest = land
    while rest != NONE:
        area = R.area_of(rest & (~rest + ONE), land)
        rest &= ~area
        edge = R.beside(area) & empty
        if edge != NONE:
            size, crowns = R.count(area), greedy.crowns_in(crowned, area)
            word = size + (crowns << 6) + (area_worth(w, buffer, terrain, size, crowns) << 12)
            add_along(buffer, at, edge, word)


@inlined_kernel
def end_gain(w, buffer, terrain, word, crowns):
    """Gain that a square with so many crowns adds to the areas that touch it."""
    return area_worth(w, buffer, terrain, (word & 63) + 1, ((word >> 6) & 63) + crowns) - (word >> 12)


@kernel
def equal_gain(w, buffer, terrain, words, here, own):
    """Gain by two squares of one terrain without crowns; an area that touches both counts once.

    own: squares of the terrain, and squares by crowns as in `greedy`.
    """
    land, crowned = own
    size = (words[0] & 63) + (words[1] & 63) + 2
    whole = R.area_of(here, land | here)
    if R.count(whole) == size:
        crowns = ((words[0] >> 6) & 63) + ((words[1] >> 6) & 63)
        return area_worth(w, buffer, terrain, size, crowns) - (words[0] >> 12) - (words[1] >> 12)
    before, rest = int64(0), whole & ~here
    while rest != NONE:
        area = R.area_of(rest & (~rest + ONE), rest)
        rest &= ~area
        before += area_worth(w, buffer, terrain, R.count(area), greedy.crowns_in(crowned, area))
    return area_worth(w, buffer, terrain, R.count(whole), greedy.crowns_in(crowned, whole)) - before


@kernel
def domino_gain(w, buffer, domino, squares, maps, own):
    """Gain that a domino adds to the areas on the squares of its ends.

    maps: place in the buffer of the map of each end's terrain; own: see `equal_gain`, for end a.
    """
    a, b = squares
    words = int64(buffer[maps[0] + a]), int64(buffer[maps[1] + b])
    ta, tb = R.END_TERRAIN[2 * domino], R.END_TERRAIN[2 * domino + 1]
    if ta == tb:
        here = greedy.square_set(a) | greedy.square_set(b)
        return equal_gain(w, buffer, ta, words, here, own)
    gained = end_gain(w, buffer, ta, words[0], R.END_CROWNS[2 * domino])
    return gained + end_gain(w, buffer, tb, words[1], R.END_CROWNS[2 * domino + 1])


# ---------------------------------------------------------------- shapes
@inlined_kernel
def shape_cost(w, empty, later):
    """Cost of holes and dead ends; a full kingdom gains instead. later: dominoes still to be placed."""
    if later <= 0:
        return -FULL if empty == NONE else int64(0)
    right, left = R.moved(empty, int64(R.RIGHT)), R.moved(empty, int64(R.LEFT))
    down, up = R.moved(empty, int64(R.DOWN)), R.moved(empty, int64(R.UP))
    one, two = right | left, right & left
    two |= one & down
    one |= down
    two |= one & up
    one |= up
    return w[HOLE] * R.count(empty & ~one) + w[END] * R.count(empty & one & ~two)


@kernel
def odd_parts(empty):
    """Parts of the empty squares with an odd number of them: each ends with a hole."""
    found = int64(0)
    while empty != NONE:
        together = R.area_of(empty & (~empty + ONE), empty)
        empty &= ~together
        found += R.count(together) & 1
    return found


@kernel
def fitting(s, w, buffer, k, empty, terrains, here):
    """FLEX times the share of the squares to come that find their terrain beside room for a domino.

    k: offset of the kingdom; terrains, here: the ends of a domino that lies there besides (terrain -1: none).
    """
    room = empty & R.beside(empty)
    if R.beside(CASTLE) & room != NONE:
        return w[FLEX]
    total, fits = int64(1), int64(0)
    for t in range(R.NUM_TERRAINS):
        promised = int64(buffer[PROSPECTS + 2 * t + 1])
        total += promised
        land = R.squares(s, k + 2 * t)
        land |= (here[0] if t == terrains[0] else NONE) | (here[1] if t == terrains[1] else NONE)
        if R.beside(land) & room != NONE:
            fits += promised
    return w[FLEX] * fits // total
