"""Deals of hands: all at once, and those that a seat cannot tell apart (a part of the rules).

A seat knows its hand, the turns, how many tiles the others hold, and what they lack, having passed
(where passing is enforced). Deals that agree with all that are alike likely. Unseen tiles fall into
at most seven classes, by which of the three others may hold them. Tiles of one holder are dealt;
of the classes with two, x tiles go to the first of the two; the rest of each hand comes from the
tiles that all may hold. So deals are counted by at most three nested sums, each term a product of
binomials; sums stay below 21! / 7!^3 = 399,072,960 and are exact.

Arrays: s int32[SIZE], r uint64[4], w int64[WORK] (`classify`), out int64[:, 4] (hands by seat).
"""

import numpy as np
from numpy import int64

from games.dominoes import tiles
from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

ALL, WITH_ANY, NUM_TILES, HAND_SIZE = tiles.ALL, tiles.WITH_ANY, tiles.NUM_TILES, tiles.HAND_SIZE
UNSEEN = NUM_TILES - HAND_SIZE
WORK = 24
"""w[k] = the tiles that exactly the others of the set k may hold (bit i for the i-th seat after);
w[NUM + k] = how many they are; w[FREE + i] = tiles of the i-th that are not determined."""
NUM, FREE = 8, 16


def _binomials():
    table = np.zeros((UNSEEN + 1, UNSEEN + 1), np.int64)
    for n in range(UNSEEN + 1):
        table[n, 0] = 1
        for k in range(1, n + 1):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


BINOMIAL = _binomials()


@kernel
def four_hands(r):
    """Hands of seats 0, 1 and 2, uniformly; seat 3 gets the rest."""
    a, b, c = int64(0), int64(0), int64(0)
    left, taken = int64(3 * HAND_SIZE), int64(0)
    while left:
        bit = int64(1) << rng.below(r, int64(NUM_TILES))
        if taken & bit:
            continue
        taken |= bit
        if left > 2 * HAND_SIZE:
            a |= bit
        elif left > HAND_SIZE:
            b |= bit
        else:
            c |= bit
        left -= 1
    return a, b, c


@kernel
def unseen(s, seat):
    """Tiles that are neither on the table nor in a seat's hand."""
    return int64(s[UNPLAYED]) & ~int64(s[HAND + seat])


@kernel
def may_hold(s, hidden, other):
    """Of the hidden tiles those that another seat may hold."""
    return hidden & ~WITH_ANY[s[LACKS + other]] if s[ENFORCE_PASS] else hidden


@kernel
def classify(s, seat, w):
    """Sort what a seat does not see into classes, to w; tiles of one holder count as dealt."""
    hidden = unseen(s, seat)
    first, second = may_hold(s, hidden, (seat + 1) & 3), may_hold(s, hidden, (seat + 2) & 3)
    third = may_hold(s, hidden, (seat + 3) & 3)
    for k in range(8):
        tiles_of = hidden
        tiles_of &= first if k & 1 else ~first
        tiles_of &= second if k & 2 else ~second
        tiles_of &= third if k & 4 else ~third
        w[k] = tiles_of
        w[NUM + k] = bits.popcount(tiles_of)
    for i in range(3):
        w[FREE + i] = s[COUNT + ((seat + 1 + i) & 3)] - w[NUM + (1 << i)]


@kernel
def term(w, x, y, z):
    """Deals in which x tiles of the classes {0, 1}, y of {0, 2} and z of {1, 2} go to their first seat."""
    n01, n02, n12, n = w[NUM + 3], w[NUM + 5], w[NUM + 6], w[NUM + 7]
    a, b, c = w[FREE] - x - y, w[FREE + 1] - (n01 - x) - z, w[FREE + 2] - (n02 - y) - (n12 - z)
    if a < 0 or b < 0 or c < 0 or a + b + c != n:
        return int64(0)
    return BINOMIAL[n01, x] * BINOMIAL[n02, y] * BINOMIAL[n12, z] * BINOMIAL[n, a] * BINOMIAL[n - a, b]


@kernel
def total(w):
    """Number of deals of the classes in w."""
    if w[NUM + 3] + w[NUM + 5] + w[NUM + 6] == 0:
        return term(w, 0, 0, 0)
    deals = int64(0)
    for x in range(min(w[NUM + 3], w[FREE]) + 1):
        for y in range(min(w[NUM + 5], w[FREE] - x) + 1):
            for z in range(w[NUM + 6] + 1):
                deals += term(w, x, y, z)
    return deals


@kernel
def pick(w, k):
    """(x, y, z) of the k-th deal, as `total` counts them; 0 <= k < total(w)."""
    for x in range(w[NUM + 3] + 1):
        for y in range(w[NUM + 5] + 1):
            for z in range(w[NUM + 6] + 1):
                deals = term(w, x, y, z)
                if k < deals:
                    return int64(x), int64(y), int64(z)
                k -= deals
    return int64(-1), int64(-1), int64(-1)


@kernel
def split(among, n, wanted, r):
    """A random subset of `wanted` of the n tiles of a set."""
    chosen = int64(0)
    while wanted:
        if wanted == n:
            return chosen | among
        if rng.below(r, n) < wanted:
            chosen |= among & -among
            wanted -= 1
        among &= among - 1
        n -= 1
    return chosen


@kernel
def draw(w, deals, r):
    """Hands of the three seats after, uniformly over the deals of the classes in w; deals: total(w)."""
    x, y, z = int64(0), int64(0), int64(0)
    if w[NUM + 3] + w[NUM + 5] + w[NUM + 6]:
        x, y, z = pick(w, rng.below(r, deals))
    n01, n02, n12, n = w[NUM + 3], w[NUM + 5], w[NUM + 6], w[NUM + 7]
    p, q, u = split(w[3], n01, x, r), split(w[5], n02, y, r), split(w[6], n12, z, r)
    a, b = w[FREE] - x - y, w[FREE + 1] - (n01 - x) - z
    of_all = split(w[7], n, a, r)
    rest = w[7] & ~of_all
    of_rest = split(rest, n - a, b, r)
    first = w[1] | p | q | of_all
    second = w[2] | (w[3] & ~p) | u | of_rest
    third = w[4] | (w[5] & ~q) | (w[6] & ~u) | (rest & ~of_rest)
    return first, second, third


@kernel
def count(s, seat, w):
    """Number of deals that a seat cannot tell apart; all hands are dealt. w is overwritten."""
    classify(s, seat, w)
    return total(w)


@allocating_kernel
def marginals(s, seat, w, out):
    """Probability that each tile is with each seat, to out float64[28, 4]; tiles on the table: zeros.

    Returns the number of deals. w is overwritten.
    """
    deals = count(s, seat, w)
    shares = np.zeros((8, 3))
    for x in range(w[NUM + 3] + 1):
        for y in range(w[NUM + 5] + 1):
            for z in range(w[NUM + 6] + 1):
                weight = term(w, x, y, z) / deals
                if weight > 0.0:
                    add_shares(w, x, y, z, weight, shares)
    out[:] = 0.0
    for tile in range(NUM_TILES):
        if int64(s[HAND + seat]) >> tile & 1:
            out[tile, seat] = 1.0
        for k in range(1, 8):
            if w[k] >> tile & 1:
                for i in range(3):
                    out[tile, (seat + 1 + i) & 3] = shares[k, i] / w[NUM + k]
    return deals


@kernel
def add_shares(w, x, y, z, weight, shares):
    """Add the tiles of each class with each seat after, weighted, to shares float64[8, 3]."""
    n01, n02, n12, n = w[NUM + 3], w[NUM + 5], w[NUM + 6], w[NUM + 7]
    a, b = w[FREE] - x - y, w[FREE + 1] - (n01 - x) - z
    for i in range(3):
        shares[1 << i, i] += weight * w[NUM + (1 << i)]
    shares[3, 0] += weight * x
    shares[3, 1] += weight * (n01 - x)
    shares[5, 0] += weight * y
    shares[5, 2] += weight * (n02 - y)
    shares[6, 1] += weight * z
    shares[6, 2] += weight * (n12 - z)
    shares[7, 0] += weight * a
    shares[7, 1] += weight * b
    shares[7, 2] += weight * (n - a - b)


@kernel
def hands_while_dealt(s, seat, r):
    """In the middle of a deal: hands of others that have been dealt, any of the tiles not the seat's."""
    left, n = int64(ALL), int64(NUM_TILES)
    if s[COUNT + seat]:
        left, n = left & ~int64(s[HAND + seat]), int64(UNSEEN)
    for other in range(s[NUM_DEALT]):
        if other != seat:
            hand = split(left, n, int64(HAND_SIZE), r)
            s[HAND + other] = hand
            left &= ~hand
            n -= HAND_SIZE


@allocating_kernel
def determinize(s, seat, r):
    """Draw the hands that are hidden from a seat, in place, uniformly over the deals it thinks possible."""
    if s[NUM_DEALT] == MAX_SEATS:
        w = np.empty(WORK, np.int64)
        first, second, third = draw(w, count(s, seat, w), r)
        s[HAND + ((seat + 1) & 3)] = first
        s[HAND + ((seat + 2) & 3)] = second
        s[HAND + ((seat + 3) & 3)] = third
    elif s[NUM_DEALT]:
        hands_while_dealt(s, seat, r)


@kernel
def sample(s, seat, number, r, w, out):
    """Write `number` deals drawn as by `determinize` to out, the seat's own hand among them.

    Returns the number of deals there are. w is overwritten.
    """
    deals = count(s, seat, w)
    for k in range(number):
        first, second, third = draw(w, deals, r)
        out[k, seat] = s[HAND + seat]
        out[k, (seat + 1) & 3] = first
        out[k, (seat + 2) & 3] = second
        out[k, (seat + 3) & 3] = third
    return deals


@kernel
def list_unseen(w, order):
    """Put the unseen tiles into order int64[2, UNSEEN]: tile, holders; those of fewest holders first."""
    n = int64(0)
    for holders in (1, 2, 4, 3, 5, 6, 7):
        rest = w[holders]
        while rest:
            order[0, n] = bits.lowest_bit(rest)
            order[1, n] = holders
            rest &= rest - 1
            n += 1
    return n


@kernel
def enumerate_deals(s, seat, w, order, out):
    """Write every deal that a seat cannot tell apart to out, at most len(out); return how many.

    w int64[WORK], order int64[3, UNSEEN]: overwritten. Walks over the holders of one tile after
    the other; order[2] is the holder tried last for each.
    """
    classify(s, seat, w)
    n, found, at = list_unseen(w, order), int64(0), int64(0)
    hands, room = w[:3], w[3:6]
    for i in range(3):
        hands[i], room[i] = 0, s[COUNT + ((seat + 1 + i) & 3)]
    order[2, 0] = -1
    while at >= 0 and found < len(out):
        bit, i = int64(1) << order[0, at], order[2, at]
        if i >= 0:
            hands[i] ^= bit
            room[i] += 1
        i += 1
        while i < 3 and (order[1, at] >> i & 1 == 0 or room[i] == 0):
            i += 1
        if i == 3:
            at -= 1
            continue
        order[2, at] = i
        hands[i] ^= bit
        room[i] -= 1
        if at < n - 1:
            at += 1
            order[2, at] = -1
            continue
        out[found, seat] = s[HAND + seat]
        for k in range(3):
            out[found, (seat + 1 + k) & 3] = hands[k]
        found += 1
    return found
