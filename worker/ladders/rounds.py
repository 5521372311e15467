"""Rounds of a ladder: what is played next, a function of the spec and of the rows that are complete. Pure.

All against all, and some against all, are one round. By uncertainty a round begins when all matches of the one before
have ended, so however many workers play, and whatever dies on the way, the rounds are the same:

start   an engine with few deals meets those that link it to the others: at first its neighbours in the list, later
        those that are rated in the middle
order   then come by turns the tables whose deals settle most of the order, and
width   those that tell most of the lead of two neighbours that is known worst, both for their estimated time
        (`analysis.next_deals`): measured times would differ from run to run
late    before these, and chosen as they are, the tables of an engine that entered a ladder which had begun, until it
        has the planned deals: they come on top of those of the others (`ExperimentSpec.ladder_deals`)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from worker import estimate, schedule
from worker.analysis import next_deals
from worker.analysis.next_deals import Table
from worker.analysis.ratings import LEAST_DEALS, Ratings
from worker.ladders.standing import Standing
from worker.schedule import ChunkSpec, Span
from worker.spec import ExperimentSpec, Ladder
from worker.spec.model import UNCERTAINTY

ROUND_DEALS = 10
"""Deals of a table in a round."""
ALL, START, LATE = "all", "start", "late"
PLANNED, SETTLED = "planned", "settled"
"""Ends: all deals are played, or none would change the order."""

Planned = Sequence[int]
"""Deals of each table that are played or being played."""


@dataclass(frozen=True, slots=True)
class Step:
    """Deals that a table plays next, and why.

    first: the first of them; upper, lower: entries of whose order or lead they tell most, with half of the interval
    of their lead before and after them; None but by uncertainty.
    """

    arm: int
    first: int
    deals: int
    why: str
    upper: int | None = None
    lower: int | None = None
    before: float | None = None
    after: float | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """What is played next; without steps the ladder has ended, and `end` says how."""

    steps: tuple[Step, ...]
    end: str = ""

    def to_json(self) -> dict[str, Any]:
        """As `Experiment.plan` keeps it."""
        return {"steps": [asdict(step) for step in self.steps], "end": self.end}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Round:
        """Read what `to_json` wrote."""
        return cls(tuple(Step(**step) for step in data["steps"]), data["end"])


def next_round(spec: ExperimentSpec, planned: Planned, standing: Standing) -> Round:
    """The round after the one that is complete."""
    assert spec.ladder is not None
    open_tables = [
        arm for arm, table in enumerate(spec.ladder.tables) if planned[arm] < spec.deals and spec.ladder.can_play(table)
    ]
    if spec.ladder.pairing != UNCERTAINTY:
        rest = tuple(Step(arm, planned[arm], spec.deals - planned[arm], ALL) for arm in open_tables)
        return Round(rest, "" if rest else PLANNED)
    left = spec.ladder_deals - sum(planned)
    if left <= 0 or not open_tables:
        return Round((), PLANNED)
    steps = (
        _starts(spec, planned, standing, open_tables)
        or _arrivals(spec, planned, standing, open_tables)
        or _orders(spec, planned, standing, open_tables)
    )
    return Round(tuple(_within(steps, left)), "" if steps else SETTLED)


def _within(steps: Sequence[Step], left: int) -> Iterator[Step]:
    for step in steps:
        deals = min(step.deals, left)
        left -= deals
        if deals:
            yield Step(step.arm, step.first, deals, step.why, step.upper, step.lower, step.before, step.after)


def chunks(spec: ExperimentSpec, steps: Sequence[Step]) -> Iterator[ChunkSpec]:
    """The matches of a round as chunks of work."""
    seconds = estimate.estimate(spec).seconds_per_match
    yield from schedule.span_chunks(spec, seconds, [Span(step.arm, step.first, step.deals) for step in steps])


# ---- by uncertainty


def _starts(spec: ExperimentSpec, planned: Planned, standing: Standing, tables: Sequence[int]) -> list[Step]:
    """Tables that link engines with few deals to the others; empty where there is no such engine."""
    assert spec.ladder is not None
    seen = _seen(spec.ladder, planned)
    new = [i for i, entry in enumerate(spec.ladder.entries) if entry.is_present and seen[i] < LEAST_DEALS]
    if not new:
        return []
    chosen = _links(spec.ladder, new, tables) if standing.ratings is None else _welcomes(spec, standing, new, tables)
    return [Step(arm, planned[arm], min(ROUND_DEALS, spec.deals - planned[arm]), START) for arm in chosen]


def _seen(ladder: Ladder, planned: Planned) -> list[int]:
    """Deals of each entry."""
    seen = [0] * len(ladder.entries)
    for arm, table in enumerate(ladder.tables):
        for entry in table:
            seen[entry] += planned[arm]
    return seen


def _arrivals(spec: ExperimentSpec, planned: Planned, standing: Standing, tables: Sequence[int]) -> list[Step]:
    """Tables of late entries that settle most of the order, until each has its planned deals."""
    assert spec.ladder is not None
    seen, ladder = _seen(spec.ladder, planned), spec.ladder
    lack = {i: spec.deals - seen[i] for i, e in enumerate(ladder.entries) if e.is_late and seen[i] < spec.deals}
    steps: list[Step] = []
    if not lack:
        return steps
    for step in _orders(spec, planned, standing, [arm for arm in tables if lack.keys() & ladder.tables[arm]]):
        own = [i for i in ladder.tables[step.arm] if i in lack]
        deals = min(step.deals, max(lack[i] for i in own))
        if deals > 0:
            steps.append(replace(step, deals=deals, why=LATE))
            lack |= {i: lack[i] - deals for i in own}
    return steps


def _links(ladder: Ladder, new: Sequence[int], tables: Sequence[int]) -> list[int]:
    """Tables of neighbours in the list, until all are linked."""
    group = list(range(len(ladder.entries)))
    found = []
    for arm in sorted(tables, key=lambda arm: (ladder.tables[arm][-1] - ladder.tables[arm][0], arm)):
        table = ladder.tables[arm]
        if len({group[i] for i in table}) > 1 and any(i in new for i in table):
            found.append(arm)
            joined = {group[i] for i in table}
            group = [group[table[0]] if g in joined else g for g in group]
    return found


def _welcomes(spec: ExperimentSpec, standing: Standing, new: Sequence[int], tables: Sequence[int]) -> list[int]:
    """For each new engine the table with those who are rated nearest to the middle."""
    assert spec.ladder is not None
    assert standing.ratings is not None
    elo = dict(zip(standing.rated, standing.ratings.elo, strict=True))
    middle = float(np.median(standing.ratings.elo))
    found = []
    for entry in new:
        best = [
            (round(sum(abs(elo[i] - middle) for i in spec.ladder.tables[arm] if i != entry), 6), arm)
            for arm in tables
            if entry in spec.ladder.tables[arm] and all(i in elo for i in spec.ladder.tables[arm] if i != entry)
        ]
        if best:
            found.append(min(best)[1])
    return list(dict.fromkeys(found))


def _orders(spec: ExperimentSpec, planned: Planned, standing: Standing, tables: Sequence[int]) -> list[Step]:
    """The tables that settle most of the order."""
    found: Ratings | None = standing.ratings
    if found is None:
        return []
    assert spec.ladder is not None
    place = {entry: i for i, entry in enumerate(standing.rated)}
    tables = [arm for arm in tables if all(i in place for i in spec.ladder.tables[arm])]
    seconds = estimate.estimate(spec).seconds_per_match
    offered = [
        Table(
            tuple(place[i] for i in spec.ladder.tables[arm]),
            spec.num_seatings(arm),
            seconds[arm] * spec.num_seatings(arm),
        )
        for arm in tables
    ]
    if not offered:
        return []
    effect = next_deals.design_effect(standing.rated_counts, found)
    number = max(2, len(standing.rated) // 2)
    chosen = next_deals.choose(found.elo, found.covariance, effect, offered, ROUND_DEALS, number)
    return [
        Step(
            tables[choice.table],
            planned[tables[choice.table]],
            min(ROUND_DEALS, spec.deals - planned[tables[choice.table]]),
            choice.why,
            standing.rated[choice.first],
            standing.rated[choice.second],
            choice.before,
            choice.after,
        )
        for choice in chosen
    ]
