"""A group of runs as a forest: a line for each, what they are together, and one axis for all groups of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from webapp.common.formats import count, number, plural
from webapp.lab.pooling import pooled
from webapp.lab.pooling.contrasts import Contrast
from webapp.lab.pooling.differing import differences, obstacle
from webapp.lab.pooling.groups import Group
from webapp.lab.pooling.pooled import Measured, Pool
from webapp.lab.results.forest import UNITS, Axis, Compared, Tick, Unit, axis
from webapp.lab.results.forest import row as placed
from webapp.lab.results.sides import MAX_MARKS
from webapp.records.models import Experiment
from worker.analysis.intervals import Interval


@dataclass(frozen=True)
class Entry:
    """An experiment as one reader sees it. ref: by which an address names it; mark: None is grey."""

    experiment: Experiment
    ref: str
    url: str
    mark: int | None

    @property
    def name(self) -> str:
        """How lines and sentences call it."""
        return f"No. {self.experiment.pk}"


def mark_of(index: int) -> int | None:
    """The mark of the experiment at a place of the list."""
    return index if index < MAX_MARKS else None


@dataclass(frozen=True)
class State:
    """What becomes of a run. words: why; chip: its class, label: its words; is_pale: it is not pooled."""

    words: str = ""
    chip: str = ""
    label: str = ""
    is_pale: bool = False


@dataclass(frozen=True)
class Line:
    """A line of a forest. entry: None is all runs together; low, middle, high: in per cent of the axis.

    words: the difference; note: deals, and what is to be said of them.
    """

    entry: Entry | None
    words: str
    interval: str
    note: str
    state: State
    low: str = ""
    middle: str = ""
    high: str = ""
    cut: str = ""


@dataclass(frozen=True)
class Table:
    """A group on a page. pool, together: None where nothing is pooled."""

    group: Group
    pool: Pool | None
    together: Measured | None
    lines: tuple[Line, ...]
    is_shown_together: bool = False


@dataclass(frozen=True)
class Forest:
    """All groups on one axis."""

    measure: str
    tables: tuple[Table, ...]
    ticks: tuple[Tick, ...] = ()
    zero: str = "0"
    unit: Unit = field(default_factory=lambda: UNITS["win_rate"])
    on_axis: str = ""


def forest(groups: Sequence[Group], entries: Mapping[int, Entry], pools: Sequence[Pool | None], measure: str) -> Forest:
    """The groups in one measure, which has at least one group. entries: by the numbers of groups' rows."""
    unit = UNITS[measure]
    found = [_Group(group, pool, measure) for group, pool in zip(groups, pools, strict=True)]
    scale = axis([row for one in found for row in one.all_rows], unit, is_live=False)
    drawing = _Drawing(entries, scale, unit)
    is_alone = all(row.parties == 1 for group in groups for row in group.rows.values())
    return Forest(
        measure=measure,
        tables=tuple(map(drawing.table, found)),
        ticks=scale.ticks(unit),
        zero=scale.at(0),
        unit=unit,
        on_axis="points" if is_alone else unit.on_axis,
    )


def compared(row: Contrast, measure: str) -> Compared:
    """A run as forests write it, with its interval for every look."""
    one, scale = row.numbers.of(measure), UNITS[measure].scale
    interval = pooled.of_row(row, measure)
    mean = None if one.mean is None else scale * one.mean * (-1 if row.is_turned else 1)
    is_constant = row.sums is not None and one.blocks > 1 and not pooled.sums_of(row.sums, measure)[0].variance
    return Compared(row.numbers.side, mean, scaled(interval, scale), one.blocks, is_constant=is_constant)


def scaled(interval: Interval | None, scale: float) -> Interval | None:
    """An interval as pages write it."""
    return Interval(interval.low * scale, interval.high * scale) if interval else None


class _Group:
    """A group in one measure, as forests write it."""

    def __init__(self, group: Group, pool: Pool | None, measure: str) -> None:
        self.group, self.pool = group, pool
        self.rows = {i: compared(row, measure) for i, row in group.rows.items()}
        self.measured = pooled.measured(pool, measure) if pool else None
        self.together = self._together(UNITS[measure].scale)

    def _together(self, scale: float) -> Compared | None:
        """None where nothing is pooled, or what is pooled are the same matches."""
        pool, one = self.pool, self.measured
        if pool is None or one is None or pool.num_runs < 2:
            return None
        mean = None if one.mean is None else scale * one.mean
        return Compared(self.group.first.numbers.side, mean, scaled(one.interval, scale), pool.deals)

    @property
    def all_rows(self) -> list[Compared]:
        """What the axis has to hold."""
        return [*self.rows.values(), *([self.together] if self.together else [])]

    def state(self, i: int, entries: Mapping[int, Entry]) -> State:
        """The state of a run."""
        group, pool, one = self.group, self.pool, self.measured
        row = group.rows[i]
        if self.rows[i].mean is None:
            return State("", "wait", "not yet")
        if pool is None or one is None or i not in pool.members:
            first = group.rows[pool.members[0]] if pool else group.first
            words = obstacle(row, first) or ", ".join(differences(row, first))
            return State(words, "", "not pooled", is_pale=True) if pool else State(words)
        counted = pool.counted[i]
        if counted.of is not None:
            of = entries[counted.of].name
            if not counted.deals:
                return State(f"the same matches as {of}", "warn", "same matches", is_pale=True)
            return State(f"{count(counted.repeats)} of them also in {of}", "warn", "counted once")
        if one.odd is not None and i in pool.units[one.odd].members:
            left = one.left_out[one.odd]
            return State(f"{number(abs(left.z or 0))} errors from the others", "danger", "odd one out")
        return State("", "ok", "pooled") if self.together else State()


@dataclass(frozen=True)
class _Drawing:
    """Writes lines on an axis."""

    entries: Mapping[int, Entry]
    scale: Axis
    unit: Unit

    def table(self, found: _Group) -> Table:
        """A group with all its lines."""
        lines = [self._run(found, i, row) for i, row in found.rows.items()]
        if found.together and found.pool:
            how = "" if found.pool.is_alike else "random effects"
            lines.append(self._line(found.together, None, State(how)))
        return Table(found.group, found.pool, found.measured, tuple(lines), found.together is not None)

    def _run(self, found: _Group, i: int, row: Compared) -> Line:
        unit = ("deal", "deals") if found.group.rows[i].sums is not None else ("match", "matches")
        return self._line(row, self.entries[i], found.state(i, self.entries), unit)

    def _line(
        self, row: Compared, entry: Entry | None, state: State, unit: tuple[str, str] = ("deal", "deals")
    ) -> Line:
        shown = placed(row, self.scale, self.unit, ("", ""))
        return Line(
            entry=entry,
            words=shown.difference,
            interval=shown.interval if row.mean is not None else "no deal yet",
            note=", ".join(filter(None, (plural(row.deals, *unit), state.words))),
            state=state,
            low=shown.low,
            middle=shown.middle,
            high=shown.high,
            cut=shown.cut,
        )
