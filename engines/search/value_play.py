"""Actions that a learned value likes best, among those that promise most (a template; R: rules with a journal, V).

Only the points of the seat itself count, which is a third of the work of a margin; or, at a table of two, the margin.
"""

import numpy as np
from numpy import int64

DUEL = 2


@kernel
def preselect(s, count, keep, b):
    """Bring the `keep` most promising of b.actions, of equals the first, to its front.

    b: with `actions` int32[MAX_ACTIONS], `spare` likewise, and `guesses` float64[MAX_ACTIONS].
    """
    R.promise.promises(s, b.actions[:count], b.spare, b.guesses)
    for n in range(keep):
        best = int64(n)
        for i in range(n + 1, count):
            if b.guesses[i] > b.guesses[best]:
                best = int64(i)
        action, guess = b.actions[best], b.guesses[best]
        b.actions[best], b.guesses[best] = b.actions[n], b.guesses[n]
        b.actions[n], b.guesses[n] = action, guess


@kernel
def best_of(s, candidates, denies, weights, b):
    """The action of the seat on turn after which the value expects most points for it, the first of equals.

    candidates: actions that are weighed, those that promise most (0, or no guess of the game: all); denies: whether
    with two seats the other's points count against its own; b: as for `preselect`, with the journal `j` and `values`
    float64[V.ROOM].
    """
    seat, count = R.current_player(s), R.legal_actions(s, b.actions)
    if hasattr(R, "promise") and 0 < candidates < count:
        preselect(s, count, candidates, b)
        count = candidates
    chosen, best, mark, denies = int64(b.actions[0]), -np.inf, b.j[0], denies and R.num_seats(s) == DUEL
    for i in range(count if count > 1 else 0):
        R.apply(s, int64(b.actions[i]), b.j)
        worth = margin(s, seat, weights, b) if denies else own_points(s, seat, weights, b)
        journal.undo(s, b.j, mark)
        if worth > best:
            chosen, best = int64(b.actions[i]), worth
    return chosen


@kernel
def own_points(s, seat, weights, b):
    """Points that a seat may expect, or has at the end."""
    if R.current_player(s) == -2:
        V.value(s, weights, b.values)
        return b.values[seat]
    return V.of_seat(s, seat, weights, b.values)


@kernel
def margin(s, seat, weights, b):
    """Points of one of two seats that may be expected, less those of the other."""
    V.value(s, weights, b.values)
    return b.values[seat] - b.values[1 - seat]
