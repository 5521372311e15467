"""Matches that a learned value plays with itself, and the positions it learns from (a template; R: rules with a
journal, V: the game's value). Injected besides: `between`, `value_play`.

A seat takes the action after which the value expects the best margin for it, in a state drawn from what it may know
where something is hidden; a share of plies is random, so that the value meets what it would not play. The first
round, when there are no weights, is played by a policy of the game. Positions are kept by chance: half of them
directly after an action, where a search that looks one ply ahead judges, half with a seat on turn. Where random plies
end at one drawn by lot (`Training.settle`), from there on alone, so that their final points are those of good play.

A position learns the lambda return (Sutton 1988): what the value says one action later, and two, and so on, the
weights falling by lambda each time, to the final points at last. With lambda 1, as in the first round, these alone.
"""

import numpy as np
from numpy import int64

HIDES, HAS_TEAMS = hasattr(R, "determinize"), hasattr(R, "NUM_TEAMS")


@kernel
def margin(values, seat, num_seats):
    """Points of a seat less those of the best opponent."""
    best = -np.inf
    for other in range(num_seats):
        if ((seat ^ other) & 1 == 1) if HAS_TEAMS else other != seat:
            best = max(best, values[other])
    return values[seat] - best


@kernel
def greedy(p, b, seat):
    """The action that the value likes best in b.s, the first of equals."""
    s = b.s
    if HIDES:
        journal.copy(b.s, b.drawn)
        s = b.drawn
        between.determinize(s, seat, b.r)
    if p.candidates > 0:
        return value_play.best_of(s, p.candidates, False, p.weights, b)
    count, num_seats, mark = R.legal_actions(s, b.actions), R.num_seats(s), b.j[0]
    chosen, best = int64(b.actions[0]), -np.inf
    for i in range(count):
        R.apply(s, int64(b.actions[i]), b.j)
        V.value(s, p.weights, b.values)
        journal.undo(s, b.j, mark)
        worth = margin(b.values, seat, num_seats)
        if worth > best:
            chosen, best = int64(b.actions[i]), worth
    return chosen


@kernel
def choose(p, b, seat, by_lot):
    """Action of the seat on turn: at random, by the teacher, or by the value."""
    if by_lot:
        return int64(R.policies.choose(int64(0), b.s, b.r, b.actions, b.j))
    if p.teacher >= 0:
        return int64(R.policies.choose(p.teacher, b.s, b.r, b.actions, b.j))
    return greedy(p, b, seat)


@kernel
def is_random(p, b, is_settled):
    """Whether a ply is one of the share of random ones."""
    return (p.settle == 0.0 or not is_settled) and rng.uniform(b.r) < p.epsilon


@kernel
def keep(p, b, rows, n, plies):
    """Keep the position, so many plies from the start, with the chance for its kind; return how many are kept."""
    if n < len(rows.positions) and rng.uniform(b.r) < 0.5 * p.rate and R.current_player(b.s) != -2:
        rows.plies[n] = plies
        for seat in range(R.num_seats(b.s)):
            V.features(b.s, seat, b.values)
            for f in range(V.NUM_FEATURES):
                rows.positions[n, seat, f] = b.values[f]
        return n + 1
    return n


@kernel
def note(p, b, plies):
    """Note what the value expects after so many plies."""
    if p.teacher < 0:
        V.value(b.s, p.weights, b.values)
        for seat in range(R.num_seats(b.s)):
            b.trail[plies, seat] = b.values[seat]


@kernel
def learn(p, b, rows, first, n, plies):
    """Give the positions first .. n - 1 of the match that b.s ends, `plies` long, what they learn."""
    R.scores(b.s, b.points)
    for seat in range(R.num_seats(b.s)):
        later = float(b.points[seat])
        b.trail[plies, seat] = later
        for ply in range(plies - 1, -1, -1):
            expected, b.trail[ply, seat] = b.trail[ply, seat], later
            if p.teacher < 0:
                later = (1.0 - p.trace) * expected + p.trace * later
        for row in range(first, n):
            rows.points[row, seat] = b.trail[rows.plies[row], seat]
            rows.finals[row, seat] = b.points[seat]


@kernel
def play(p, start, b, rows, first, count):
    """Play matches number first .. first + count - 1 from `start`, each from the stream of its number.

    rows (`engines.learning.self_play.Rows`): what is kept; returns how many positions. Stops keeping where there is
    no more room.
    """
    n = int64(0)
    for number in range(first, first + count):
        rng.seed(b.r, rng.mix2(p.seed, np.uint64(number)))
        journal.copy(start, b.s)
        begun, plies, is_settled = n, int64(0), p.settle == 0.0
        while True:
            while R.current_player(b.s) == -1:
                between.draw(b.s, b.r, b.j)
                journal.reset(b.j)
            seat = R.current_player(b.s)
            if seat < 0:
                break
            settles = not is_settled and rng.uniform(b.r) < p.settle
            if is_settled:
                n = keep(p, b, rows, n, plies)
            action = choose(p, b, seat, settles or is_random(p, b, is_settled))
            is_settled = is_settled or settles
            journal.reset(b.j)
            R.apply(b.s, action, b.j)
            journal.reset(b.j)
            plies += 1
            note(p, b, plies)
            if is_settled:
                n = keep(p, b, rows, n, plies)
        learn(p, b, rows, begun, n, plies)
        for row in range(begun, n):
            rows.matches[row] = number
    return n
