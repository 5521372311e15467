"""One tree over all worlds: information-set tree search on hands (a part of the rules).

After Cowling, Powley and Whitehouse (2012): a node is the moves made since the position, which everybody
at the table sees, passes among them. Every simulation has hands of its own; it goes down by the moves
that fit them, grows the tree by one node and plays on by `playout_policy`. A node counts how often it could be
reached (its move was possible beside its siblings), and its mean is the value for the team of the seat
that made its move: partners want the same.

Arrays: s int32[SIZE] (read for the rules), w int64[WORK] (`worlds`), p float64 (weights of `playout_policy`),
moves int64[n] (of the position itself), nodes int64[N, 5], totals float64[N, 2] (of values and of their
squares), path int64[MOST_DEPTH], r uint64[4], deals int64[K, 4].
"""

import numpy as np
from numpy import int64

from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

worlds = part("worlds")
playout_policy = part("playout_policy")

CHILD, SIBLING, MOVE, VISITS, POSSIBLE = range(5)
"""Columns of a node: its first child, the next child of its parent (0: none), move, simulations, and those that it
was possible in."""
COLUMNS = 5
MOST_DEPTH = 128
BY_UCB, BY_MANNER = 0, 1
"""Choice of children: upper confidence bounds; or the mean and what `playout_policy` expects of the seat."""


@kernel
def accept(deals, logs, seed, first, r, kept, level):
    """Turn deals drawn alike into such as weigh by their log-likelihoods: Metropolis, each deal a proposal.

    Deal k takes the place of the one before it with the chance exp(logs[k] - its log-likelihood), else
    it becomes that one. kept: int64[4], level: float64[1], the last one and its log-likelihood
    (-inf before the first); both are overwritten, as are the deals.
    """
    for k in range(len(deals)):
        rng.seed(r, rng.mix2(np.uint64(seed), ~np.uint64(first + k)))
        if np.log(rng.uniform(r)) < logs[k] - level[0]:
            level[0] = logs[k]
            for seat in range(MAX_SEATS):
                kept[seat] = deals[k, seat]
        for seat in range(MAX_SEATS):
            deals[k, seat] = kept[seat]


@kernel
def list_moves(w, moves, node, seat, left, right, at):
    """Write the moves of a seat of the world in w to w[at:], -1 where it has to pass; return how many."""
    if node == 0:
        for i in range(len(moves)):
            w[at + i] = moves[i]
        return int64(len(moves))
    fit, n = worlds.fitting(w[worlds.HANDS + seat], left, right), int64(0)
    while fit:
        tile = int64(bits.lowest_bit(fit))
        fit &= fit - 1
        if left < 0 or worlds.SUIT[left] >> tile & 1:
            w[at + n] = 2 * tile
            n += 1
        if left >= 0 and left != right and worlds.SUIT[right] >> tile & 1:
            w[at + n] = 2 * tile + 1
            n += 1
    if n == 0:
        w[at] = -1
        n = int64(1)
    return n


@kernel
def child_of(nodes, node, move):
    """The child of a node by its move, 0: none."""
    child = nodes[node, CHILD]
    while child and nodes[child, MOVE] != move:
        child = nodes[child, SIBLING]
    return child


@kernel
def appeal_of(w, p, seat, move, left, right):
    """Part of the seat's play that goes to a move, to be divided by that of all its moves; saying something: 1."""
    return np.exp(playout_policy.appeal_of(w, p, seat, move, left, right)) if move >= 0 else 1.0


@kernel
def choose(w, p, c, policy, seat, left, right, at, n, nodes, totals, node, r):
    """Choose the one of n moves at w[at:] that is followed from a node.

    BY_UCB: one that has no node yet, any; else by mean + c * sqrt(log(times possible) / times made).
    BY_MANNER: by mean + c * its chance by manner * sqrt(times possible) / (1 + times made), the mean of a
    move without node being the mean of all others (Rosin 2011; Silver et al. 2017).
    """
    best, at_best, untried, total, times, share = -np.inf, int64(0), int64(0), 0.0, int64(0), 0.0
    for i in range(n):
        child = child_of(nodes, node, w[at + i])
        if child:
            nodes[child, POSSIBLE] += 1
            total += totals[child, 0]
            times += nodes[child, VISITS]
        else:
            untried += 1
            if policy == BY_UCB and rng.uniform(r) * untried < 1.0:
                at_best = int64(i)
        if policy == BY_MANNER:
            share += appeal_of(w, p, seat, w[at + i], left, right)
    if n == 1 or (policy == BY_UCB and untried):
        return at_best
    for i in range(n):
        child = child_of(nodes, node, w[at + i])
        made, possible = nodes[child, VISITS] if child else int64(0), nodes[child, POSSIBLE] if child else times + 1
        value = totals[child, 0] / made if made else (total / times if times else 0.0)
        if policy == BY_UCB:
            value += c * np.sqrt(np.log(possible) / made)
        else:
            chance = appeal_of(w, p, seat, w[at + i], left, right) / share
            value += c * chance * np.sqrt(possible) / (1 + made)
        if value > best:
            best, at_best = value, int64(i)
    return at_best


@kernel
def grow(nodes, size, node, move):
    """Give a node a child."""
    nodes[size, CHILD], nodes[size, MOVE], nodes[size, VISITS], nodes[size, POSSIBLE] = 0, move, 0, 1
    nodes[size, SIBLING] = nodes[node, CHILD]
    nodes[node, CHILD] = size
    return size


@kernel
def simulate(s, w, p, prior, c, policy, moves, deals, seed, first, r, nodes, totals, path, size):
    """One simulation for each of the deals; return how many nodes the tree has then.

    p, prior: weights of `playout_policy` for playouts, and for what seats are expected to lay (BY_MANNER).
    Simulation number k plays by the stream (seed, first + k, 1), another than that of its hands
    (`determinization.draw`): moves must not know them. nodes has room for one more each.
    """
    root, scale = int64(s[PLAYER]), float(w[worlds.SCALE])
    for k in range(len(deals)):
        worlds.begin(s, w, deals[k, 0], deals[k, 1], deals[k, 2], deals[k, 3])
        playout_policy.begin(s, w)
        rng.seed(r, rng.mix2(rng.mix2(np.uint64(seed), np.uint64(first + k)), np.uint64(1)))
        seat, left, right, passes = root, int64(s[LEFT]), int64(s[RIGHT]), int64(s[PASSES])
        node, depth, value, is_grown, is_over = int64(0), int64(0), int64(0), False, False
        while not is_over:
            if is_grown:
                move = playout_policy.choose(w, p, seat, left, right, r)
            else:
                n = list_moves(w, moves, node, seat, left, right, worlds.MOVES)
                i = choose(w, prior, c, policy, seat, left, right, int64(worlds.MOVES), n, nodes, totals, node, r)
                move = w[worlds.MOVES + i]
                child = child_of(nodes, node, move)
                if child == 0:
                    child, is_grown = grow(nodes, size, node, move), True
                    size += 1
                node = child
                path[depth] = node
                depth += 1
            is_over, left, right, passes, gain = playout_policy.step(s, w, seat, move, left, right, passes)
            value += -gain if (seat ^ root) & 1 else gain
            seat = (seat + 1) & 3
        for i in range(depth):
            nodes[path[i], VISITS] += 1
            own = (-value if i & 1 else value) / scale
            totals[path[i], 0] += own
            totals[path[i], 1] += own * own
    return size
