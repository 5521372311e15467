"""A round with all hands known, as searches hold it: layout, ends of rounds, values (a part of the rules).

Searches keep no state of the rules but `w`, int64[WORK], and what they pass on; s, int32[SIZE], is the
position that they began with, read for the rules alone. Sets of tiles are in the order of `tile_order`, a
move is 2 * place + side, and values are whole numbers for the team of the seat on turn. Where passing
is free, searches lay a tile wherever they can, and nobody is called.
"""

from numpy import int64

from games.dominoes import tile_order as order
from games.dominoes import tiles
from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

round_end = part("round_end")

SUIT, FIRST, PIPS, TILE, PLACE = order.SUIT, order.FIRST, order.PIPS, order.TILE, order.PLACE
TILE_FIRST, TILE_SECOND, DOUBLE_TILES, NUM_TILES = (
    order.FIRST,
    tiles.SECOND[order.TILE],
    order.DOUBLES,
    28,
)
PLANE_0, PLANE_1, PLANE_2, PLANE_3 = order.PLANE_0, order.PLANE_1, order.PLANE_2, order.PLANE_3

HANDS = 0  # [seat] set of tiles
COUNTS = 4  # [seat] tiles it has still to lay: out at 0, whatever the hand holds
LEFT_OVER = 8  # set of tiles not on the table
NODES = 9  # turns made; never taken back
GENERATION = 10  # of the entries of the table that are of this world
MASK = 11  # number of places of the table less 1; -1: none is used
EVALUATION = 12  # PIPS_LEFT, PIPS_AND_TILES or FITTED
SCALE = 13  # what a point is worth
TILE_WORTH = 14  # points for a tile laid more than the others have (PIPS_AND_TILES)
IS_AUTHORS = 15  # 1: a round that ends is worth pips, as the DominAI program reckons
MOST_TURNS = 16  # that one search may make
LIMIT = 17  # NODES at which it ends: positions are worth then what their evaluation says
STOPPED = 18  # 1: it met the limit
WORTH = 19  # [winning team][points] value of a round's end for team 0
MOST_POINTS = 1024
WEIGHTS = WORTH + 2 * MOST_POINTS  # of the fitted evaluation, [seat after the one on turn][term]
TERMS = 11  # pips, tiles that fit, doubles held, then 1 for 0 to 7 tiles held
MOVES = WEIGHTS + 4 * TERMS + 4  # [tiles on the table][n] moves of the nodes on the path
MOST_MOVES = 16
LACKING = MOVES + MOST_MOVES * (NUM_TILES + 1)  # [seat] set of numbers passed on
OWNERS = LACKING + 4  # [end] seat that laid the tile there, -1 on a bare table
SAVED = OWNERS + 2  # hands, counts, tiles not on the table, what all have seen: to begin a playout anew
WORK = SAVED + 16
PIPS_LEFT, PIPS_AND_TILES, FITTED = range(3)
ALL_TILES = tiles.ALL


@kernel
def reordered(held):
    """A set of tiles of the rules in the order of searches."""
    found = int64(0)
    while held:
        found |= int64(1) << PLACE[bits.lowest_bit(held)]
        held &= held - 1
    return found


@inlined_kernel
def pips_of(held):
    """Pips of a set."""
    return (
        bits.popcount(held & PLANE_0)
        + 2 * bits.popcount(held & PLANE_1)
        + 4 * bits.popcount(held & PLANE_2)
        + 8 * bits.popcount(held & PLANE_3)
    )


@inlined_kernel
def fitting(held, left, right):
    """Tiles that may be laid; all on a bare table (left -1)."""
    return held if left < 0 else held & (SUIT[left] | SUIT[right])


@kernel
def begin(s, w, a, b, c, d):
    """Set the hands of seats 0 to 3, sets of tiles of the rules; counts are those of the position."""
    w[HANDS], w[HANDS + 1], w[HANDS + 2], w[HANDS + 3] = reordered(a), reordered(b), reordered(c), reordered(d)
    w[LEFT_OVER] = w[HANDS] | w[HANDS + 1] | w[HANDS + 2] | w[HANDS + 3]
    for seat in range(MAX_SEATS):
        w[COUNTS + seat] = s[COUNT + seat]


@inlined_kernel
def allow(w):
    """Begin to count the turns of one search."""
    w[LIMIT], w[STOPPED] = w[NODES] + w[MOST_TURNS], 0


@inlined_kernel
def worth(w, team, points, seat):
    """Value for the seat's team of a round that a team wins with so many points."""
    value = w[WORTH + team * MOST_POINTS + min(points, MOST_POINTS - 1)]
    return -value if seat & 1 else value


@kernel
def out_value(s, w, seat, move, left, right):
    """Value for a seat that has laid its last tile, at ends left and right (-1: a bare table)."""
    losers = pips_of(w[HANDS + ((seat + 1) & 3)]) + pips_of(w[HANDS + ((seat + 3) & 3)])
    if w[IS_AUTHORS]:
        return losers * w[SCALE]
    points = round_end.points_for_out(s, losers, pips_of(w[HANDS + seat]) + pips_of(w[HANDS + (seat ^ 2)]))
    points += round_end.first_rounds(s) + round_end.bonus_for_tile(s, TILE[move >> 1], left, right)
    return worth(w, seat & 1, points, seat)


@kernel
def block_value(s, w, seat, layer):
    """Value for a seat of a round that is blocked, its last tile laid by another seat or the same."""
    a, b, c, d = pips_of(w[HANDS]), pips_of(w[HANDS + 1]), pips_of(w[HANDS + 2]), pips_of(w[HANDS + 3])
    if w[IS_AUTHORS]:
        ahead = (b + d - a - c) * w[SCALE]
        return -ahead if seat & 1 else ahead
    winner = round_end.winner_of_block(s, layer, a, b, c, d)
    if winner < 0:
        return int64(0)
    losers, winners = (b + d, a + c) if winner == 0 else (a + c, b + d)
    return worth(w, winner, round_end.points_for_block(s, losers, winners) + round_end.first_rounds(s), seat)


@kernel
def pass_value(s, w, seat, passes):
    """Value for the seat that passes of the bonuses of its pass, the passes-th since the last tile."""
    layer = (seat - passes) & 3
    bonus = int64(s[ALL_PASS_BONUS]) if passes == 3 else int64(0)
    if passes == 1 and bits.popcount(w[LEFT_OVER]) == NUM_TILES - 1:
        is_double = w[LEFT_OVER] & DOUBLE_TILES != DOUBLE_TILES
        bonus += (1 if is_double else 2) * int64(s[OPENING_PASS_BONUS])
    return (-bonus if (layer ^ seat) & 1 else bonus) * w[SCALE]


@kernel
def fitted_value(w, seat, left, right):
    """Value by the fitted evaluation, for the seat on turn."""
    total, suits = int64(w[WEIGHTS + 4 * TERMS]), SUIT[left] | SUIT[right]
    for k in range(4):
        held, at = w[HANDS + ((seat + k) & 3)], WEIGHTS + k * TERMS
        total += w[at] * pips_of(held) + w[at + 1] * bits.popcount(held & suits)
        total += w[at + 2] * bits.popcount(held & DOUBLE_TILES)
        total += w[at + 3 + min(int64(7), w[COUNTS + ((seat + k) & 3)])]
    return total


@kernel
def list_terms(w, seat, left, right, out):
    """List the terms of `fitted_value`, to out float64[4 * TERMS]."""
    suits = SUIT[left] | SUIT[right]
    for k in range(4):
        held, at = w[HANDS + ((seat + k) & 3)], k * TERMS
        out[at], out[at + 1] = pips_of(held), bits.popcount(held & suits)
        out[at + 2] = bits.popcount(held & DOUBLE_TILES)
        for n in range(8):
            out[at + 3 + n] = 1.0 if n == min(int64(7), w[COUNTS + ((seat + k) & 3)]) else 0.0


@kernel
def evaluate(w, seat, left, right):
    """Value of a position where the search ends, for the seat on turn."""
    if w[EVALUATION] == FITTED:
        return fitted_value(w, seat, left, right)
    after, before = (seat + 1) & 3, (seat + 3) & 3
    value = pips_of(w[HANDS + after]) + pips_of(w[HANDS + before])
    value -= pips_of(w[HANDS + seat]) + pips_of(w[HANDS + (seat ^ 2)])
    if w[EVALUATION] == PIPS_AND_TILES:
        ahead = w[COUNTS + after] + w[COUNTS + before] - w[COUNTS + seat] - w[COUNTS + (seat ^ 2)]
        value += w[TILE_WORTH] * ahead
    return value * w[SCALE]
