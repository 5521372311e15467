"""What Carcassonne's value knows of a position (a template of `games.values`; R: rules, network: small networks).

A look over the empty cells beside tiles says of every open city, and of every claimed road, on how many cells it is
open and how likely a seat draws, for each of them, one of the tiles of the bag that fit there. A seat's features are
sums over what it would score in and what only others would, so their number does not depend on the board; `left` is
the share of tiles still to come. Behind the features lies the scratch of that look.
"""

import numpy as np
from numpy import int64

SCORES, HANDS, EMPTY, LAST_ONE, LEFT, NEXT, UNCLAIMED = 0, 2, 4, 6, 8, 9, 10
"""Blocks of features: points, meeples in hand, whether there is none, one, of the seat and of the best other; then of
the match."""
OWN, OTHERS, OF_SIDE = 12, 29, 17
"""Blocks of what the seat scores in, and of what only others do."""
CITY, CITY_CHANCE, CITY_ONE, CITY_MANY, CITY_HOME, ROAD, ROAD_HOME, CLOISTER, CLOISTER_GAP, CLOISTER_LATE = range(10)
CLOISTER_NEAR, FIELD, FIELD_CHANCE, FARMERS, FIELD_LATE, STANDING, SHARED = range(10, 17)
NUM_FEATURES = 46
OPEN, ROOT, CELLS, CHANCE, LAST = 40, 0, 1, 2, 3
"""Open features that are looked at; words of each: root, open cells, chance to finish, last cell counted."""
SCRATCH = 1 + 4 * OPEN
MOST_FITS = 16
HIT = np.array([[1.0 - (1.0 - 1.0 / max(n, 1)) ** c for c in range(MOST_FITS + 1)] for n in range(R.MAX_SEATS + 1)])
"""By seats and tiles of the bag that fit a cell: chance that a seat draws one of them, if all are drawn."""


@kernel
def fits(s, cell):
    """Tiles of the bag that fit an empty cell, up to MOST_FITS."""
    types = int64(R.TYPES_FIT[R.pattern(s, cell)]) & int64(s[R.POOL_TYPES])
    count = int64(0)
    while types and count < MOST_FITS:
        count += s[R.POOL + bits.lowest_bit(types)]
        types &= types - 1
    return min(count, MOST_FITS)


@kernel
def entry(n, found):
    """Place of an open feature in the scratch, made where it is new; -1 where there is no room."""
    count = int64(found[0])
    for i in range(count):
        if found[1 + 4 * i + ROOT] == n:
            return int64(1 + 4 * i)
    if count == OPEN:
        return int64(-1)
    place = 1 + 4 * count
    found[0] = count + 1
    found[place + ROOT], found[place + CELLS], found[place + CHANCE], found[place + LAST] = n, 0.0, 1.0, -1.0
    return int64(place)


@kernel
def look(s, found):
    """List open cities and claimed roads in found float64[SCRATCH]: their number, then OPEN words each."""
    found[0] = 0.0
    seats = R.num_seats(s)
    for i in range(s[R.NUM_FRONTIER]):
        cell, hit = int64(s[R.FRONTIER + i]), -1.0
        asked = R.pattern(s, cell)
        for edge in range(4):
            code = (asked >> (2 * edge)) & 3
            if code == 1 or code == 2:
                other = int64(s[R.CELLS + R.step(cell, edge)] & 255) - 1
                record = R.TILES + R.TILE_WORDS * other
                theirs = 4 * int64(s[record + R.TYPE]) + s[record + R.ROTATION]
                n = R.root(s, R.node(other, int64(R.EDGE_SEGMENT[4 * theirs + (edge ^ 2)])))
                if code == 1 or s[n + R.MEEPLES]:
                    place = entry(n, found)
                    if place >= 0 and found[place + LAST] != cell:
                        if hit < 0.0:
                            hit = HIT[seats, fits(s, cell)]
                        found[place + CELLS] += 1.0
                        found[place + CHANCE] *= hit
                        found[place + LAST] = cell


@kernel
def chance_and_cells(n, found):
    """(chance to finish, open cells) of an open feature."""
    for i in range(int64(found[0])):
        place = 1 + 4 * i
        if found[place + ROOT] == n:
            return found[place + CHANCE], found[place + CELLS]
    return 0.0, 0.0


@kernel
def cities_to_come(s, n, found):
    """Open cities beside a field, each by its chance."""
    total = 0.0
    low, high = s[n + R.MASK], s[n + R.MASK_HIGH]
    for i in range(int64(found[0])):
        place = 1 + 4 * i
        city = int64(found[place + ROOT])
        if (s[city + R.MASK] & low) | (s[city + R.MASK_HIGH] & high):
            total += found[place + CHANCE]
    return total


@kernel
def add_standing(s, n, kind, own, left, found, out):
    """Add a claimed feature to a side's block. own: meeples of that side there."""
    points = float(R.features.open_value(s, n, kind))
    out[STANDING] += left
    if kind == R.CITY:
        chance, cells = chance_and_cells(n, found)
        out[CITY] += points
        out[CITY_CHANCE] += points * chance
        if cells == 1.0:
            out[CITY_ONE] += points * chance
        elif cells > 2.0:
            out[CITY_MANY] += points * chance
        out[CITY_HOME] += own * chance * left
    elif kind == R.FIELD:
        out[FIELD] += points
        out[FIELD_LATE] += points * left
        out[FIELD_CHANCE] += cities_to_come(s, n, found)
        out[FARMERS] += own * left
    elif kind == R.MONASTERY:
        out[CLOISTER] += points
        out[CLOISTER_GAP] += 9.0 - points
        out[CLOISTER_LATE] += (9.0 - points) * left
        out[CLOISTER_NEAR] += left if points >= 7.0 else 0.0
    else:
        out[ROAD] += points
        out[ROAD_HOME] += own * chance_and_cells(n, found)[0] * left


@kernel
def fill(s, seat, found, out):
    """Write the features of a seat to out float64[NUM_FEATURES] after a `look`."""
    for f in range(NUM_FEATURES):
        out[f] = 0.0
    seats, best = R.num_seats(s), int64(-1)
    for other in range(seats):
        if other != seat and (best < 0 or s[R.SCORE + other] > s[R.SCORE + best]):
            best = other
    left = (s[R.NUM_LEFT] + (s[R.TILE] > 0)) / R.NUM_TILES
    for side in range(2):
        who = seat if side == 0 else best
        hand = int64(s[R.HAND + who])
        out[SCORES + side] = s[R.SCORE + who]
        out[HANDS + side] = hand * left
        out[EMPTY + side] = left if hand == 0 else 0.0
        out[LAST_ONE + side] = left if hand == 1 else 0.0
    out[LEFT] = left
    out[NEXT] = 1.0 if s[R.PLAYER] == seat else 0.0
    for i in range(s[R.NUM_STANDING]):
        n, kind = R.features.standing(s, i)
        meeples = int64(s[n + R.MEEPLES])
        own = (meeples >> (4 * seat)) & 15
        others = R.features.majority(meeples ^ (own << (4 * seat)))
        if own >= others:
            add_standing(s, n, kind, own, left, found, out[OWN:])
            out[OWN + SHARED] += 1.0 if others else 0.0
        if others >= own:
            add_standing(s, n, kind, others, left, found, out[OTHERS:])
            out[OTHERS + SHARED] += 1.0 if own else 0.0
    for i in range(int64(found[0])):
        place = 1 + 4 * i
        n = int64(found[place + ROOT])
        if s[n + R.MEEPLES] == 0:
            points = (s[n + R.SIZE_] + s[n + R.PENNANTS]) * found[place + CHANCE]
            out[UNCLAIMED] += points
            out[UNCLAIMED + 1] += points * out[NEXT]


@kernel
def features(s, seat, out):
    """Write a seat's features to out float64[NUM_FEATURES + SCRATCH], scratch behind them."""
    look(s, out[NUM_FEATURES:])
    fill(s, seat, out[NUM_FEATURES:], out)


@kernel
def value(s, weights, out):
    """Expected final points of each seat; one look serves all."""
    if R.current_player(s) == -2:
        R.scores(s, out)
        return
    x = out[R.MAX_SEATS :]
    found = x[NUM_FEATURES + network.MAX_HIDDEN :]
    look(s, found)
    for seat in range(R.num_seats(s)):
        fill(s, seat, found, x)
        out[seat] = network.forward(weights, x, NUM_FEATURES, x[NUM_FEATURES:])
