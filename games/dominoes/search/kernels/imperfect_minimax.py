"""Imperfect Minimax Search of the DominAI paper (algorithm 1; a part of the rules).

One tree over what a seat believes: the value of a position for the seat on turn is the best of
-q * value(after m) over the tiles m that fit and that it may hold, q being the chance that it holds m
by the paper's belief (`paper_belief`), reweighted after every turn of the tree; it passes, q = 1, only
where it can hold no tile that fits. So passes are known as they are with all hands open: three or four in
a row end the round where the rules say so, and bring their bonuses. Where all hands are certain the values are
those of `double_dummy` by pips, as the paper reckons ends. Positions at the limit are worth the pips that the
others' hands are expected to hold less those of the own team's, or what the fitted evaluation expects.

Pruned with the window (-beta / q, -alpha / q), which changes no value. The authors' program passes
(-beta, -alpha) through; `IS_UNSOUND` repeats that.

A search that would make more turns than it may is made less deep (`values`).

Arrays: s int32[SIZE] (read), w int64[WORK] (`worlds`). From the round of the one who searches w holds:
HANDS + own seat: own tiles; HANDS + other seat: tiles that it may hold; COUNTS; LEFT_OVER.
"""

import numpy as np
from numpy import int64

from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

worlds = part("worlds")
double_dummy = part("double_dummy")
dealing = part("dealing")
round_end = part("round_end")

SUIT, TILE_FIRST, TILE_SECOND, NUM_TILES = worlds.SUIT, worlds.TILE_FIRST, worlds.TILE_SECOND, worlds.NUM_TILES
HANDS, COUNTS, LEFT_OVER, NODES = worlds.HANDS, worlds.COUNTS, worlds.LEFT_OVER, worlds.NODES
ALL_TILES = worlds.ALL_TILES
DOUBLE_TILES, WEIGHTS, TERMS = worlds.DOUBLE_TILES, worlds.WEIGHTS, worlds.TERMS


@kernel
def begin(s, w, seat):
    """Prepare a seat's belief, from a state or its view."""
    hidden = dealing.unseen(s, seat)
    for other in range(MAX_SEATS):
        held = int64(s[HAND + other]) if other == seat else dealing.may_hold(s, hidden, other)
        w[HANDS + other] = worlds.reordered(held)
        w[COUNTS + other] = s[COUNT + other]
    w[LEFT_OVER] = worlds.reordered(int64(s[UNPLAYED]))


@kernel
def chance(w, root, seat, tile):
    """Chance that a seat holds a tile that it may hold."""
    if seat == root:
        return 1.0
    room = int64(0)
    for k in range(1, MAX_SEATS):
        other = (root + k) & 3
        if w[HANDS + other] >> tile & 1:
            room += w[COUNTS + other]
    return w[COUNTS + seat] / room


@kernel
def shares(w, root, held, weight, sign, k):
    """Number of tiles of a set (weight 0), or their pips (1), that a seat is expected to hold; times sign."""
    seat = int64(k)
    of_set = held & w[HANDS + seat] & w[LEFT_OVER]
    if seat == root:
        return sign * (worlds.pips_of(of_set) if weight else bits.popcount(of_set))
    total = 0.0
    one, two = 6 - root - seat, int64(0)  # the two others: their numbers add up to that
    for other in range(MAX_SEATS):
        if other != root and other != seat:
            two = int64(other)
            break
    one -= two
    for with_one in range(2):
        for with_two in range(2):
            among = of_set & (w[HANDS + one] if with_one else ~w[HANDS + one])
            among &= w[HANDS + two] if with_two else ~w[HANDS + two]
            if among:
                room = w[COUNTS + seat] + with_one * w[COUNTS + one] + with_two * w[COUNTS + two]
                number = worlds.pips_of(among) if weight else bits.popcount(among)
                total += number * w[COUNTS + seat] / room
    return sign * total


@kernel
def team_pips(w, root, seat):
    """Pips that a seat and its partner are expected to hold."""
    return shares(w, root, int64(ALL_TILES), 1, 1.0, seat) + shares(w, root, int64(ALL_TILES), 1, 1.0, seat ^ 2)


@kernel
def lead(w, root, seat):
    """Value of a block to a seat: pips that the others are expected to hold, less those of its team."""
    return team_pips(w, root, (seat + 1) & 3) - team_pips(w, root, seat)


@kernel
def evaluate(w, root, seat, left, right):
    """Expected value of a position where the search ends, for the seat on turn, in points."""
    if w[worlds.EVALUATION] == worlds.FITTED:
        total, suits = float(w[WEIGHTS + 4 * TERMS]), SUIT[left] | SUIT[right]
        for k in range(4):
            of, at = (seat + k) & 3, WEIGHTS + k * TERMS
            total += shares(w, root, int64(ALL_TILES), 1, float(w[at]), of)
            total += shares(w, root, suits, 0, float(w[at + 1]), of)
            total += shares(w, root, int64(DOUBLE_TILES), 0, float(w[at + 2]), of)
            total += w[at + 3 + min(int64(7), w[COUNTS + of])]
        return total / w[worlds.SCALE]
    after, value = (seat + 1) & 3, lead(w, root, seat)
    if w[worlds.EVALUATION] == worlds.PIPS_AND_TILES:
        ahead = w[COUNTS + after] + w[COUNTS + (after ^ 2)] - w[COUNTS + seat] - w[COUNTS + (seat ^ 2)]
        value += w[worlds.TILE_WORTH] * ahead
    return value


@kernel
def search(s, w, root, seat, left, right, depth, alpha, beta, is_unsound, passes):
    """Value of a position for the seat on turn, `depth` turns deep; see the top of this file.

    passes: since the last tile. Numbers are int64, literals too, as in `double_dummy.search`.
    """
    if depth == 0:
        return evaluate(w, root, seat, left, right)
    if w[NODES] >= w[worlds.LIMIT]:
        w[worlds.STOPPED] = 1
        return evaluate(w, root, seat, left, right)
    after = (seat + 1) & 3
    fit = worlds.fitting(w[HANDS + seat] & w[LEFT_OVER], left, right)
    if fit == 0:
        w[NODES] += 1
        gain = worlds.pass_value(s, w, seat, passes + 1) / w[worlds.SCALE]
        if round_end.ends_by_passing(s, passes + 1):
            return gain + lead(w, root, seat)
        low, high = gain - beta, gain - alpha
        return gain - search(s, w, root, after, left, right, depth - 1, low, high, is_unsound, passes + 1)
    best = -np.inf
    while fit:
        tile = int64(bits.lowest_bit(fit))
        fit &= fit - 1
        q, total = chance(w, root, seat, tile), TILE_FIRST[tile] + TILE_SECOND[tile]
        scale = 1.0 if is_unsound else q
        for side in range(2):
            end = right if side else left
            if SUIT[end] >> tile & 1 == 0 or (side == 1 and left == right):
                continue
            new_left, new_right = left if side else total - left, total - right if side else right
            lay(w, seat, tile, -1)
            if w[COUNTS + seat] == 0:
                value = team_pips(w, root, after)
            elif double_dummy.is_blocked(s, w, new_left, new_right):
                value = lead(w, root, seat)
            else:
                low, high = -beta / scale, -max(alpha, best) / scale
                value = -search(s, w, root, after, new_left, new_right, depth - 1, low, high, is_unsound, int64(0))
            lay(w, seat, tile, 1)
            best = max(best, q * value)
        if best >= beta:
            break
    return best


@inlined_kernel
def lay(w, seat, tile, count):
    """Lay a tile (count -1), or take it back (1); nobody holds what is on the table."""
    w[LEFT_OVER] ^= int64(1) << tile
    w[COUNTS + seat] += count
    w[NODES] += 1 - (count + 1 >> 1)


@kernel
def value_of(s, w, action, depth, low, high, is_unsound):
    """Value of an action for the seat on turn and `depth` turns after it, seen in the window (low, high)."""
    seat, left, right = int64(s[PLAYER]), int64(s[LEFT]), int64(s[RIGHT])
    move, after = double_dummy.move_of(action), (seat + 1) & 3
    if move < 0:
        passes = int64(s[PASSES]) + 1
        gain = worlds.pass_value(s, w, seat, passes) / w[worlds.SCALE]
        if round_end.ends_by_passing(s, passes):
            return gain + lead(w, seat, seat)
        return gain - search(s, w, seat, after, left, right, depth, gain - high, gain - low, is_unsound, passes)
    tile = move >> 1
    first, second = TILE_FIRST[tile], TILE_SECOND[tile]
    new_left, new_right = first, second
    if left >= 0:
        new_left = left if move & 1 else first + second - left
        new_right = first + second - right if move & 1 else right
    lay(w, seat, tile, -1)
    if w[COUNTS + seat] == 0:
        value = team_pips(w, seat, after)
    elif double_dummy.is_blocked(s, w, new_left, new_right):
        value = lead(w, seat, seat)
    else:
        value = -search(s, w, seat, after, new_left, new_right, depth, -high, -low, is_unsound, int64(0))
    lay(w, seat, tile, 1)
    return value


@kernel
def search_all(s, w, actions, depth, is_exact, is_unsound, out):
    """Value of each action and `depth` turns after it, see `values`; whether that took no more turns than it may."""
    worlds.allow(w)
    best = -np.inf
    for i in range(len(actions)):
        before, low = w[NODES], -np.inf if is_exact else best
        out[0, i] = value_of(s, w, int64(actions[i]), depth, low, np.inf, is_unsound)
        out[1, i] = w[NODES] - before
        best = max(best, out[0, i])
    return w[worlds.STOPPED] == 0


@kernel
def values(s, w, actions, depth, is_exact, is_unsound, out):
    """Value of each action, most pips first as listed, and the turns made below it, to out float64[2, n].

    Returns the depth: `depth` turns after each action, or where these take too many turns in all the
    most that do not. is_exact: every value for itself; else only the best is searched for, and others
    that it refutes are bounds from above.
    """
    begin(s, w, int64(s[PLAYER]))
    if search_all(s, w, actions, int64(depth), is_exact, is_unsound, out):
        return int64(depth)
    reached = int64(0)
    while search_all(s, w, actions, reached + 1, is_exact, is_unsound, out):
        reached += 1
    search_all(s, w, actions, reached, is_exact, is_unsound, out)
    return reached
