"""Alpha-beta over rounds with all hands known: to a depth in turns, or to the end (a part of the rules).

The team of the seat on turn maximises, the other minimises (negamax, fail-soft). A position is its
tiles not laid, its ends in any order, its seat and, where bonuses or ends ask for it, the passes since
the last tile; hands follow from the deal. Bounds of positions are kept in a table of two words an
entry. Tried first: the move that was best there before, then moves after which the next seat has to
pass, then those that leave it few tiles, then many pips. A search that would make more turns than it may
is made less deep (`values`).

Arrays: s int32[SIZE] (read for the rules), w int64[WORK] (`worlds`), table int64[2 * places].
"""

from numpy import int64

from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

worlds = part("worlds")
round_end = part("round_end")

SUIT, TILE_FIRST, TILE_SECOND, PIPS = worlds.SUIT, worlds.TILE_FIRST, worlds.TILE_SECOND, worlds.PIPS
PLACE, NUM_TILES = worlds.PLACE, worlds.NUM_TILES
HANDS, COUNTS, LEFT_OVER, NODES = worlds.HANDS, worlds.COUNTS, worlds.LEFT_OVER, worlds.NODES
GENERATION, MASK, MOVES, MOST_MOVES = worlds.GENERATION, worlds.MASK, worlds.MOVES, worlds.MOST_MOVES

TO_THE_END = -1
"""Depth of a search without a limit."""
INFINITE = 1 << 22
"""Above every value."""
GENERATIONS = 1 << 18
LEAST_TABLE_DEPTH = 3
"""Turns to come below which a search with a limit asks no table."""
FOLD, MULTIPLIER = 0x7FFFFFFF, 0x9E3779B1
POSITION = (1 << 45) - 1
"""The bits of a key that are the position's, without the generation."""
MOVE_BITS, VALUE_BITS = 8, 24
VALUE_MASK = (1 << VALUE_BITS) - 1
NO_MOVE = (1 << MOVE_BITS) - 1


@inlined_kernel
def key_of(s, w, seat, left, right, depth, passes):
    """Number of a position within this search: 45 bits, below those of the generation."""
    deep = depth if depth > 0 else int64(127)
    since = passes if s[BLOCK_END] or s[ALL_PASS_BONUS] else int64(0)
    ends = min(left, right) * 7 + max(left, right)
    return ((w[GENERATION] << 7 | deep) << 6 | ends) << 32 | since << 30 | seat << 28 | w[LEFT_OVER]


@inlined_kernel
def place_of(w, key):
    """Place of a position's entry in the table: the same in every generation, or counts of turns would differ."""
    position = key & POSITION
    return 2 * (((position ^ position >> 31) & FOLD) * MULTIPLIER >> 20 & w[MASK])


@inlined_kernel
def promise(w, seat, tile, new_left, new_right):
    """Rank of a move in the order of trial: the greatest number first."""
    suits = SUIT[new_left] | SUIT[new_right]
    replies = bits.popcount(w[HANDS + ((seat + 1) & 3)] & suits)
    partner = bits.popcount(w[HANDS + (seat ^ 2)] & suits)
    value = PIPS[tile] - 6 * replies + 2 * partner + (24 if replies == 0 else 0)
    return value if partner else value - 8


@kernel
def list_moves(w, seat, left, right, fit, at):
    """Write the moves with a set of tiles that fit to w[at:], each below its promise; return how many."""
    n = int64(0)
    while fit:
        tile = int64(bits.lowest_bit(fit))
        fit &= fit - 1
        total = TILE_FIRST[tile] + TILE_SECOND[tile]
        if SUIT[left] >> tile & 1:
            w[at + n] = (promise(w, seat, tile, total - left, right) + 128) << MOVE_BITS | 2 * tile
            n += 1
        if left != right and SUIT[right] >> tile & 1:
            w[at + n] = (promise(w, seat, tile, left, total - right) + 128) << MOVE_BITS | 2 * tile + 1
            n += 1
    return n


@inlined_kernel
def next_move(w, at, n, k):
    """The k-th move to be tried: the most promising of those that are left goes there."""
    best = k
    for i in range(k + 1, n):
        if w[at + i] > w[at + best]:
            best = int64(i)
    found = w[at + best]
    w[at + best] = w[at + k]
    w[at + k] = found
    return found & NO_MOVE


@inlined_kernel
def toggle(w, seat, move, count):
    """Lay a tile (count -1), or take it back (1)."""
    bit = int64(1) << (move >> 1)
    w[HANDS + seat] ^= bit
    w[LEFT_OVER] ^= bit
    w[COUNTS + seat] += count
    w[NODES] += 1 - (count + 1 >> 1)


@inlined_kernel
def is_blocked(s, w, left, right):
    """Whether the round ends at these ends because no tile left fits."""
    return s[BLOCK_END] == 0 and w[LEFT_OVER] & (SUIT[left] | SUIT[right]) == 0


@inlined_kernel
def entry_of(table, place, key):
    """Entry of a position in the table: (bound from below, bound from above, best move)."""
    if table[place] != key:
        return int64(-INFINITE), int64(INFINITE), int64(NO_MOVE)
    entry = table[place + 1]
    high = (entry >> MOVE_BITS & VALUE_MASK) - INFINITE
    return (entry >> MOVE_BITS + VALUE_BITS) - INFINITE, high, entry & NO_MOVE


@inlined_kernel
def keep(table, place, key, low, high, move):
    """Put what is known of a position into the table."""
    table[place] = key
    table[place + 1] = (low + INFINITE) << (MOVE_BITS + VALUE_BITS) | (high + INFINITE) << MOVE_BITS | move


@inlined_kernel
def put_first(w, at, n, move):
    """Have a move tried before all others."""
    for i in range(n):
        if w[at + i] & NO_MOVE == move:
            w[at + i] |= int64(1) << 20


@kernel
def search(s, w, table, seat, left, right, depth, alpha, beta, passes):
    """Value of a position for the seat on turn; depth: turns to come, or TO_THE_END.

    Numbers are int64, literals too: compiled recursion wants equal types, or it cannot be cached. w is
    left as it was but for NODES.
    """
    if depth == 0:
        return worlds.evaluate(w, seat, left, right)
    if w[NODES] >= w[worlds.LIMIT]:
        w[worlds.STOPPED] = 1
        return worlds.evaluate(w, seat, left, right)
    after = (seat + 1) & 3
    fit = worlds.fitting(w[HANDS + seat], left, right)
    if fit == 0:
        gain = worlds.pass_value(s, w, seat, passes + 1)
        w[NODES] += 1
        if round_end.ends_by_passing(s, passes + 1):
            return gain + worlds.block_value(s, w, seat, (seat - passes - 1) & 3)
        return gain - search(s, w, table, after, left, right, depth - 1, gain - beta, gain - alpha, passes + 1)

    uses_table = w[MASK] >= 0 and (depth < 0 or depth >= LEAST_TABLE_DEPTH)
    low, high, first, key, place = int64(-INFINITE), int64(INFINITE), int64(NO_MOVE), int64(0), int64(0)
    if uses_table:
        key = key_of(s, w, seat, left, right, depth, passes)
        place = place_of(w, key)
        low, high, first = entry_of(table, place, key)
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)

    at = MOVES + MOST_MOVES * (NUM_TILES - bits.popcount(w[LEFT_OVER]))
    n = list_moves(w, seat, left, right, fit, at)
    if first != NO_MOVE:
        put_first(w, at, n, first)
    best, chosen, bound = -INFINITE, NO_MOVE, alpha
    for k in range(n):
        move = next_move(w, at, n, k)
        total = TILE_FIRST[move >> 1] + TILE_SECOND[move >> 1]
        new_left = left if move & 1 else total - left
        new_right = total - right if move & 1 else right
        toggle(w, seat, move, -1)
        if w[COUNTS + seat] == 0:
            value = worlds.out_value(s, w, seat, move, left, right)
        elif is_blocked(s, w, new_left, new_right):
            value = worlds.block_value(s, w, seat, seat)
        else:
            value = -search(s, w, table, after, new_left, new_right, depth - 1, -beta, -bound, int64(0))
        toggle(w, seat, move, 1)
        if value > best:
            best, chosen = value, move
            bound = max(bound, value)
            if bound >= beta:
                break
    if uses_table and w[worlds.STOPPED] == 0:
        low, high = best if best > alpha else low, best if best < beta else high
        keep(table, place, key, low, high, chosen)
    return best


@kernel
def move_of(action):
    """An action of the rules as a move; PASS and what is said: -1."""
    return 2 * PLACE[action >> 1] + (action & 1) if action < PASS else int64(-1)


@kernel
def value_of(s, w, table, action, depth):
    """Value for the seat on turn of an action and `depth` turns after it, exactly."""
    seat, left, right = int64(s[PLAYER]), int64(s[LEFT]), int64(s[RIGHT])
    move, after, bound = move_of(action), (seat + 1) & 3, int64(INFINITE)
    if move < 0:
        passes = int64(s[PASSES]) + 1
        gain = worlds.pass_value(s, w, seat, passes)
        if round_end.ends_by_passing(s, passes):
            return gain + worlds.block_value(s, w, seat, (seat - passes) & 3)
        return gain - search(s, w, table, after, left, right, depth, -bound, bound, passes)
    first, second = TILE_FIRST[move >> 1], TILE_SECOND[move >> 1]
    new_left, new_right = first, second
    if left >= 0:
        new_left = left if move & 1 else first + second - left
        new_right = first + second - right if move & 1 else right
    toggle(w, seat, move, -1)
    if w[COUNTS + seat] == 0:
        value = worlds.out_value(s, w, seat, move, left, right)
    elif is_blocked(s, w, new_left, new_right):
        value = worlds.block_value(s, w, seat, seat)
    else:
        value = -search(s, w, table, after, new_left, new_right, depth, -bound, bound, int64(0))
    toggle(w, seat, move, 1)
    return value


@kernel
def search_all(s, w, table, actions, depth, out):
    """Value of every action and `depth` turns after it, see `values`; whether that took no more turns than it may."""
    begin_table(w, table)
    for i in range(len(actions)):
        before = w[NODES]
        out[0, i] = value_of(s, w, table, int64(actions[i]), depth) / w[worlds.SCALE]
        out[1, i] = w[NODES] - before
    return w[worlds.STOPPED] == 0


@kernel
def values(s, w, table, actions, depth, out):
    """Value of every action, in points, and the turns made below it, to out float64[2, n]; hands are those in w.

    Returns the depth: `depth` turns after each action, or where these take too many turns in all the most
    that do not. A table is of one search alone: the generation goes on.
    """
    if search_all(s, w, table, actions, int64(depth), out):
        return int64(depth)
    reached = int64(0)
    while search_all(s, w, table, actions, reached + 1, out):
        reached += 1
    search_all(s, w, table, actions, reached, out)
    return reached


@kernel
def begin_table(w, table):
    """Begin a search: forget what the table has, and count the turns from here."""
    worlds.allow(w)
    w[GENERATION] += 1
    if w[GENERATION] == GENERATIONS:
        table[:] = 0
        w[GENERATION] = 1
