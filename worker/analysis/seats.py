"""Does moving first pay? The first seat against the others, over all engines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from worker.analysis.intervals import Interval, wilson
from worker.analysis.moments import BlockMoments
from worker.analysis.summary import Tally, rate


@dataclass(frozen=True, slots=True)
class FirstSeat:
    """Results of seat 0. Only fair to read where every engine sat in every seat equally often.

    decisive: matches with a sole winner; decisive_share: part of them that seat 0 won, with
    Wilson's interval; fair_share: what it would be if seats did not matter.
    lead: points of seat 0 less the mean of the others, with the deal as the unit; fair is 0.
    """

    matches: int
    wins: int
    draws: int
    losses: int
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


def first_seat(by_seat: Mapping[int, Tally], leads: BlockMoments, num_seats: int) -> FirstSeat:
    """Describe seat 0 from the tallies of all seats.

    by_seat: seat -> tally over all places; leads: per deal, the moments of `lead(scores)`.
    """
    if num_seats < 2:
        raise ValueError(f"seats are compared from two up, not {num_seats!r}")
    first = by_seat.get(0, Tally())
    decisive = sum(tally.wins for tally in by_seat.values())
    return FirstSeat(
        matches=first.matches,
        wins=first.wins,
        draws=first.draws,
        losses=first.losses,
        decisive=decisive,
        decisive_share=rate(first.wins, decisive),
        decisive_interval=wilson(first.wins, decisive),
        fair_share=1 / num_seats,
        lead=leads.mean,
        lead_interval=leads.interval(),
    )


def lead(scores: tuple[float, ...]) -> float:
    """Points of seat 0 less the mean of the other seats, in one match."""
    return scores[0] - sum(scores[1:]) / (len(scores) - 1)
