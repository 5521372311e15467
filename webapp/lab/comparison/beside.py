"""What experiments say by themselves, side by side: their own numbers, as their own pages have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.common.formats import THIN, count, number, percent, signed
from webapp.lab.pooling import pooled
from webapp.lab.pooling.contrasts import Contrast, contrasts
from webapp.lab.pooling.groups import Group
from webapp.lab.pooling.lines import Entry
from webapp.lab.results import notes
from webapp.lab.results.answer import Answer, answer
from webapp.lab.results.judged import judged
from webapp.lab.results.selectors import Results, SideResult, results
from worker.analysis.intervals import Interval
from worker.analysis.stop_rules.model import MARGIN
from worker.spec import SpecError

Cell = tuple[str, str]
"""Words, and below them their interval; both empty where an experiment has no such number."""
NOTHING: Cell = ("", "")


@dataclass(frozen=True)
class Row:
    """One number of each experiment."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Section:
    """Rows of one question. title: empty for those of all."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Column:
    """One experiment. own: its head as on its own page, None where this version cannot read its spec."""

    entry: Entry
    found: Results
    own: Answer | None


def column_of(entry: Entry) -> Column:
    """An experiment with what its own page says."""
    try:
        own = answer(entry.experiment)
    except SpecError:
        own = None
    return Column(entry, results(entry.experiment), own)


def side_by_side(columns: Sequence[Column], found: Sequence[Group]) -> tuple[Section, ...]:
    """Numbers that experiments have by themselves, question by question."""
    first = Section(
        "",
        (
            Row("Deals", tuple(map(_deals, columns))),
            Row("Distinct matches", tuple((count(column.found.finished), "") for column in columns)),
        ),
    )
    return (first, *(_section(columns, group) for group in found))


def _section(columns: Sequence[Column], group: Group) -> Section:
    rows = [group.rows.get(i) for i in range(len(columns))]
    side, other = group.names
    made = [
        Row("Difference, on its own page", tuple(map(_own, columns, rows))),
        Row("Margin in standard deviations of a deal", tuple(map(_effect, rows))),
    ]
    for k, name in enumerate((side, other)):
        results = [_result(column.found, row, k) for column, row in zip(columns, rows, strict=True)]
        made.append(Row(f"{name}, win rate", tuple(map(_rate, results))))
        made.append(Row(f"{name}, margin", tuple(map(_margin, results))))
    return Section(f"{side} less {other}", tuple(made))


def _deals(column: Column) -> Cell:
    """The deals of its contrasts, from the fewest to the most."""
    numbers = [row.numbers.wins.blocks for row in contrasts(column.entry.experiment)]
    if not numbers:
        return NOTHING
    low, high = count(min(numbers)), count(max(numbers))
    return low if low == high else f"{low} to {high}", ""


def _result(found: Results, row: Contrast | None, k: int) -> SideResult | None:
    """How a side did by itself. k: 0 for the side, 1 for what it is compared with."""
    if row is None:
        return None
    side = (row.numbers.side, row.numbers.baseline)[k != row.is_turned]
    rows = [*found.pools, *found.sides[side.arm]]
    return next((one for one in rows if one.side.name == side.name and one.side.place == side.place), None)


def _rate(row: SideResult | None) -> Cell:
    if row is None or not row.result.matches:
        return NOTHING
    ends = row.result.win_rate_interval
    return percent(row.result.win_rate), f"{number(100 * ends.low)} to {number(100 * ends.high)}" if ends else ""


def _margin(row: SideResult | None) -> Cell:
    return NOTHING if row is None or not row.result.matches else (signed(row.result.mean_margin), "")


def _own(column: Column, row: Contrast | None) -> Cell:
    """The difference as the experiment's own page has it, with that interval."""
    if row is None:
        return NOTHING
    try:
        said = judged(column.entry.experiment, column.found, notes.of_nothing(column.found))
    except SpecError:
        return NOTHING
    numbers = row.numbers
    shown = next((one for one in said.rows if one.side.key in (numbers.side.key, numbers.baseline.key)), None)
    if shown is None or shown.mean is None:
        return NOTHING
    is_turned = (shown.side.key == numbers.side.key) == row.is_turned
    mean, interval = (-shown.mean if is_turned else shown.mean), shown.interval
    if interval and is_turned:
        interval = Interval(-interval.high, -interval.low)
    kind = f", {number(100 * said.confidence, 0)}{THIN}% together" if len(said.rows) > 1 else ""
    return f"{said.unit.signed(mean)} {said.unit.gap}", f"{said.unit.span(interval)}{kind}" if interval else ""


def _effect(row: Contrast | None) -> Cell:
    """The margin in standard deviations of a deal's difference (Cohen's d of pairs)."""
    if row is None or row.sums is None:
        return NOTHING
    values = pooled.sums_of(row.sums, MARGIN)[0]
    if values.mean is None or not values.deviation:
        return NOTHING
    return signed(values.mean / values.deviation, 2), ""
