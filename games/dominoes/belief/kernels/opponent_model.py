"""Likelihoods of others' hands from their plays, by playing level (a part of the rules).

The DominAI paper's future work: a seat of level g in [0, 1] lays a tile m with likelihood
L = (1 - g) * base + g * [m is best for it] / (number of best moves), given all hands. Forced moves
and passes have likelihood 1. `base` is 1 (flat: level 0 says nothing, as the paper wants) or
1 / (number of legal moves) (per legal move: level 0 is a seat that plays at random). Best is the
most pips (depth 0, what beginners play), or the best value of a search of so many turns with all
hands known, where leaves and ends of rounds are worth the other team's pips less the own team's. A round ends
there by as many passes in a row as by the rules; one that ends at once, as no tile left fits, is one of four.

Arrays: s int32[SIZE], hands int64[4] (sets of tiles, overwritten), levels float64[G],
out float64[deal, seat, G] (log-likelihoods).
"""

import numpy as np
from numpy import int64

from games.dominoes import tiles
from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

SUIT, FIRST, SECOND, PIPS = tiles.SUIT, tiles.FIRST, tiles.SECOND, tiles.PIPS
LEAST = 1e-12
"""Likelihood of what a level calls impossible: a deal is never ruled out by inference alone."""
INFINITE = 1 << 20


@kernel
def pips_of(hand):
    total = int64(0)
    while hand:
        total += PIPS[bits.lowest_bit(hand)]
        hand &= hand - 1
    return total


@kernel
def margin(hands, seat):
    """Pips of the other team less those of the seat's."""
    return (
        pips_of(hands[(seat + 1) & 3])
        + pips_of(hands[(seat + 3) & 3])
        - pips_of(hands[seat])
        - pips_of(hands[seat ^ 2])
    )


@kernel
def fitting(hand, left, right):
    """Tiles that may be laid; any on a bare table (left -1)."""
    return hand if left < 0 else hand & (SUIT[left] | SUIT[right])


@kernel
def other_end(tile, end):
    return FIRST[tile] + SECOND[tile] - end


@inlined_kernel
def last_pass(s):
    """Passes in a row with which a round ends."""
    return int64(3) if s[BLOCK_END] == 2 else int64(4)


@kernel
def value(hands, seat, left, right, depth, alpha, beta, passes, last):
    """Margin that a seat's team reaches in `depth` more turns with all hands known (alpha-beta, fail-soft).

    passes: since the last tile; last: those that end a round. All arguments but hands are int64: the compiled
    recursion wants equal types.
    """
    before = (seat + 3) & 3
    if depth == 0 or hands[before] == 0 or passes == last:
        return margin(hands, seat)
    fit = fitting(hands[seat], left, right)
    if fit == 0:
        return -value(hands, (seat + 1) & 3, left, right, depth - 1, -beta, -alpha, passes + 1, last)
    best = int64(-INFINITE)
    while fit:
        tile = int64(bits.lowest_bit(fit))
        fit &= fit - 1
        bit = int64(1) << tile
        for side in range(2):
            end = left if side == 0 else right
            if (FIRST[tile] != end and SECOND[tile] != end) or (side == 1 and left == right):
                continue
            new_left = int64(other_end(tile, left)) if side == 0 else left
            new_right = right if side == 0 else int64(other_end(tile, right))
            hands[seat] ^= bit
            found = -value(hands, (seat + 1) & 3, new_left, new_right, depth - 1, -beta, -alpha, int64(0), last)
            hands[seat] ^= bit
            best = max(best, found)
            alpha = max(alpha, best)
            if alpha >= beta:
                return best
    return best


@kernel
def worth(hands, seat, tile, side, left, right, depth, last):
    """Worth of laying a tile to a seat: its pips at depth 0, else the value of a search. last: see `value`."""
    if depth == 0:
        return PIPS[tile]
    bit = int64(1) << tile
    new_left, new_right = int64(FIRST[tile]), int64(SECOND[tile])
    if left >= 0 and side == 0:
        new_left, new_right = int64(other_end(tile, left)), right
    elif left >= 0:
        new_left, new_right = left, int64(other_end(tile, right))
    hands[seat] ^= bit
    after = (seat + 1) & 3
    bound = int64(INFINITE)
    found = -value(hands, after, new_left, new_right, depth - 1, -bound, bound, int64(0), last)
    hands[seat] ^= bit
    return found


@kernel
def judge(hands, seat, action, left, right, depth, last):
    """(legal moves, best moves, 1 where the action is one of these) of a turn in which a tile was laid."""
    fit, legal, best, most, own = fitting(hands[seat], left, right), int64(0), int64(0), int64(-INFINITE), int64(0)
    while fit:
        tile = int64(bits.lowest_bit(fit))
        fit &= fit - 1
        for side in range(2):
            end = left if side == 0 else right
            if left >= 0 and FIRST[tile] != end and SECOND[tile] != end:
                continue
            if side == 1 and left == right:
                continue
            legal += 1
            found = worth(hands, seat, tile, int64(side), left, right, depth, last)
            if found > most:
                most, best = found, int64(0)
            best += found == most
            if action == 2 * tile + side:
                own = found
    return legal, best, int64(own == most)


@kernel
def add_turn(hands, word, levels, per_legal, depth, last, out):
    """Add the log-likelihoods of one turn to out float64[G], one for each level."""
    action, seat = word & 63, word >> LOG_SEAT & 3
    left, right = (word >> LOG_LEFT & 7) - 1, (word >> LOG_RIGHT & 7) - 1
    legal, best, is_best = judge(hands, seat, action, left, right, depth, last)
    if legal < 2:
        return
    base = 1.0 / legal if per_legal else 1.0
    for k in range(len(levels)):
        share = is_best / best if is_best else 0.0
        out[k] += np.log(max(LEAST, (1.0 - levels[k]) * base + levels[k] * share))


@kernel
def weigh(s, seat, deals, levels, per_legal, depth, hands, out):
    """Log-likelihood of the tiles that each other seat has laid in this round, for each deal and level.

    deals: int64[K, 4], hands as they may be now. Past hands follow: what a seat has laid since was
    in its hand. Where the opener had to lay one tile, that says nothing.
    """
    for k in range(len(deals)):
        for other in range(MAX_SEATS):
            hands[other] = deals[k, other]
            out[k, other, :] = 0.0
        for turn in range(s[NUM_TURNS]):
            word = int64(s[LOG + turn])
            if word & 63 < PASS:
                hands[word >> LOG_SEAT & 3] |= int64(1) << ((word & 63) >> 1)
        for turn in range(s[NUM_TURNS]):
            word = int64(s[LOG + turn])
            if word & 63 >= PASS:
                continue
            layer = word >> LOG_SEAT & 3
            is_forced = turn == 0 and s[MUST_OPEN] > 0
            if layer != seat and not is_forced:
                add_turn(hands, word, levels, per_legal, int64(depth), last_pass(s), out[k, layer])
            hands[layer] &= ~(int64(1) << ((word & 63) >> 1))
