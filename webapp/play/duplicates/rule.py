"""The stop rule of the standing invitation, fixed before anybody played: what ends the count of a game, and when.

A value is the level's mean result on one whole deal (a win 1, a draw a half), in the order in which deals became
whole. Evidence that the level has more than half of the points, and that it has less, is the capital of somebody who
bets on it (`worker.analysis.betting`). As long as nobody has reason to expect more than half before a deal is played,
whoever plays it, the capital ever reaches `EVIDENCE` with a chance of at most 1 in `EVIDENCE`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from worker.analysis import beyond, sequences
from worker.analysis.intervals import Interval

EVEN = 0.5
EVIDENCE = 40.0
"""Capital that decides: both sides together are wrongly called better in at most 1 of 20 counts."""
MOST = 400
"""Whole deals after which the count ends undecided."""
LEVEL_AHEAD, PEOPLE_AHEAD, UNDECIDED = "level", "people", "undecided"


@dataclass(frozen=True)
class Standing:
    """Standing after the deals that count. ended: one of the three words, empty while it goes on.

    deals: that count: none after the end; share: mean of the level, None without any; interval: 95 %, holds at every
    look; for_level, for_people: the greatest capital so far, which began with 1.
    """

    deals: int
    share: float | None
    interval: Interval | None
    for_level: float
    for_people: float
    ended: str = ""


def standing(values: Sequence[float]) -> Standing:
    """Read the values in their order up to the deal at which the count ends."""
    if not values:
        return Standing(0, None, None, 1.0, 1.0)
    known = np.asarray(values[:MOST], dtype=np.float64)
    above, below = beyond.of_rates(known, EVEN, 1 / EVIDENCE)
    decided = math.log(EVIDENCE)
    ends = np.flatnonzero((above >= decided) | (below >= decided))
    last = int(ends[0]) + 1 if len(ends) else len(known)
    counted = known[:last]
    ended = UNDECIDED if last == MOST else ""
    if len(ends):
        ended = LEVEL_AHEAD if above[last - 1] >= decided else PEOPLE_AHEAD
    sequence = sequences.rate_sequence(counted, MOST)
    return Standing(
        deals=last,
        share=float(counted.mean()),
        interval=Interval(float(sequence.low[-1]), float(sequence.high[-1])),
        for_level=math.exp(max(0.0, float(above[:last].max()))),
        for_people=math.exp(max(0.0, float(below[:last].max()))),
        ended=ended,
    )
