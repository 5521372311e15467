"""The policy of a seat that sees its own hand and what all see: appeal of moves, and rounds played by it.

A move's appeal is a weighted sum of what it does: weights by how many tiles the seat holds
(`fitted`), and the chance of a move is its share of exp(appeal), a softmax. Fitted to the moves of a
search (`tests.bench.fit_dominoes`), it plays quickly, and no seat of a playout knows what it could not know at the
table. It is a part of the rules. Arrays: p float64[PHASES * TERMS]; w int64[WORK] (`worlds`).
"""

import numpy as np
from numpy import int64

from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

worlds = part("worlds")
double_dummy = part("double_dummy")
imperfect_minimax = part("imperfect_minimax")
dealing = part("dealing")
round_end = part("round_end")

SUIT, PIPS, TILE_FIRST, TILE_SECOND = worlds.SUIT, worlds.PIPS, worlds.TILE_FIRST, worlds.TILE_SECOND
HANDS, COUNTS, LEFT_OVER, NODES = worlds.HANDS, worlds.COUNTS, worlds.LEFT_OVER, worlds.NODES
LACKING, OWNERS = worlds.LACKING, worlds.OWNERS
PHASES, TERMS = 3, 18


@inlined_kernel
def phase_of(count):
    """Index of the weights for a number of tiles held: 6 or more, 4 or 5, fewer."""
    return int64(0) if count >= 6 else (int64(1) if count >= 4 else int64(2))


@inlined_kernel
def lacked(lacks, left, right):
    """Number of ends, of both, that a seat has passed on."""
    return (lacks >> left & 1) + (lacks >> right & 1)


@inlined_kernel
def of_both(p, at, number):
    """The weight at `at` where one end is lacked, the next where both are."""
    return p[at + number - 1] if number else 0.0


@kernel
def appeal(p, at, own, tile, left, right, end, covered, lacks, unseen):
    """Appeal of laying a tile: own, tiles held after it; left, right: the ends it leaves; end: the new one.

    at: where the weights of the phase begin; covered: whose end it covers, as steps from the seat
    (0 itself, 2 its partner), -1: a bare table; lacks: sets of numbers passed on by the three seats
    after, seven bits each; unseen: tiles that the seat does not see.
    """
    suits = SUIT[left] | SUIT[right]
    fits, rest = bits.popcount(own & suits), bits.popcount(unseen & SUIT[end])
    value = p[at] * PIPS[tile] / 12.0
    if TILE_FIRST[tile] == TILE_SECOND[tile]:
        value += p[at + 1]
    value += p[at + 2] * fits / 6.0 if fits else p[at + 3]
    value += of_both(p, at + 4, lacked(lacks, left, right))
    value += of_both(p, at + 6, lacked(lacks >> 7, left, right))
    value += of_both(p, at + 8, lacked(lacks >> 14, left, right))
    value += p[at + 10] * bits.popcount(own & SUIT[end]) / 6.0 + p[at + 11] * rest / 6.0
    value += p[at + 12] * bits.popcount(unseen & suits) / 12.0
    if left == right:
        value += p[at + 13]
    if covered == 0:
        value += p[at + 14]
    elif covered == 2:
        value += p[at + 15]
    elif covered == 3:
        value += p[at + 16]
    if rest == 0 and own & SUIT[end]:
        value += p[at + 17]
    return value


@kernel
def after(tile, side, left, right):
    """(left, right, the new end) after a tile at an end; left -1: a bare table, whose new end is the second."""
    first, second = TILE_FIRST[tile], TILE_SECOND[tile]
    if left < 0:
        return first, second, second
    if side:
        return left, first + second - right, first + second - right
    return first + second - left, right, first + second - left


@inlined_kernel
def lacks_after(w, seat):
    """Numbers passed on by the three seats after, seven bits each."""
    return w[LACKING + ((seat + 1) & 3)] | w[LACKING + ((seat + 2) & 3)] << 7 | w[LACKING + ((seat + 3) & 3)] << 14


@kernel
def appeal_of(w, p, seat, move, left, right):
    """Appeal of a move to a seat of a round that is held in w."""
    tile, side = move >> 1, move & 1
    own = w[HANDS + seat] & ~(int64(1) << tile)
    new_left, new_right, end = after(tile, side, left, right)
    covered = (w[OWNERS + side] - seat) & 3 if left >= 0 else int64(-1)
    at, unseen = phase_of(w[COUNTS + seat]) * TERMS, w[LEFT_OVER] & ~w[HANDS + seat]
    return appeal(p, at, own, tile, new_left, new_right, end, covered, lacks_after(w, seat), unseen)


@kernel
def begin(s, w):
    """Prepare what all have seen of the round: numbers passed on, and who laid the tiles at both ends."""
    for seat in range(MAX_SEATS):
        w[LACKING + seat] = s[LACKS + seat] if s[ENFORCE_PASS] else 0
    w[OWNERS], w[OWNERS + 1] = -1, -1
    for turn in range(s[NUM_TURNS]):
        word = int64(s[LOG + turn])
        if word & 63 < PASS:
            note_owner(w, word >> LOG_SEAT & 3, word & 1, w[OWNERS] < 0)


@kernel
def save(w):
    """Keep the round in w, to begin anew from."""
    for k in range(LEFT_OVER + 1):
        w[worlds.SAVED + k] = w[k]
    for k in range(6):
        w[worlds.SAVED + LEFT_OVER + 1 + k] = w[LACKING + k]


@kernel
def restore(w):
    """Set the round that was kept."""
    for k in range(LEFT_OVER + 1):
        w[k] = w[worlds.SAVED + k]
    for k in range(6):
        w[LACKING + k] = w[worlds.SAVED + LEFT_OVER + 1 + k]


@inlined_kernel
def note_owner(w, seat, side, is_bare):
    """A seat has laid a tile at an end."""
    w[OWNERS + side] = seat
    if is_bare:
        w[OWNERS], w[OWNERS + 1] = seat, seat


@kernel
def choose(w, p, seat, left, right, r):
    """A move drawn by its appeal; -1 where no tile fits."""
    fit = worlds.fitting(w[HANDS + seat], left, right)
    if fit & (fit - 1) == 0 and (fit == 0 or left == right or fits_one(fit, left, right)):
        return only_move(fit, left)
    total, chosen = 0.0, int64(-1)
    while fit:
        tile = int64(bits.lowest_bit(fit))
        fit &= fit - 1
        for side in range(2):
            if side == 1 and left == right:
                continue
            if left >= 0 and SUIT[right if side else left] >> tile & 1 == 0:
                continue
            move = 2 * tile + side
            weight = np.exp(appeal_of(w, p, seat, move, left, right))
            total += weight
            if rng.uniform(r) * total < weight:
                chosen = move
    return chosen


@inlined_kernel
def fits_one(fit, left, right):
    """Whether a single tile goes to one end only."""
    return left >= 0 and fit & SUIT[left] & SUIT[right] == 0


@inlined_kernel
def only_move(fit, left):
    """The move of a set of one tile that goes to one place; -1 for no tile."""
    if fit == 0:
        return int64(-1)
    tile = int64(bits.lowest_bit(fit))
    return 2 * tile + (0 if left < 0 or SUIT[left] >> tile & 1 else 1)


@kernel
def step(s, w, seat, move, left, right, passes):
    """Play a move, or pass (-1); return (is over, left, right, passes, value for the seat)."""
    w[NODES] += 1
    if move < 0:
        gain = worlds.pass_value(s, w, seat, passes + 1)
        w[LACKING + seat] |= int64(1) << left | int64(1) << right
        if round_end.ends_by_passing(s, passes + 1):
            return True, left, right, passes + 1, gain + worlds.block_value(s, w, seat, (seat - passes - 1) & 3)
        return False, left, right, passes + 1, gain
    new_left, new_right, _ = after(move >> 1, move & 1, left, right)
    note_owner(w, seat, move & 1, left < 0)
    bit = int64(1) << (move >> 1)
    w[HANDS + seat] ^= bit
    w[LEFT_OVER] ^= bit
    w[COUNTS + seat] -= 1
    if w[COUNTS + seat] == 0:
        return True, new_left, new_right, int64(0), worlds.out_value(s, w, seat, move, left, right)
    if double_dummy.is_blocked(s, w, new_left, new_right):
        return True, new_left, new_right, int64(0), worlds.block_value(s, w, seat, seat)
    return False, new_left, new_right, int64(0), int64(0)


@kernel
def playout(s, w, p, seat, move, left, right, passes, r):
    """Play the round to its end from a move (-1: a pass) on; return its value for the seat. w is used up."""
    root, value = seat, int64(0)
    while True:
        is_over, left, right, passes, gain = step(s, w, seat, move, left, right, passes)
        value += -gain if (seat ^ root) & 1 else gain
        if is_over:
            return value
        seat = (seat + 1) & 3
        move = choose(w, p, seat, left, right, r)


@kernel
def likelihood(w, p, seat, move, left, right):
    """Chance that a seat of a round in w makes a move, by its appeal; 1 where it is the only one."""
    fit, total, own = worlds.fitting(w[HANDS + seat], left, right), 0.0, 0.0
    while fit:
        tile = int64(bits.lowest_bit(fit))
        fit &= fit - 1
        for side in range(2):
            if side == 1 and left == right:
                continue
            if left >= 0 and SUIT[right if side else left] >> tile & 1 == 0:
                continue
            weight = np.exp(appeal_of(w, p, seat, 2 * tile + side, left, right))
            total += weight
            if move == 2 * tile + side:
                own = weight
    return own / total


@kernel
def list_terms(s, w, p, seat, actions, out):
    """Terms of each action's appeal for a seat on turn, to out float64[n, TERMS]. p: float64, overwritten."""
    left, right = int64(s[LEFT]), int64(s[RIGHT])
    p[:] = 0.0
    for i in range(len(actions)):
        move = double_dummy.move_of(int64(actions[i]))
        for term in range(TERMS):
            for phase in range(PHASES):
                p[phase * TERMS + term] = 1.0
            out[i, term] = appeal_of(w, p, seat, move, left, right)
            for phase in range(PHASES):
                p[phase * TERMS + term] = 0.0


@kernel
def record(s, w, p, r, rows, seats):
    """Play the rest of a round and write each position met to rows, what `fitted_value` adds up for it.

    rows: float64[turns, 4 * worlds.TERMS]; seats: int64[turns]. Returns (positions, value for team 0).
    """
    seat, left, right, passes = int64(s[PLAYER]), int64(s[LEFT]), int64(s[RIGHT]), int64(s[PASSES])
    n, value = int64(0), int64(0)
    while True:
        if left >= 0 and n < len(rows):
            worlds.list_terms(w, seat, left, right, rows[n])
            seats[n] = seat
            n += 1
        is_over, left, right, passes, gain = step(s, w, seat, choose(w, p, seat, left, right, r), left, right, passes)
        value += -gain if seat & 1 else gain
        if is_over:
            return n, value
        seat = (seat + 1) & 3


@kernel
def play_rounds(s, w, p, seed, r, out):
    """Deal and play rounds opened by seat 0; what each is worth to its team, to out int64[K]. s: empty table."""
    for k in range(len(out)):
        rng.seed(r, rng.mix2(np.uint64(seed), np.uint64(k)))
        a, b, c = dealing.four_hands(r)
        worlds.begin(s, w, a, b, c, int64(worlds.ALL_TILES) & ~(a | b | c))
        for seat in range(MAX_SEATS):
            w[COUNTS + seat], w[LACKING + seat] = 7, 0
        w[OWNERS], w[OWNERS + 1] = -1, -1
        move = choose(w, p, int64(0), int64(-1), int64(-1), r)
        out[k] = playout(s, w, p, int64(0), move, int64(-1), int64(-1), int64(0), r)


@kernel
def most_appealing(s, w, p, seat, actions, n):
    """The one of the first n actions that appeals most to a seat on turn: of equals more pips, then the first.

    Calls, and the opening left to the partner, are none of its. s: a state or the seat's view.
    """
    left, right, best, best_pips, most = int64(s[LEFT]), int64(s[RIGHT]), int64(-1), int64(-1), -np.inf
    imperfect_minimax.begin(s, w, seat)
    begin(s, w)
    for i in range(n):
        action = int64(actions[i])
        if action > PASS:
            continue
        if action == PASS:
            if best < 0:
                best = action
            continue
        move = double_dummy.move_of(action)
        value, pips = appeal_of(w, p, seat, move, left, right), PIPS[move >> 1]
        if best < 0 or best == PASS or value > most or (value == most and pips > best_pips):
            best, best_pips, most = action, pips, value
    return best
