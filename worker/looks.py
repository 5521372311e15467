"""Looks at an experiment while it is played: what its stop rule says of the deals that are complete. Pure.

Deals are looked at in their order, never in that of their arrival, and one by one: a rule ends an
experiment at the same deal however many workers play, whenever they look, and whatever died on the
way. A deal is complete when all its matches have ended in every arm that still plays; one in which
a match failed is complete and counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.spec import ExperimentSpec

Array = NDArray[np.float64]


class Row(NamedTuple):
    """What is known of the compared side on one deal of one arm.

    ended: matches of the deal that have ended; finished: those with a result; own, others: over
    these the total of what is compared, of the side and of the mean of its opponents.
    """

    arm: int
    deal: int
    ended: int
    finished: int
    own: float
    others: float


@dataclass(frozen=True)
class Verdict:
    """What a stop rule says. deals: how many count, None while it goes on; dropped: arm -> deals of it that count."""

    deals: int | None = None
    dropped: Mapping[int, int] = field(default_factory=dict)
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """As `Experiment.outcome` keeps it."""
        dropped = {str(arm): deals for arm, deals in sorted(self.dropped.items())}
        return {"deals": self.deals, "dropped": dropped, "reason": self.reason}


class Prefix(NamedTuple):
    """The deals that are looked at. numbers: int64[n], ascending; values: float64[rows, n], the baseline first.

    With one arm the rows are its opponents and the compared side, else the arms.
    """

    numbers: NDArray[np.int64]
    values: Array


class Looks:
    """The rows of an experiment, in any order, and what its rule says of them."""

    def __init__(self, spec: ExperimentSpec) -> None:
        self.spec = spec
        self.arms = len(spec.arms)
        self.seatings = np.array([spec.num_seatings(arm) for arm in range(self.arms)])
        self.ended = np.zeros((self.arms, spec.deals), np.int64)
        self.finished = np.zeros((self.arms, spec.deals), np.int64)
        self.totals = np.zeros((2, self.arms, spec.deals))

    def add(self, rows: Iterable[Row]) -> None:
        """Add what has ended; rows of one deal add up."""
        for row in rows:
            self.ended[row.arm, row.deal] += row.ended
            self.finished[row.arm, row.deal] += row.finished
            self.totals[:, row.arm, row.deal] += (row.others, row.own)

    def prefix(self, dropped: Mapping[int, int]) -> Prefix:
        """The deals up to the first that is not complete in an arm which still plays it, without those that failed."""
        deals = np.arange(self.spec.deals)
        until = np.array([dropped.get(arm, self.spec.deals) for arm in range(self.arms)])
        plays = deals < until[:, None]
        is_complete = ((self.ended == self.seatings[:, None]) | ~plays).all(axis=0)
        length = int(is_complete.argmin()) if not is_complete.all() else self.spec.deals
        is_whole = ((self.finished == self.seatings[:, None]) | ~plays).all(axis=0)
        numbers = deals[:length][is_whole[:length]]
        with np.errstate(invalid="ignore", divide="ignore"):
            others, own = np.where(plays, self.totals / self.finished, np.nan)[:, :, numbers]
        return Prefix(numbers, own if self.arms > 1 else np.concatenate([others, own]))

    def verdict(self) -> Verdict:
        """What the rule says now. Arms that it drops need not be played further, so it is asked again without them."""
        dropped: dict[int, int] = {}
        while True:
            found = self.prefix(dropped)
            said = stop_rules.decide(self.spec.stop, found.values, self.spec.deals)
            now = {arm: int(found.numbers[count - 1]) + 1 for arm, count in said.dropped.items()}
            if now == dropped:
                deals = None if said.count is None else int(found.numbers[said.count - 1]) + 1
                return Verdict(deals, dropped, said.reason)
            dropped = now
