"""Choices that a seat makes once for all worlds that look alike by then (a part of the rules).

Minimax in single worlds lets the seat choose its next tile as if it could tell them apart (strategy
fusion). Here, after each first action, the three others answer in every world as is best for them
there, and what follows each own next action is kept with the moves that all have seen; adding
up worlds of one such history chooses one action for all of them (EPIMC: Arjonilla, Saffidine,
Cazenave, arXiv 2408.02380, with perfect information from the seat's second turn on).

Arrays: s int32[SIZE], w int64[WORK] (`worlds`), table as in `double_dummy`.
"""

from numpy import int64

from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

worlds = part("worlds")
double_dummy = part("double_dummy")
playout_policy = part("playout_policy")

HANDS, COUNTS, MOST_MOVES = worlds.HANDS, worlds.COUNTS, worlds.MOST_MOVES
INFINITE = double_dummy.INFINITE


@kernel
def list_moves(w, seat, left, right, out):
    """Moves of a seat in a fixed order, to out int64[MOST_MOVES], left end first; return how many."""
    fit, n = worlds.fitting(w[HANDS + seat], left, right), int64(0)
    while fit:
        tile = int64(bits.lowest_bit(fit))
        fit &= fit - 1
        for side in range(2):
            if (side == 0 or left != right) and worlds.SUIT[right if side else left] >> tile & 1:
                out[n] = 2 * tile + side
                n += 1
    return n


@kernel
def value_after(s, w, table, seat, move, left, right, depth):
    """Value for the seat of a move and `depth` turns after it, exactly."""
    bound = int64(INFINITE)
    total = worlds.TILE_FIRST[move >> 1] + worlds.TILE_SECOND[move >> 1]
    new_left = left if move & 1 else total - left
    new_right = total - right if move & 1 else right
    double_dummy.toggle(w, seat, move, -1)
    if w[COUNTS + seat] == 0:
        value = worlds.out_value(s, w, seat, move, left, right)
    elif double_dummy.is_blocked(s, w, new_left, new_right):
        value = worlds.block_value(s, w, seat, seat)
    else:
        after = (seat + 1) & 3
        value = -double_dummy.search(s, w, table, after, new_left, new_right, depth, -bound, bound, int64(0))
    double_dummy.toggle(w, seat, move, 1)
    return value


@kernel
def best_move(s, w, table, seat, left, right, depth, moves):
    """The move of the best value for a seat, the first of equals; -1 where it passes."""
    n = list_moves(w, seat, left, right, moves)
    best, chosen = -int64(INFINITE), int64(-1)
    for i in range(n):
        value = value_after(s, w, table, seat, moves[i], left, right, depth) if n > 1 else int64(0)
        if value > best:
            best, chosen = value, moves[i]
    return chosen


@kernel
def follow(s, w, table, action, depth, moves, out):
    """Follow an action of the seat on turn in a world: (history, number of own next actions).

    out: float64[MOST_MOVES], values in points of the own next actions; of a round that ends before, or in
    which the seat has to pass then, a single value. Each of the three others looks `depth` turns ahead,
    and so does the value of what follows. w is used up.
    """
    root, seat, passes = int64(s[PLAYER]), int64(s[PLAYER]), int64(s[PASSES])
    left, right, history, value = int64(s[LEFT]), int64(s[RIGHT]), int64(1), int64(0)
    move, bound = double_dummy.move_of(action), int64(INFINITE)
    for k in range(MAX_SEATS):
        if k:
            move = best_move(s, w, table, seat, left, right, depth, moves)
        history = history << 7 | (move + 1)
        is_over, left, right, passes, gain = playout_policy.step(s, w, seat, move, left, right, passes)
        value += -gain if (seat ^ root) & 1 else gain
        if is_over:
            out[0] = value / w[worlds.SCALE]
            return history, int64(1)
        seat = (seat + 1) & 3
    n = list_moves(w, root, left, right, moves)
    for i in range(n):
        out[i] = (value + value_after(s, w, table, root, moves[i], left, right, depth)) / w[worlds.SCALE]
    if n == 0:
        value += double_dummy.search(s, w, table, root, left, right, depth, -bound, bound, passes)
        out[0] = value / w[worlds.SCALE]
    return history, max(n, int64(1))


@kernel
def follow_worlds(s, w, table, actions, deals, depth, moves, histories, numbers, values):
    """`follow` each action in each world: histories and numbers int64[n, K], values float64[n, K, MOST_MOVES]."""
    for k in range(len(deals)):
        double_dummy.begin_table(w, table)
        for i in range(len(actions)):
            worlds.begin(s, w, deals[k, 0], deals[k, 1], deals[k, 2], deals[k, 3])
            action = int64(actions[i])
            histories[i, k], numbers[i, k] = follow(s, w, table, action, int64(depth), moves, values[i, k])
