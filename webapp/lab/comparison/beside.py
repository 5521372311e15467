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
from webapp.lab.results.sides import Side
from worker.analysis.intervals import Interval
from worker.analysis.stop_rules.model import MARGIN
from worker.spec import SpecError

NOTHING = ""
"""Where an experiment has no such number; pages draw a dash."""
Row = tuple[str, tuple[str, ...]]
"""What it is, and the words for each experiment."""


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


def side_by_side(columns: Sequence[Column], found: Sequence[Group]) -> tuple[Row, ...]:
    """Numbers that experiments have by themselves, row by row."""
    places = range(len(columns))
    rows = [
        ("Deals", tuple(_deals(columns[i]) for i in places)),
        ("Distinct matches", tuple(count(columns[i].found.finished) for i in places)),
    ]
    said: set[str] = set()
    for group in found:
        for k, name in enumerate(group.names):
            if name not in said:
                said.add(name)
                rows += _levels(columns, group, k, name)
        difference = f"{group.names[0]} less {group.names[1]}"
        rows.append((f"{difference}, on its own page", tuple(_own(columns[i], group.rows.get(i)) for i in places)))
        rows.append((f"{difference}, margin in sd of a deal", tuple(_effect(group.rows.get(i)) for i in places)))
    return tuple(rows)


def _deals(column: Column) -> str:
    """The deals of its contrasts, from the fewest to the most."""
    numbers = [row.numbers.wins.blocks for row in contrasts(column.entry.experiment)]
    if not numbers:
        return NOTHING
    return count(min(numbers)) if min(numbers) == max(numbers) else f"{count(min(numbers))} to {count(max(numbers))}"


def _levels(columns: Sequence[Column], group: Group, k: int, name: str) -> list[Row]:
    """How a side did by itself. k: 0 for the side, 1 for what it is compared with."""
    rates, margins = [], []
    for i, column in enumerate(columns):
        row = group.rows.get(i)
        side = None if row is None else (row.numbers.side, row.numbers.baseline)[k != row.is_turned]
        result = None if side is None else _result(column.found, side)
        rates.append(NOTHING if result is None else _rate(result))
        margins.append(NOTHING if result is None else _margin(result))
    return [(f"{name}, win rate", tuple(rates)), (f"{name}, margin", tuple(margins))]


def _result(found: Results, side: Side) -> SideResult | None:
    rows = [*found.pools, *found.sides[side.arm]]
    return next((row for row in rows if row.side.name == side.name and row.side.place == side.place), None)


def _rate(row: SideResult) -> str:
    result = row.result
    if not result.matches:
        return "no match yet"
    ends = result.win_rate_interval
    return f"{percent(result.win_rate)}{f' ({number(100 * ends.low)} to {number(100 * ends.high)})' if ends else ''}"


def _margin(row: SideResult) -> str:
    result = row.result
    if not result.matches:
        return "no match yet"
    return signed(result.mean_margin)


def _own(column: Column, row: Contrast | None) -> str:
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
        return "no deal yet"
    is_turned = (shown.side.key == numbers.side.key) == row.is_turned
    mean, interval = (-shown.mean if is_turned else shown.mean), shown.interval
    if interval and is_turned:
        interval = Interval(-interval.high, -interval.low)
    ends = f" ({said.unit.span(interval)})" if interval else ""
    kind = f", {number(100 * said.confidence, 0)}{THIN}% together" if len(said.rows) > 1 and interval else ""
    return f"{said.unit.signed(mean)} {said.unit.gap}{ends}{kind}"


def _effect(row: Contrast | None) -> str:
    """The margin in standard deviations of a deal's difference (Cohen's d of pairs)."""
    if row is None or row.sums is None:
        return NOTHING
    values = pooled.sums_of(row.sums, MARGIN)[0]
    return signed(values.mean / values.deviation, 2) if values.mean is not None and values.deviation else NOTHING
