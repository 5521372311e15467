"""Victory margin by budget, where arms are one configuration with several budgets and no sweep says so."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.protocol import BUDGET_LABELS
from webapp.common.formats import THIN, count, interval_text, num_matches, number, signed
from webapp.lab.results.charts import sweep_lines
from webapp.lab.results.charts.figure import (
    Chart,
    Column,
    Figure,
    Group,
    Legend,
    Trace,
    band,
    nothing_yet,
    plain,
    signed_ticks,
)
from webapp.lab.results.charts.margin_distribution import margin_numbers
from webapp.lab.results.selectors import Results, SideResult, results
from webapp.lab.results.sides import DASH_WORDS, DASHES, MAX_MARKS, SYMBOLS, configuration_words, lineups, short_names
from webapp.records.models import Experiment

TITLE = "Victory margin by budget"
SUBTITLE = f"Against {{}}, bands are 95{THIN}% intervals."
GAP, PHONE_GAP = 0.08, 0.17
"""Tick labels stand at least this part of the axis apart."""
COLUMNS = (Column("Configuration", False), *map(Column, ("Budget", "Matches", "Mean margin", f"95{THIN}% interval")))


@dataclass(frozen=True)
class _Line:
    """One configuration: (budget, arm) in ascending order; without a budget one arm, a line across."""

    name: str
    arms: tuple[tuple[float | None, int], ...]

    @property
    def has_several(self) -> bool:
        """Whether it played with several budgets; the same line-up may be there twice without any."""
        return len({value for value, _ in self.arms}) > 1


def _lines(experiment: Experiment) -> tuple[str, list[_Line]]:
    """The budget's key, and the configurations that have several values of it, then those without a budget."""
    focus = lineups(experiment).focus
    found: dict[str, list[tuple[Mapping[str, Any], int]]] = {}
    for index, arm in enumerate(experiment.spec["arms"]):
        seat = arm["seats"][focus]
        others = arm["seats"][:focus] + arm["seats"][focus + 1 :]
        found.setdefault(json.dumps([seat["engine"], seat.get("options"), others], sort_keys=True), []).append(
            (seat, index)
        )
    keys = Counter(
        key for rows in found.values() for key in {next(iter(seat.get("budget") or {}), "") for seat, _ in rows}
    )
    keys.pop("", None)
    key = keys.most_common(1)[0][0] if keys else ""
    rows = [row for row in found.values() if _is_line(row, key) or not row[0][0].get("budget")]
    names = short_names([configuration_words({**row[0][0], "budget": {}}) for row in rows])
    lines = [
        _Line(name, tuple(sorted((seat.get("budget", {}).get(key), arm) for seat, arm in row)))
        for name, row in zip(names, rows, strict=True)
    ]
    return key, sorted(lines, key=lambda line: line.arms[0][0] is None)


def _is_line(rows: Sequence[tuple[Mapping[str, Any], int]], key: str) -> bool:
    """Whether these arms have that budget alone, each another one, and there are several."""
    values = [seat["budget"][key] for seat, _ in rows if list(seat.get("budget") or {}) == [key]]
    if any(isinstance(value, Mapping) for value in values):  # counts by round are no place on an axis
        return False
    return len(values) == len(rows) == len(set(values)) > 1


def fits(experiment: Experiment) -> bool:
    """Whether some configuration plays with several budgets; a sweep has a chart of its own."""
    return not sweep_lines.fits(experiment) and any(line.has_several for line in _lines(experiment)[1])


def build(experiment: Experiment, choice: int | None) -> Figure:
    """A line for each configuration, with its band; those without a budget across the chart."""
    found, (key, lines) = results(experiment), _lines(experiment)
    subtitle = SUBTITLE.format(found.lineups.opponents or "the others")
    drawn = [line for line in lines if any(found.compared[arm].result.matches for _, arm in line.arms)]
    if not drawn:
        return nothing_yet(TITLE, subtitle)
    budgets = sorted({float(value) for line in lines for value, _ in line.arms if value is not None})
    ends = [end for line in drawn for _, arm in line.arms for end in _ends(found.compared[arm])]
    low, high = min(0.0, *ends), max(0.0, *ends)
    label, unit, _ = BUDGET_LABELS[key]
    played = [
        row.result.matches for line in drawn for _, arm in line.arms if (row := found.compared[arm]).result.matches
    ]
    best = max(drawn, key=lambda line: _last(found, line))
    return Figure(
        title=TITLE,
        subtitle=f"{subtitle} {num_matches(played)} an arm.",
        name=f"{TITLE}: highest with {best.name}, {signed(_last(found, best))} at its largest budget",
        note="Mean of own score minus best opponent; the unit is the deal. Logarithmic axis.",
        data=[trace for i, line in enumerate(drawn) for trace in _traces(found, line, i, budgets, unit)],
        layout={
            "xaxis": {"title": {"text": label}, "type": "log", "range": _range(budgets), **_ticks(budgets, GAP)},
            "yaxis": {"title": {"text": "Mean victory margin, points"}, "zeroline": True} | signed_ticks(low, high),
            "meta": {"phone_xaxis": _ticks(budgets, PHONE_GAP)},
        },
        legend=[Legend(i % MAX_MARKS, _called(line.name, i, len(drawn))) for i, line in enumerate(drawn)],
        columns=COLUMNS,
        rows=[_cells(line.name, value, unit, found.compared[arm]) for line in drawn for value, arm in line.arms],
        height_rem=20,
    )


def _called(name: str, index: int, lines: int) -> str:
    """A line's name, with its dashes where colours come round again."""
    return f"{name} ({DASH_WORDS[_dash(index)]})" if lines > MAX_MARKS else name


def _dash(index: int) -> str:
    return DASHES[index // MAX_MARKS % len(DASHES)]


def _ends(row: SideResult) -> list[float]:
    """What the drawing of an arm covers; nothing before its first match."""
    mean, interval = row.result.mean_margin, row.result.margin_interval
    return [] if mean is None else [*interval] if interval else [mean]


def _last(found: Results, line: _Line) -> float:
    """The margin at the largest budget that has one."""
    means = [found.compared[arm].result.mean_margin for _, arm in line.arms]
    return next((mean for mean in reversed(means) if mean is not None), -math.inf)


def _range(budgets: Sequence[float]) -> list[float]:
    low, high = math.log10(budgets[0]), math.log10(budgets[-1])
    pad = 0.04 * (high - low)
    return [low - pad, high + pad]


def _ticks(budgets: Sequence[float], gap: float) -> dict[str, Any]:
    """The budgets that there are, as far as their labels have room."""
    low, high = _range(budgets)
    kept: list[float] = []
    for value in budgets:
        if not kept or math.log10(value / kept[-1]) >= gap * (high - low):
            kept.append(value)
    return {"tickvals": kept, "ticktext": [_amount(value) for value in kept]}


def _amount(value: float) -> str:
    return count(int(value)) if value == int(value) else number(value, 2)


def _traces(found: Results, line: _Line, index: int, budgets: Sequence[float], unit: str) -> list[Trace]:
    """Band and line."""
    rows = [(value, found.compared[arm]) for value, arm in line.arms if found.compared[arm].result.matches]
    if rows and rows[0][0] is None:
        rows = [(budgets[0], rows[0][1]), (budgets[-1], rows[0][1])]
    x = [float(value) for value, _ in rows if value is not None]
    ends = [_ends(row) for _, row in rows]
    colour, is_level = f"seat-{index % MAX_MARKS}", line.arms[0][0] is None
    stroke = {
        "type": "scatter",
        "mode": "lines" if is_level else "lines+markers",
        "x": x,
        "y": [row.result.mean_margin for _, row in rows],
        "line": {"color": f"@{colour}", "width": 2.2, "dash": "dot" if is_level else _dash(index)},
        "marker": {"color": f"@{colour}", "size": 8, "symbol": SYMBOLS[index % MAX_MARKS]},
        "cliponaxis": False,
        "hovertemplate": f"%{{x}} {unit}: %{{y:+.1f}}<extra>{plain(line.name)}</extra>",
    }
    return [band(x, [end[0] for end in ends], [end[-1] for end in ends], colour), stroke] if len(rows) > 1 else [stroke]


def _cells(name: str, value: float | None, unit: str, row: SideResult) -> list[str]:
    interval = row.result.margin_interval
    return [
        name,
        "any" if value is None else f"{_amount(value)} {unit}",
        count(row.result.matches),
        signed(row.result.mean_margin),
        interval_text(interval),
    ]


CHART = Chart("margin-by-budget", TITLE, build, Group.MARGINS, fits=fits, numbers=margin_numbers)
