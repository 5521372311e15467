"""Numbers that are summed up for pages, and the fixed bins of those that have a histogram.

A metric of a whole match has ply -1 and one value per seat and finished match:

score, margin      final points; points less those of the best opponent
win, draw, loss    1 or 0: its total is a count
failed             1 or 0, over all ended matches: 1 where this seat's engine failed
num_plies          plies of the match
playouts, nodes, cpu_s   what the seat spent in the match (where plies were recorded)
legal_actions      legal actions of the seat on turn, over all its plies
<id>               every metric of the game's `metric_table`; means per occupied feature are
                   quotients of two totals

A metric by ply (0, 1, ...) has one value per match that came so far:

score              points of the seat after the ply
legal_actions      legal actions of the seat on turn at the ply
"""

from __future__ import annotations

from worker.analysis.histogram import Bins

WHOLE_MATCH = -1
"""`Summary.ply` of numbers of a whole match."""

# Wide enough for any game: the outer bins take what lies beyond. A change of them takes
# `manage.py rebuild_summaries` in a migration: histograms add up bin by bin.
MATCH_BINS = {
    "score": Bins(low=-50.5, width=1, count=400),
    "margin": Bins(low=-250.5, width=1, count=501),
    "legal_actions": Bins(low=-0.5, width=1, count=1024),
}
PLY_BINS = {
    "score": Bins(low=-20.5, width=2, count=120),
    "legal_actions": Bins(low=-0.5, width=4, count=100),
}


def bins(metric: str, ply: int) -> Bins | None:
    """Bins of the metric's histogram; None where only sums are kept."""
    return MATCH_BINS.get(metric) if ply == WHOLE_MATCH else PLY_BINS[metric]
