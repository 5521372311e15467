"""Utilities of a finished match for a seat (a template that searches share).

Kinds: 0 score difference, 1 win / draw / loss (1, 0, -1), both on the thesis' own scale (Heyden
2009, section 4.2); 2 own share of own and opponents' points, 3 own points (Gedda, Lagerkvist,
Butler 2018: R and P); 4 a win alone (1, else 0), 5 the same and a hundredth of the difference
(Jansen, Tollisen 2014, section 3.4.2: their two scoring systems).

Where the rules know teams, seats of like parity play together and share their points: partners
are no opponents, and the points of the other team count once.
"""

import numpy as np
from numpy import int64

HAS_TEAMS = hasattr(R, "NUM_TEAMS")


@kernel
def others_points(points, seat, num_seats, total):
    """Points of the best opponent, or of all together (total); none without opponents."""
    best, others = int64(-1 << 40), int64(0)
    for other in range(num_seats):
        if ((seat ^ other) & 1 == 1) if HAS_TEAMS else other != seat:
            best = max(best, points[other])
            others += points[other]
    return others if num_seats == 1 or (total and not HAS_TEAMS) else best


@kernel
def utility(kind, points, seat, num_seats, total):
    """Utility for `seat`, against the best opponent, or all of them together (total)."""
    own, others = points[seat], others_points(points, seat, num_seats, total)
    if kind == 0:
        return np.float64(own - others)
    if kind == 1:
        return np.float64(int64(own > others) - int64(own < others))
    if kind == 2:
        return own / (own + others) if own + others > 0 else 0.5
    if kind == 3:
        return np.float64(own)
    margin = 0.01 * (own - others) if kind == 5 else 0.0
    return np.float64(own > others) + margin
