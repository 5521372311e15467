"""What Kingdomino's value knows of a seat (a template of `games.values`; R: rules, network: small networks).

Dominoes that wait to be laid are laid first, each where informed play likes it best by itself. Then every terrain is
described alike (`TERRAIN`): its points, its best open area (most crowns, then most squares; an area is open where an
empty square beside it can still be covered), what the seat may expect of it from the dominoes to come, if those were
dealt by lot, and the crowns of others on it. Last come the shape of what is empty and the draft (`KINGDOM`).
Behind the features lies scratch for the maps of informed play.
"""

import numpy as np
from numpy import int64, uint64

informed = R.policies.informed
greedy, worth = informed.greedy, informed.worth
NONE, ONE, CASTLE = R.NONE, uint64(1), R.CASTLE
TERRAIN = (
    "points",
    "squares of the best open area",
    "its crowns",
    "its open sides",
    "squares of the largest open area",
    "crowns of further open areas",
    "open sides of all areas",
    "squares to come",
    "crowns to come",
    "open sides of the best area that another crowned terrain has, too",
    "empty squares connected with the best area",
    "empty squares that would join two areas",
    "crowns of the best open area x squares to come",
    "squares of the largest open area x crowns to come",
    "crowns of another seat",
)
KINGDOM = (
    "points of areas",
    "empty squares",
    "holes",
    "dead ends",
    "squares that no dominoes can fill",
    "parts",
    "squares of the largest part",
    "room to spare",
    "dominoes to come",
    "dominoes to come, squared",
    "places of the seat's kings in the row",
    "choices of others before its own",
    "its choices in this row",
    "two seats",
    "three seats",
    "large kingdom",
    "dominoes to come that fit",
    "dominoes to come that fit by both ends",
    "squares beside crowned areas",
    "squares beside those of two terrains",
    "squares to come that find their terrain",
    "crowns to come that find their terrain",
    "crowns to come",
    "open sides of the castle",
    "keeps to the middle",
    "discarded",
    "full",
    "may become full",
)
OF_TERRAIN, SHAPE, DRAFT = len(TERRAIN), len(TERRAIN) * R.NUM_TERRAINS, len(TERRAIN) * R.NUM_TERRAINS + 8
"""Blocks of features: of one terrain, of the kingdom, of the draft."""
NUM_FEATURES = SHAPE + len(KINGDOM)
SCRATCH = worth.KEPT
W = informed.WEIGHTS
BLACK = uint64(0xAA55AA55AA55AA55)
"""Every second square: a domino covers one of these and one of the others."""
NOT_FOUND = int64(-1)


def _pairs():
    """[terrain, terrain] -> the dominoes with these ends, as bits; the smaller terrain first."""
    sets = np.zeros((R.NUM_TERRAINS, R.NUM_TERRAINS), np.uint64)
    for domino in range(R.NUM_DOMINOES):
        ends = sorted((int(R.END_TERRAIN[2 * domino]), int(R.END_TERRAIN[2 * domino + 1])))
        sets[ends[0], ends[1]] |= uint64(1 << domino)
    return sets


PAIRS = _pairs()


# ---------------------------------------------------------------- dominoes in hand
# A kingdom is (squares of each terrain, by crowns, empty squares that may be covered, bounds, whether it keeps
# to the middle).
@inlined_kernel
def joined(lands, terrain, here):
    """Squares of each terrain with more of one."""
    return (
        lands[0] | (here if terrain == 0 else NONE),
        lands[1] | (here if terrain == 1 else NONE),
        lands[2] | (here if terrain == 2 else NONE),
        lands[3] | (here if terrain == 3 else NONE),
        lands[4] | (here if terrain == 4 else NONE),
        lands[5] | (here if terrain == 5 else NONE),
    )


@kernel
def kingdom_of(s, seat):
    """The kingdom of a seat as it lies."""
    k = R.KINGDOMS + R.KINGDOM * seat
    crowned, tiles, bounds = greedy.kingdom_at(s, k)
    at = k + R.TERRAIN
    lands = (
        R.squares(s, at),
        R.squares(s, at + 2),
        R.squares(s, at + 4),
        R.squares(s, at + 6),
        R.squares(s, at + 8),
        R.squares(s, at + 10),
    )
    middle = greedy.center(bounds[0])
    keeps = tiles & ~middle == NONE
    return lands, crowned, (middle if keeps else R.within(*bounds)) & ~tiles & ~CASTLE, bounds, keeps


@kernel
def best_placement(kingdom, domino, later, buffer):
    """Where informed play would lay a domino by itself; NOT_FOUND where it does not fit. later: dominoes after it."""
    lands, crowned, empty, bounds, keeps = kingdom
    ta, tb = R.END_TERRAIN[2 * domino], R.END_TERRAIN[2 * domino + 1]
    sets = informed.ways(domino, (crowned, empty, bounds, later, keeps), (lands[ta], lands[tb]))
    found, best = NOT_FOUND, informed.NOT_FOUND
    if sets[0] | sets[1] | sets[2] | sets[3] == NONE:
        return found
    maps = (int64(0), int64(0) if ta == tb else worth.SQUARES)
    worth.fill_map(W, buffer, maps[0], ta, lands[ta], crowned, empty)
    if ta != tb:
        worth.fill_map(W, buffer, maps[1], tb, lands[tb], crowned, empty)
    for direction in range(4):
        left = sets[direction]
        while left != NONE:
            a = bits.lowest_bit(left)
            left &= left - ONE
            b = greedy.other_end(a, direction)
            value = worth.domino_gain(W, buffer, domino, (a, b), maps, (lands[ta], crowned))
            if keeps:
                value -= worth.shape_cost(W, empty & ~greedy.square_set(a) & ~greedy.square_set(b), later)
            if value > best:
                found, best = int64(4 * a + direction), value
    return found


@kernel
def laid(kingdom, domino, later, buffer):
    """(The kingdom with a domino laid, whether it fits); outside of the middle only where nothing else is left."""
    lands, crowned, empty, bounds, keeps = kingdom
    placement = best_placement(kingdom, domino, later, buffer)
    if placement == NOT_FOUND and keeps:
        tiles = lands[0] | lands[1] | lands[2] | lands[3] | lands[4] | lands[5]
        wide = (lands, crowned, R.within(*bounds) & ~tiles & ~CASTLE, bounds, False)
        placement = best_placement(wide, domino, later, buffer)
        if placement != NOT_FOUND:
            empty, keeps = wide[2], False
    if placement == NOT_FOUND:
        return kingdom, False
    a, direction = placement >> 2, placement & 3
    here_a, here_b = greedy.square_set(a), greedy.square_set(greedy.other_end(a, direction))
    lands = joined(joined(lands, R.END_TERRAIN[2 * domino], here_a), R.END_TERRAIN[2 * domino + 1], here_b)
    crowned = greedy.with_crowns(crowned, here_a, R.END_CROWNS[2 * domino])
    crowned = greedy.with_crowns(crowned, here_b, R.END_CROWNS[2 * domino + 1])
    bounds = greedy.stretched(bounds, a, direction)
    empty &= ~here_a & ~here_b
    if not keeps:
        empty &= R.within(*bounds)
    return (lands, crowned, empty, bounds, keeps), True


@kernel
def in_hand(s, seat, i):
    """Index of the domino that waits at place i (of the last row, then of this one) for a seat; -1 where none does."""
    if i < R.MAX_KINGS:
        waits = s[R.LAST + i] and s[R.OWNER + i] == seat + 1 and i >= s[R.TURN]
        return int64(s[R.LAST + i]) - 1 if waits else int64(-1)
    i -= R.MAX_KINGS
    return int64(s[R.ROW + i]) - 1 if s[R.CLAIM + i] == seat + 1 else int64(-1)


@kernel
def all_laid(s, seat, later, buffer):
    """(The kingdom of a seat with all that it has in hand, dominoes that did not fit). later: those it will choose."""
    kingdom, waiting, discarded = kingdom_of(s, seat), int64(0), int64(0)
    for i in range(2 * R.MAX_KINGS):
        waiting += in_hand(s, seat, i) >= 0
    if waiting:
        worth.prospect(s, W, buffer)
    for i in range(2 * R.MAX_KINGS):
        domino = in_hand(s, seat, i)
        if domino >= 0:
            waiting -= 1
            kingdom, fits = laid(kingdom, domino, later + waiting, buffer)
            discarded += not fits
    return kingdom, discarded


# ---------------------------------------------------------------- dominoes to come
@kernel
def draft(s, seat, out):
    """Write what is known of the draft; return (dominoes that the seat will choose, chances by set).

    Chances: (dominoes not drawn, each to come to the seat with this chance, those free on offer, with this chance),
    as if they were dealt by lot.
    """
    kings, round_, turn = int64(s[R.NUM_KINGS]), int64(s[R.ROUND]), int64(s[R.TURN])
    each, rows = kings // int64(s[R.NUM_SEATS]), int64(s[R.NUM_ROWS]) - round_
    yet, before, place = int64(0), int64(0), int64(0)
    if rows >= 0:
        for i in range(turn, kings):
            if (s[R.ORDER + i] if round_ == 1 else s[R.OWNER + i]) == seat + 1:
                yet, before = yet + 1, before + i - turn
    free, num_free = NONE, int64(0)
    for i in range(s[R.NUM_OFFERED]):
        if s[R.CLAIM + i] == seat + 1:
            place += i
        elif s[R.CLAIM + i] == 0:
            free |= ONE << uint64(s[R.ROW + i] - 1)
            num_free += 1
    pool, rows = R.drafting.pool(s), max(rows, int64(0))
    missing = kings + int64(s[R.SPARE]) - int64(s[R.NUM_OFFERED]) if s[R.PLAYER] == -1 and yet else int64(0)
    of_row, undrawn = yet / max(num_free + missing, int64(1)), max(R.count(pool), int64(1))
    later = yet + each * rows
    out[DRAFT], out[DRAFT + 1] = later, later * later / 12.0
    out[DRAFT + 2], out[DRAFT + 3], out[DRAFT + 4] = place, before, yet
    out[DRAFT + 5], out[DRAFT + 6] = s[R.NUM_SEATS] == 2, s[R.NUM_SEATS] == 3
    out[DRAFT + 7] = s[R.LIMIT] == 7
    return later, (pool, (each * rows + of_row * missing) / undrawn, free, of_row)


@inlined_kernel
def expected(chances, dominoes):
    """Dominoes of a set that the seat may expect."""
    return chances[1] * R.count(chances[0] & dominoes) + chances[3] * R.count(chances[2] & dominoes)


@kernel
def fitting(lands, room, chances, out):
    """Write which part of the dominoes to come can be laid, and with both ends beside their terrain."""
    total, fit, both = 0.0, 0.0, 0.0
    for t in range(R.NUM_TERRAINS):
        touch = R.beside(lands[t] | CASTLE) & room
        for u in range(t, R.NUM_TERRAINS):
            coming = expected(chances, PAIRS[t, u])
            if coming > 0.0:
                other = R.beside(lands[u] | CASTLE) & room
                total += coming
                fit += coming if R.beside(touch | other) & room != NONE else 0.0
                both += coming if R.beside(touch) & other != NONE else 0.0
    out[DRAFT + 8] = fit / total if total > 0.0 else 1.0
    out[DRAFT + 9] = both / total if total > 0.0 else 1.0


# ---------------------------------------------------------------- areas
@kernel
def contested(lands, crowned, room):
    """(Empty squares beside crowned areas, beside those of two terrains)."""
    one, two = NONE, NONE
    for t in range(R.NUM_TERRAINS):
        edge = R.beside(R.area_of(lands[t] & crowned[0], lands[t])) & room
        one, two = one | edge, two | (one & edge)
    return one, two


@kernel
def describe(land, crowned, room, many, at, out):
    """Write what a terrain has; return where it is open. many: squares beside two crowned terrains."""
    points = 0.0
    best_n, best_c, best, largest, further, open_, joins = int64(0), int64(0), NONE, int64(0), int64(0), NONE, NONE
    rest = land
    while rest != NONE:
        area = R.area_of(rest & (~rest + ONE), land)
        rest &= ~area
        n, c, edge = R.count(area), greedy.crowns_in(crowned, area), R.beside(area) & room
        points += n * c
        if edge != NONE:
            joins |= open_ & edge
            open_ |= edge
            largest = max(largest, n)
            if best == NONE or c > best_c or (c == best_c and n > best_n):
                further, best_n, best_c, best = further + best_c, n, c, edge
            else:
                further += c
    out[at], out[at + 1], out[at + 2], out[at + 3] = points, best_n, best_c, R.count(best)
    out[at + 4], out[at + 5], out[at + 6] = largest, further, R.count(open_)
    out[at + 9], out[at + 11] = R.count(best & many), R.count(joins)
    out[at + 10] = R.count(R.area_of(best, room))
    return open_


@kernel
def crowns_of_others(s, seat, terrain):
    """Crowns that another seat has on a terrain, on average."""
    crowns, seats = int64(0), int64(s[R.NUM_SEATS])
    for other in range(seats):
        k = R.KINGDOMS + R.KINGDOM * other
        land = R.squares(s, k + 2 * terrain)
        if other != seat and land != NONE:
            for level in range(3):
                crowns += R.count(land & R.squares(s, k + R.CROWNED + 2 * level))
    return crowns / (seats - 1)


@kernel
def terrains(s, seat, kingdom, chances, out):
    """Write the features of all terrains, and which part of what is to come finds its terrain."""
    lands, crowned, empty = kingdom[0], kingdom[1], kingdom[2]
    room = empty & R.beside(empty)
    at_castle, all_land, all_crowns, land_fits, crowns_fit, points = R.beside(CASTLE) & room, 0.0, 0.0, 0.0, 0.0, 0.0
    one, many = contested(lands, crowned, room)
    for t in range(R.NUM_TERRAINS):
        at, land, crowns = OF_TERRAIN * t, 0.0, 0.0
        open_ = describe(lands[t], crowned, room, many, at, out)
        for n in range(3):
            land += expected(chances, worth.SQUARES_OF[t, n])
            crowns += expected(chances, worth.CROWNS_OF[t, n])
        out[at + 7], out[at + 8] = land, crowns
        out[at + 12], out[at + 13] = out[at + 2] * land, out[at + 4] * crowns
        out[at + 14] = crowns_of_others(s, seat, t)
        points, all_land, all_crowns = points + out[at], all_land + land, all_crowns + crowns
        if open_ | at_castle != NONE:
            land_fits, crowns_fit = land_fits + land, crowns_fit + crowns
    fitting(lands, room, chances, out)
    out[SHAPE] = points
    out[DRAFT + 10], out[DRAFT + 11] = R.count(one), R.count(many)
    out[DRAFT + 12] = land_fits / all_land if all_land > 0.0 else 1.0
    out[DRAFT + 13] = crowns_fit / all_crowns if all_crowns > 0.0 else 1.0
    out[DRAFT + 14], out[DRAFT + 15] = all_crowns, R.count(at_castle)


@kernel
def shape(empty, later, out):
    """Write the shape of the empty squares; return how many of them no dominoes can fill."""
    right, left = R.moved(empty, int64(R.RIGHT)), R.moved(empty, int64(R.LEFT))
    down, up = R.moved(empty, int64(R.DOWN)), R.moved(empty, int64(R.UP))
    one, two = right | left, right & left
    two |= one & down
    one |= down
    two |= one & up
    one |= up
    uneven, parts, largest, rest = int64(0), int64(0), int64(0), empty
    while rest != NONE:
        part_ = R.area_of(rest & (~rest + ONE), rest)
        rest &= ~part_
        n = R.count(part_)
        parts, largest = parts + 1, max(largest, n)
        uneven += abs(2 * R.count(part_ & BLACK) - n)
    out[SHAPE + 1] = R.count(empty)
    out[SHAPE + 2], out[SHAPE + 3] = R.count(empty & ~one), R.count(empty & one & ~two)
    out[SHAPE + 4], out[SHAPE + 5], out[SHAPE + 6] = uneven, parts, largest
    out[SHAPE + 7] = R.count(empty & one) - 2 * later
    return uneven


@kernel
def features(s, seat, out):
    """Write what the value knows of one seat."""
    later, chances = draft(s, seat, out)
    kingdom, discarded = all_laid(s, seat, later, out[NUM_FEATURES:])
    discarded += s[R.KINGDOMS + R.KINGDOM * seat + R.DISCARDS]
    terrains(s, seat, kingdom, chances, out)
    empty, keeps = kingdom[2], kingdom[4]
    uneven = shape(empty, later, out)
    out[DRAFT + 16], out[DRAFT + 17], out[DRAFT + 18] = keeps, discarded, empty == NONE
    out[DRAFT + 19] = keeps and discarded == 0 and uneven == 0 and R.count(empty) == 2 * later
