"""Does moving first pay? The first seat against the others, over all engines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from worker.analysis.intervals import Interval
from worker.analysis.methods import FIXED, Method
from worker.analysis.moments import BlockMoments


@dataclass(frozen=True, slots=True)
class FirstSeat:
    """Results of seat 0. Only fair to read where every engine sat in every seat equally often.

    decisive: matches with a sole winner; decisive_share: part of them that seat 0 won;
    fair_share: what it would be if seats did not matter. lead: points of seat 0 less the mean of
    the others; fair is 0. The deal, with the matches of all arms on it, is the unit of both intervals.
    """

    decisive: int
    decisive_share: float | None
    decisive_interval: Interval | None
    fair_share: float
    lead: float | None
    lead_interval: Interval | None

    @property
    def matters(self) -> bool | None:
        """Whether the interval of the decisive share leaves out the fair share; None if undefined."""
        if self.decisive_interval is None:
            return None
        return not self.decisive_interval.low <= self.fair_share <= self.decisive_interval.high


def first_seat(won: BlockMoments, leads: BlockMoments, num_seats: int, method: Method = FIXED) -> FirstSeat:
    """Describe seat 0.

    won: per deal, of its decisive matches those that seat 0 won; leads: per deal, the `lead` of its matches.
    """
    if num_seats < 2:
        raise ValueError(f"seats are compared from two up, not {num_seats!r}")
    return FirstSeat(
        decisive=won.n,
        decisive_share=won.mean,
        decisive_interval=method.rate(won),
        fair_share=1 / num_seats,
        lead=leads.mean,
        lead_interval=method.mean(leads),
    )


def lead(scores: ArrayLike) -> NDArray[np.float64]:
    """Points of seat 0 less the mean of the other seats, of each match. scores: [seats, ...]."""
    first, *others = np.asarray(scores, np.float64)
    return np.asarray(first - sum(others) / len(others))
