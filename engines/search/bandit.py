"""Which arm of a bandit comes next (a template; selection: `selection.py`).

Jansen and Tollisen (2014) call this flat UCB: the options of a decision are the arms, nothing is
remembered beyond them.
"""

import math

from numpy import int64


@kernel
def chosen_arm(f, min_visits, tally, done, r):
    """The arm that simulation number `done` pulls: one tried less often than `min_visits` and once, or the best.

    f: Formula of `selection.py`.
    """
    visits = tally.visits
    for i in range(len(visits)):
        if visits[i] < max(1, min_visits):
            return int64(i)
    log_visits, best, chosen = math.log(done), -math.inf, int64(0)
    is_spread = selection.needs_variance(f)
    for i in range(len(visits)):
        n = float(visits[i])
        mean, variance = tally.sums[i] / n, 0.0
        if is_spread:
            variance = max(0.0, tally.squares[i] / n - mean * mean)
        value = mean + selection.exploration(f, n, variance, log_visits, r)
        if selection.is_better(f, value, best):
            chosen, best = int64(i), value
    return chosen
