"""What a finished match is worth to a seat (a template that searches share).

Kinds: 0 score difference, 1 win / draw / loss (1, 0, -1), both on the thesis' own scale (Heyden
2009, section 4.2); 2 own share of own and opponents' points, 3 own points (Gedda, Lagerkvist,
Butler 2018: R and P).
"""

import numpy as np
from numpy import int64


@kernel
def utility(kind, points, seat, num_seats, total):
    """Utility for `seat`, against the best other seat, or all others together (total)."""
    best, others = int64(-1 << 40), int64(0)
    for other in range(num_seats):
        if other != seat:
            best = max(best, points[other])
            others += points[other]
    own, others = points[seat], others if total else best
    if kind == 0:
        return np.float64(own - others)
    if kind == 1:
        return np.float64(int64(own > others) - int64(own < others))
    if kind == 2:
        return own / (own + others) if own + others > 0 else 0.5
    return np.float64(own)
