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

from games import registry as game_registry
from games.protocol import NUM_TEAMS
from worker.analysis.stop_rules.model import AT_PLANNED, MARGIN, Course, StopRule
from worker.records import MatchRecord
from worker.results import Results, by_arm
from worker.schedule import ChunkSpec
from worker.spec import ExperimentSpec, seatings, stop_rule

Array = NDArray[np.float64]


class Row(NamedTuple):
    """What is known of the compared side on one deal of one arm.

    ended: matches of the deal that have ended; finished: those with a result; own, others: mean over
    these of what is compared, of the side and of its opponents.
    """

    arm: int
    deal: int
    ended: int
    finished: int
    own: float
    others: float


@dataclass(frozen=True)
class Ruling:
    """What a stop rule says of the deals that are complete.

    deals: how many count, None while it goes on; dropped: arm -> deals of it that count; reason, arm, by: as
    `stop_rules.model.Stop` has them.
    """

    deals: int | None = None
    dropped: Mapping[int, int] = field(default_factory=dict)
    reason: str = ""
    arm: int | None = None
    by: str = ""

    def to_json(self) -> dict[str, Any]:
        """As `Experiment.outcome` keeps it."""
        dropped = {str(arm): deals for arm, deals in sorted(self.dropped.items())}
        return {"deals": self.deals, "dropped": dropped, "reason": self.reason, "arm": self.arm, "by": self.by}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Ruling:
        """Read what `to_json` wrote, today or before there was a `by`."""
        dropped = {int(arm): deals for arm, deals in data["dropped"].items()}
        return cls(data["deals"], dropped, data["reason"], data["arm"], data.get("by", ""))


class Prefix(NamedTuple):
    """The deals that are looked at. numbers: int64[n], ascending; values: float64[rows, n]; is_all: none is to come.

    Rows are the arms, with NaN where they are dropped; of two the baseline comes first. Where the only arm is compared
    with its opponents these, and it.
    """

    numbers: NDArray[np.int64]
    values: Array
    is_all: bool


class Looks:
    """The rows of an experiment, in any order, and what its rule says of them.

    rule: that of the spec where none is given.
    """

    def __init__(self, spec: ExperimentSpec, rule: StopRule | None = None) -> None:
        self.spec = spec
        self.arms = len(spec.arms)
        self.rule = rule or stop_rule.of(spec)
        self.seatings = np.array([[spec.num_seatings(arm)] for arm in range(self.arms)])
        self.ended = np.zeros((self.arms, spec.deals), np.int64)
        self.finished = np.zeros((self.arms, spec.deals), np.int64)
        self.own, self.others = (np.zeros((self.arms, spec.deals)) for _ in range(2))

    def add(self, rows: Iterable[Row]) -> None:
        """Put down what is known of deals, in place of what was known of them before."""
        for arm, deal, ended, finished, own, others in rows:
            self.ended[arm, deal], self.finished[arm, deal] = ended, finished
            self.own[arm, deal], self.others[arm, deal] = own, others

    def prefix(self, dropped: Mapping[int, int]) -> Prefix:
        """The deals up to the first that is not complete in an arm which still plays it, without those that failed."""
        deals = np.arange(self.spec.deals)
        plays = deals < np.array([[dropped.get(arm, self.spec.deals)] for arm in range(self.arms)])
        is_complete = ((self.ended == self.seatings) | ~plays).all(axis=0)
        length = self.spec.deals if is_complete.all() else int(is_complete.argmin())
        is_whole = ((self.finished == self.seatings) | ~plays).all(axis=0)
        numbers = deals[:length][is_whole[:length]]
        values = np.where(plays, self.own, np.nan)[:, numbers]
        if stop_rule.is_against_opponents(self.spec):
            values = np.concatenate([self.others[:, numbers], values])
        if self.arms == 2 and self.spec.baseline:
            values = values[::-1]
        return Prefix(numbers, values, length == self.spec.deals)

    def ruling(self) -> Ruling:
        """What the rule says now. Arms that it drops need not be played further, so it is asked again without them."""
        dropped: dict[int, int] = {}
        while True:
            found = self.prefix(dropped)
            said = {drop.arm: drop.deals for drop in self.rule.drops(found.values, self.spec.deals)}
            now = {arm: int(found.numbers[count - 1]) + 1 for arm, count in said.items()}
            if now != dropped:
                dropped = now
                continue
            end = self.rule.first_stop(found.values, self.spec.deals)
            if end is None:
                # Where deals have failed, a rule never sees as many as were planned.
                return Ruling(self.spec.deals, dropped, AT_PLANNED) if found.is_all else Ruling(None, dropped)
            return Ruling(int(found.numbers[end.deals - 1]) + 1, dropped, end.reason, end.arm, end.by)

    def course(self, ruling: Ruling) -> Course:
        """What the rule has seen, deal by deal."""
        return self.rule.course(self.prefix(ruling.dropped).values, self.spec.deals)


def num_sides(spec: ExperimentSpec, arm: int) -> int:
    """Number of sides of an arm: place i belongs to side i mod this. Partners are one, whatever plays for them."""
    sides = spec.num_sides(arm)
    return min(sides, NUM_TEAMS) if game_registry.get(spec.game).traits.has_teams else sides


@dataclass
class _Deal:
    """What is known of a deal of an arm. results: what the rule compares, of the side and of its opponents."""

    results: list[tuple[float, float]] = field(default_factory=list)
    failed: int = 0


class RecordLooks:
    """Looks at matches as they come, for a batch without a database."""

    def __init__(self, spec: ExperimentSpec) -> None:
        self.spec = spec
        self.looks = Looks(spec)
        self.ruling = Ruling()
        self._deals: dict[tuple[int, int], _Deal] = {}
        self._place = seatings.focus([arm.seats for arm in spec.arms])

    def write(self, records: Iterable[MatchRecord]) -> None:
        """Count the records, and ask the rule."""
        for results in by_arm(self.spec, records):
            self._count(results)
        self.ruling = self.looks.ruling()

    def add(self, results: Results) -> None:
        """Count matches of an arm, and ask the rule."""
        self._count(results)
        self.ruling = self.looks.ruling()

    def _count(self, results: Results) -> None:
        arm, touched = results.arm, set()
        for match in results.failed:
            self._deal(arm, match.deal).failed += 1
            touched.add(match.deal)
        for deal, pair in zip(results.finished.deal.tolist(), self._compared(results), strict=True):
            self._deal(arm, deal).results.append(pair)
            touched.add(deal)
        self.looks.add(self._row(arm, deal) for deal in sorted(touched))

    def _deal(self, arm: int, deal: int) -> _Deal:
        return self._deals.setdefault((arm, deal), _Deal())

    def _row(self, arm: int, deal: int) -> Row:
        of_deal = self._deals[arm, deal]
        finished = len(of_deal.results)
        own, others = np.mean(of_deal.results, axis=0) if finished else (0.0, 0.0)
        return Row(arm, deal, finished + of_deal.failed, finished, float(own), float(others))

    def _compared(self, results: Results) -> list[tuple[float, float]]:
        """What the rule compares, of the side and of its opponents, in each finished match."""
        sides, rows = num_sides(self.spec, results.arm), results.finished
        values = np.asarray(rows.margin if self.spec.stop.on == MARGIN else rows.result == "win", np.float64)
        is_own = rows.place % sides == self._place % sides
        is_other = np.where(is_own.all(axis=1, keepdims=True), is_own, ~is_own)
        own, others = (np.where(them, values, 0.0).sum(axis=1) / them.sum(axis=1) for them in (is_own, is_other))
        return list(zip(own.tolist(), others.tolist(), strict=True))

    def wants(self, chunk: ChunkSpec) -> bool:
        """Whether the matches of a chunk are still asked for: its arm may have been dropped."""
        until = self.ruling.dropped.get(chunk.arm)
        return until is None or chunk.first < until * self.spec.num_seatings(chunk.arm)
