"""Matches between two sets of weights that look one ply ahead (a template; R: rules with a journal, V: value or None).

A side takes the action after which its evaluation, or the learned value, has the best margin for it, the first of
equals. Both sides play both seats of a deal; draws come from the deal's own stream. Nothing is hidden.
"""

import numpy as np
from numpy import int64

evaluate = R.evaluation.evaluate if V is None else V.value


@kernel
def best_action(s, weights, b):
    """The action that leaves the seat on turn the best margin."""
    seat, mark = R.current_player(s), b.j[0]
    chosen, best = int64(-1), -np.inf
    for i in range(R.legal_actions(s, b.actions)):
        R.apply(s, int64(b.actions[i]), b.j)
        evaluate(s, weights, b.totals)
        journal.undo(s, b.j, mark)
        other = b.totals[1 - seat]
        if chosen < 0 or b.totals[seat] - other > best:
            chosen, best = int64(b.actions[i]), b.totals[seat] - other
    return chosen


@kernel
def play(start, weights, seed, first, b, margins):
    """Play two matches of each deal first, first + 1, ...; write the points of side 0 less those of side 1.

    weights: float64[2, terms], by side; margins: int64[deals, 2], by the seat of side 0.
    """
    for k in range(len(margins)):
        for place in range(2):
            rng.seed(b.r, rng.mix2(seed, np.uint64(first + k)))
            journal.copy(start, b.s)
            while R.current_player(b.s) != -2:
                if R.current_player(b.s) == -1:
                    R.apply(b.s, R.sample_chance(b.s, b.r), b.j)
                else:
                    R.apply(b.s, best_action(b.s, weights[R.current_player(b.s) ^ place], b), b.j)
                journal.reset(b.j)
            R.scores(b.s, b.points)
            margins[k, place] = b.points[place] - b.points[1 - place]
