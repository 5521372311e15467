"""Perfect Information Monte Carlo: worlds drawn, weighed and searched (a part of the rules).

Worlds are hands of all seats, int64[K, 4], sets of tiles of the rules. World number k of a decision
draws from the stream (seed, k), however worlds are shared out over calls. *Exact*: uniform over the
deals that a seat cannot tell apart (`dealing`). *Paper*: each hidden tile is given to a seat by the
paper's belief alone (`paper_belief`), whatever else the seat got, so hands have wrong sizes; a seat is
out all the same when it has laid as many tiles as it holds.

Arrays: s int32[SIZE]; w int64[worlds.WORK]; tally float64[5, n] (by action: sums over worlds of weight
times value, of squared weight times value, of squared weight times squared value, of value, of squared value).
"""

import numpy as np
from numpy import int64

from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

dealing = part("dealing")
paper_belief = part("paper_belief")
worlds = part("worlds")
double_dummy = part("double_dummy")
playout_policy = part("playout_policy")

HANDS, COUNTS, LEFT_OVER = worlds.HANDS, worlds.COUNTS, worlds.LEFT_OVER
TO_DEPTH, BY_PLAYOUTS = 0, 1


@kernel
def draw_by_belief(s, seat, r, out):
    """One world of the paper's sampler, to out int64[4]."""
    hidden = dealing.unseen(s, seat)
    for other in range(MAX_SEATS):
        out[other] = int64(s[HAND + seat]) if other == seat else int64(0)
    while hidden:
        tile = int64(bits.lowest_bit(hidden))
        hidden &= hidden - 1
        left, holder = rng.uniform(r), int64(-1)
        for k in range(1, MAX_SEATS):
            other = (seat + k) & 3
            share = paper_belief.chance(s, seat, tile, other)
            if share > 0.0:
                holder = other
                if left < share:
                    break
                left -= share
        out[holder] |= int64(1) << tile


@kernel
def draw(s, seat, seed, first, is_exact, r, classes, out):
    """Worlds number first, first + 1, ... to out int64[K, 4]; classes: int64[dealing.WORK], overwritten."""
    deals = dealing.count(s, seat, classes)
    for k in range(len(out)):
        rng.seed(r, rng.mix2(np.uint64(seed), np.uint64(first + k)))
        if not is_exact:
            draw_by_belief(s, seat, r, out[k])
            continue
        one, two, three = dealing.draw(classes, deals, r)
        out[k, seat] = s[HAND + seat]
        out[k, (seat + 1) & 3] = one
        out[k, (seat + 2) & 3] = two
        out[k, (seat + 3) & 3] = three


@kernel
def add(tally, i, value, weight):
    """Add the value of an action in a world of some weight."""
    tally[0, i] += weight * value
    tally[1, i] += weight * weight * value
    tally[2, i] += weight * weight * value * value
    tally[3, i] += value
    tally[4, i] += value * value


@kernel
def search_worlds(s, w, table, actions, deals, weights, depth, out, tally):
    """Add the values of all actions in each world, searched `depth` turns deep or to the end. out: float64[2, n]."""
    for k in range(len(deals)):
        worlds.begin(s, w, deals[k, 0], deals[k, 1], deals[k, 2], deals[k, 3])
        double_dummy.values(s, w, table, actions, depth, out)
        for i in range(len(actions)):
            add(tally, i, out[0, i], weights[k])


@kernel
def play_worlds(s, w, p, actions, deals, weights, number, seed, first, r, tally):
    """Add the values of all actions in each world, the mean of so many playouts by `playout_policy`.

    Playout m of world k draws from one stream for all actions.
    """
    seat, left, right = int64(s[PLAYER]), int64(s[LEFT]), int64(s[RIGHT])
    for k in range(len(deals)):
        worlds.begin(s, w, deals[k, 0], deals[k, 1], deals[k, 2], deals[k, 3])
        playout_policy.begin(s, w)
        playout_policy.save(w)
        for i in range(len(actions)):
            total = int64(0)
            for m in range(number):
                playout_policy.restore(w)
                rng.seed(r, rng.mix2(rng.mix2(np.uint64(seed), np.uint64(first + k)), np.uint64(m + 1)))
                move = double_dummy.move_of(int64(actions[i]))
                total += playout_policy.playout(s, w, p, seat, move, left, right, int64(s[PASSES]), r)
            add(tally, i, total / (number * w[worlds.SCALE]), weights[k])


@kernel
def weigh(s, w, p, seat, deals, out):
    """Log-likelihood of the tiles that the others have laid in this round, by `playout_policy`, to out float64[K].

    A tile that the opener had to lay says nothing.
    """
    for k in range(len(deals)):
        worlds.begin(s, w, deals[k, 0], deals[k, 1], deals[k, 2], deals[k, 3])
        out[k] = 0.0
        for other in range(MAX_SEATS):
            w[worlds.LACKING + other] = 0
        w[worlds.OWNERS], w[worlds.OWNERS + 1] = -1, -1
        for turn in range(s[NUM_TURNS]):
            word = int64(s[LOG + turn])
            if word & 63 < PASS:
                layer, bit = word >> LOG_SEAT & 3, int64(1) << (double_dummy.move_of(word & 63) >> 1)
                w[HANDS + layer] |= bit
                w[LEFT_OVER] |= bit
                w[COUNTS + layer] += 1
        for turn in range(s[NUM_TURNS]):
            word = int64(s[LOG + turn])
            action, layer = word & 63, word >> LOG_SEAT & 3
            left, right = (word >> LOG_LEFT & 7) - 1, (word >> LOG_RIGHT & 7) - 1
            if action == PASS and s[ENFORCE_PASS]:
                w[worlds.LACKING + layer] |= int64(1) << left | int64(1) << right
            if action >= PASS:
                continue
            move = double_dummy.move_of(action)
            if layer != seat and not (turn == 0 and s[MUST_OPEN] > 0):
                out[k] += np.log(playout_policy.likelihood(w, p, layer, move, left, right))
            playout_policy.note_owner(w, layer, action & 1, left < 0)
            bit = int64(1) << (move >> 1)
            w[HANDS + layer] &= ~bit
            w[LEFT_OVER] &= ~bit
            w[COUNTS + layer] -= 1
