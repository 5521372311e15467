"""Runs of one question together: what is counted of each, their mean, and whether they agree.

Runs that share all but their luck are taken together deal by deal: each deal counts alike, and once. What differs in
more is pooled only where a reader wishes it, by random effects, since then each run may have a number of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from webapp.lab.pooling.contrasts import Contrast
from webapp.lab.pooling.deals import PairDeals, pair_deals
from webapp.lab.pooling.differing import obstacle
from webapp.lab.pooling.groups import Group
from webapp.lab.results.comparisons import PLACE, Family
from webapp.lab.results.queries import PairSums
from worker.analysis import heterogeneity as spread
from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.methods import AlwaysValid, Paired
from worker.analysis.moments import Moments
from worker.analysis.several import Estimates, Homogeneity, homogeneity
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE

FIELDS = {WIN_RATE: "wins", MARGIN: "points", PLACE: "places"}
"""Measure -> the field of `PairSums` and `PairDeals` that has it."""


@dataclass(frozen=True)
class Counted:
    """What counts of a run. deals: that no run before it has; repeats: those that one has, the same matches of `of`."""

    sums: PairSums
    deals: int
    repeats: int = 0
    of: int | None = None


@dataclass(frozen=True)
class Unit:
    """Deals that belong together: of one run, or of several that met the same ones, by their mean in each deal."""

    members: tuple[int, ...]
    sums: PairSums


@dataclass(frozen=True)
class Pool:
    """Runs that are pooled, by their numbers in the group.

    is_alike: they share all but their luck; else random effects. counted: what counts of each.
    """

    group: Group
    members: tuple[int, ...]
    is_alike: bool
    counted: Mapping[int, Counted]
    units: tuple[Unit, ...]

    @property
    def total(self) -> PairSums:
        """Over all deals that count."""
        found = PairSums()
        for unit in self.units:
            found = found + unit.sums
        return found

    @property
    def deals(self) -> int:
        """How many these are."""
        return self.total.wins[0].n

    @property
    def num_runs(self) -> int:
        """Runs that have deals of their own."""
        return sum(one.deals > 0 for one in self.counted.values())

    @property
    def planned(self) -> int:
        """Deals near which their interval is narrowest: those of the first run alone.

        An interval holds at every look only if this is another number for no run that is added later.
        """
        first = next(i for i in self.members if self.counted[i].deals)
        return int(self.group.rows[first].experiment.spec["deals"])


@dataclass(frozen=True)
class Measured:
    """A pool in one measure, as the measure counts: rates from 0 to 1.

    interval: for every look, of runs that are alike; else for one, of random effects. agreement, shared: whether runs
    agree, on deals of their own, or on the same ones. next_run: where one more run of `next_deals` falls. left_out: of
    each unit; odd: which of them is the odd one out.
    """

    mean: float | None
    interval: Interval | None
    is_always_valid: bool
    agreement: spread.Heterogeneity | None
    shared: Homogeneity | None
    next_run: Interval | None
    next_deals: int
    left_out: tuple[spread.LeftOut, ...]
    odd: int | None


def sums_of(sums: PairSums, measure: str) -> Paired:
    """Those of one measure: difference, first, second."""
    found: Paired = getattr(sums, FIELDS[measure])
    return found


def of_row(row: Contrast, measure: str) -> Interval | None:
    """The interval of a single run for every look and one comparison; of agents' matches that of its page."""
    if row.sums is None:
        found = row.numbers.of(measure).interval
        return Interval(-found.high, -found.low) if found and row.is_turned else found
    method = AlwaysValid(int(row.experiment.spec["deals"]))
    return Family(measure, CONFIDENCE, method, row.parties).looked(row.sizes, row.sums)[measure].interval


def usual(group: Group) -> list[int]:
    """The runs that are pooled unless somebody wishes otherwise: most that share all conditions, if two or more do."""
    fit = {i: row for i, row in group.rows.items() if _has_deals(row) and not row.is_mixed}
    often = Counter(row.conditions for row in fit.values())
    if not often or max(often.values()) < 2:
        return []
    wanted = max(often, key=often.__getitem__)
    return [i for i, row in fit.items() if row.conditions == wanted]


def _has_deals(row: Contrast) -> bool:
    return row.sums is not None and row.sums.wins[0].n > 0


def pool(group: Group, chosen: Collection[int] | None = None) -> Pool | None:
    """The runs together: those that somebody chose, else the usual ones. None where these are fewer than two."""
    if chosen is None:
        members = usual(group)
    else:
        able = [i for i, row in group.rows.items() if i in chosen and _has_deals(row)]
        members = [i for i in able if not obstacle(group.rows[i], group.rows[able[0]])]
    if len(members) < 2:
        return None
    rows = {i: group.rows[i] for i in members}
    is_alike = len({row.conditions for row in rows.values()}) == 1 and not any(row.is_mixed for row in rows.values())
    counted, shared = _counted(rows)
    units = _units(rows, counted, shared)
    return Pool(group, tuple(members), is_alike, counted, units)


def _counted(rows: Mapping[int, Contrast]) -> tuple[dict[int, Counted], dict[int, PairDeals]]:
    """What counts of each run, and deal by deal those that share deals with another.

    Of the same matches those of the run with the most deals count.
    """
    often = Counter(row.source for row in rows.values())
    shared = {i: pair_deals(row) for i, row in rows.items() if often[row.source] > 1}
    found: dict[int, Counted] = {}
    seen: dict[object, list[int]] = {}
    for i in sorted(rows, key=lambda i: (-len(shared[i].deals) if i in shared else 0, i)):
        row = rows[i]
        if i not in shared:
            assert row.sums is not None
            found[i] = Counted(row.sums, row.sums.wins[0].n)
            continue
        key = (row.source, row.conditions)
        before, own = seen.setdefault(key, []), shared[i]
        had = np.concatenate([shared[j].deals for j in before]) if before else np.zeros(0, np.int64)
        kept = own.some(~np.isin(own.deals, had))
        repeats = len(own.deals) - len(kept.deals)
        found[i] = Counted(kept.sums, len(kept.deals), repeats, before[0] if repeats else None)
        shared[i] = kept
        before.append(i)
    return found, shared


def _units(
    rows: Mapping[int, Contrast], counted: Mapping[int, Counted], shared: Mapping[int, PairDeals]
) -> tuple[Unit, ...]:
    """Runs with deals of their own each by itself; of runs under other conditions on common deals these together."""
    made, done = [], set[int]()
    for i, row in rows.items():
        if i in done or not counted[i].deals:
            continue
        beside = [j for j in shared if rows[j].source == row.source and counted[j].deals] if i in shared else [i]
        if len({rows[j].conditions for j in beside}) == 1:
            beside = [i]
        done.update(beside)
        sums = counted[i].sums if len(beside) == 1 else _mean_deals([shared[j] for j in beside]).sums
        made.append(Unit(tuple(beside), sums))
    return tuple(made)


def _mean_deals(runs: Sequence[PairDeals]) -> PairDeals:
    """Several runs as one: of each deal the mean of those that have it."""
    deals, at = np.unique(np.concatenate([run.deals for run in runs]), return_inverse=True)
    sizes = np.bincount(at, minlength=len(deals))

    def means(name: str) -> np.ndarray:
        values = np.concatenate([getattr(run, name) for run in runs], axis=1)
        return np.array([np.bincount(at, row, minlength=len(deals)) / sizes for row in values])

    return PairDeals(deals, means("wins"), means("points"), means("places"))


def measured(found: Pool, measure: str) -> Measured:
    """A pool in one measure."""
    runs = [sums_of(unit.sums, measure)[0] for unit in found.units]
    planned = [int(found.group.rows[i].experiment.spec["deals"]) for i in found.members]
    mean, interval = _mean(found, measure, runs)
    left_out = spread.leave_one_out(runs) if len(runs) > 1 else ()
    return Measured(
        mean=mean,
        interval=interval,
        is_always_valid=found.is_alike,
        agreement=spread.heterogeneity(runs),
        shared=_on_common_deals(found, measure),
        next_run=spread.next_run(runs, max(planned)),
        next_deals=max(planned),
        left_out=left_out,
        odd=spread.odd_one_out(left_out),
    )


def _mean(found: Pool, measure: str, runs: Sequence[Moments]) -> tuple[float | None, Interval | None]:
    if not found.is_alike:
        if len(runs) == 1:
            return runs[0].mean, runs[0].interval() if runs[0].variance else None
        known = spread.spread_mean(runs)
        return (known.mean, known.interval) if known else (None, None)
    first = found.group.rows[found.members[0]]
    family = Family(measure, CONFIDENCE, AlwaysValid(found.planned), first.parties)
    together = family.looked(first.sizes, found.total)[measure]
    return together.mean, together.interval


def _on_common_deals(found: Pool, measure: str) -> Homogeneity | None:
    """Whether runs on the same deals agree; None where no unit is of several."""
    name = FIELDS[measure]
    for unit in found.units:
        if len(unit.members) > 1:
            rows = [pair_deals(found.group.rows[i]) for i in unit.members]
            kinds = [{deal: (1.0, value) for deal, value in row.of(getattr(row, name)).items()} for row in rows]
            estimates = Estimates.of_deals(kinds)
            return homogeneity(estimates) if estimates else None
    return None


@dataclass(frozen=True)
class Apart:
    """One run less others: how far it is from them. deals: that both have, 0 where they have none in common."""

    mean: float | None
    interval: Interval | None
    deals: int = 0


def apart(row: Contrast, others: Sequence[Contrast], total: PairSums, measure: str) -> Apart:
    """A run less others together, for every look: on common deals as pairs, else as independent.

    total: of the others. All have sums.
    """
    assert row.sums is not None
    planned = max(int(one.experiment.spec["deals"]) for one in (row, *others))
    method, name = AlwaysValid(planned), FIELDS[measure]
    beside = [other for other in others if other.source == row.source]
    if beside:
        ours, theirs = pair_deals(row), _mean_deals([pair_deals(other) for other in beside])
        common, i, j = np.intersect1d(ours.deals, theirs.deals, assume_unique=True, return_indices=True)
        if len(common) > 1:
            sign = -1.0 if measure == PLACE else 1.0
            first, second = (
                sign * (getattr(deals, name)[0] - getattr(deals, name)[1])[at] for deals, at in ((ours, i), (theirs, j))
            )
            sums = Moments.of(first - second), Moments.of(first), Moments.of(second)
            made = method.paired(sums, 0, CONFIDENCE)
            return Apart(made.mean, made.interval, len(common))
    made = method.independent(sums_of(row.sums, measure)[0], sums_of(total, measure)[0], CONFIDENCE)
    return Apart(made.mean, made.interval)
