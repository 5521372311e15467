"""What a sweep showed: win rate and margin by the values of one axis, a line per combination of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from webapp.common.formats import THIN, count, interval_text, num_matches, number, percent, signed
from webapp.lab.results.charts import sweep_fit
from webapp.lab.results.charts.figure import (
    Chart,
    Column,
    Figure,
    Group,
    Legend,
    Trace,
    nothing_yet,
    plain,
    signed_ticks,
)
from webapp.lab.results.charts.margin_distribution import margin_numbers
from webapp.lab.results.charts.sweep_lines import Across, Line, Plan, choices, fits, plan_of
from webapp.lab.results.charts.win_rate import numbers as rate_numbers
from webapp.lab.results.selectors import Results, SideResult, results
from webapp.lab.results.sides import DASH_WORDS, DASHES, MAX_MARKS, SYMBOLS
from webapp.lab.results.swept import responses
from webapp.lab.results.swept_names import lower_first
from webapp.records.models import Experiment
from worker.analysis.intervals import Interval
from worker.responses import Response
from worker.spec.model import combinations, num_arms


@dataclass(frozen=True)
class _Measure:
    """What is on the upright axis; both functions give None without matches."""

    title: str
    axis: str
    note: str
    value: Callable[[SideResult], float | None]
    interval: Callable[[SideResult], Interval | None]
    words: Callable[[float | None], str]


def build(measure: _Measure, experiment: Experiment, choice: int | None) -> Figure:
    """One line per combination of the other axes."""
    found, plan = results(experiment), plan_of(experiment, choice or 0)
    title = f"{measure.title} by {lower_first(plan.labels[plan.shown])}"
    subtitle = f"{_who(found)}, 95{THIN}% intervals."
    rows = found.compared
    swept, others = rows[: num_arms(plan.axes)], rows[num_arms(plan.axes) :]
    played = [row for row in swept if row.result.matches]
    if not played:
        return nothing_yet(title, subtitle)
    across = Across(plan)
    best = max(played, key=lambda row: measure.value(row) or 0)
    is_rate = measure is RATE
    seen = responses(experiment)
    response = None if seen is None else seen.wins if is_rate else seen.margins
    fair = found.lineups.fair_share if is_rate else None
    apart = " Lines stand a little apart so that their intervals can be seen." if len(plan.lines) > 1 else ""
    by = f" Lines: {plan.lines_by}." if plan.lines_by else ""
    dotted = f" Dotted line: {percent(fair)}, an equal share of all matches." if fair is not None else ""
    return Figure(
        title=title,
        subtitle=f"{subtitle} {num_matches(row.result.matches for row in played)} an arm.",
        name=f"{title}: highest with {best.side.name}, {measure.words(measure.value(best))}",
        note=measure.note
        + dotted
        + (" Logarithmic axis." if across.is_log else "")
        + by
        + apart
        + sweep_fit.note(response, plan),
        data=[
            *sweep_fit.curve(response, plan, across, 100 if is_rate else 1),
            *sweep_fit.beside(others, across, measure.value, measure.interval),
            *(_trace(measure, plan, across, i, rows, response) for i in range(len(plan.lines))),
        ],
        layout={
            "xaxis": across.layout(),
            "yaxis": {"title": {"text": measure.axis}, "zeroline": not is_rate}
            | _upright(measure, [*played, *(row for row in others if row.result.matches)], fair),
            "shapes": [
                *sweep_fit.region(response, plan, across),
                *(
                    {"type": "line", "y0": 100 * share, "y1": 100 * share, "xref": "paper", "x0": 0, "x1": 1}
                    for share in [fair]
                    if share is not None
                ),
            ],
            "meta": {"phone_xaxis": across.phone()},
        },
        legend=[*_legend(plan), *sweep_fit.beside_legend(others)],
        columns=[
            *(Column(label, axis.is_numeric) for label, axis in zip(plan.labels, plan.axes, strict=True)),
            *map(Column, ("Matches", measure.title, f"95{THIN}% interval")),
        ],
        rows=[
            *(_cells(measure, plan, rows[arm], arm) for line in plan.lines for arm in _in_order(plan, line)),
            *(_cells_beside(measure, plan, row) for row in others),
        ],
        height_rem=20 + 0.4 * max(0, len(plan.lines) - MAX_MARKS),
    )


def _who(found: Results) -> str:
    """Whose rate it is."""
    focus = found.lineups.focus
    label = found.lineups.focal(0).description.partition(",")[0]
    return f"{label} against {found.lineups.opponents}" if found.lineups.opponents else f"{label}, place {focus}"


def _in_order(plan: Plan, line: Line) -> list[int]:
    return [line.arms[i] for i in plan.order]


def _upright(measure: _Measure, played: Sequence[SideResult], fair: float | None) -> dict[str, Any]:
    """Range and ticks that hold all intervals; for margins 0, for rates the equal share too."""
    ends = [100 * fair] if fair is not None else [0.0] if measure is MARGIN else []
    for row in played:
        interval = measure.interval(row)
        ends += [*interval] if interval else [measure.value(row) or 0.0]
    low, high = min(ends), max(ends)
    pad = max(0.06 * (high - low), 1.0)
    if measure is MARGIN:
        return {"range": [low - pad, high + pad]} | signed_ticks(low - pad, high + pad)
    return {"range": [max(-2.0, low - pad), min(102.0, high + pad)]}


def _style(line: int) -> tuple[int, str, str]:
    """Mark, symbol and dash: dashes change when the colours come round again."""
    mark = line % MAX_MARKS
    return mark, SYMBOLS[mark], DASHES[line // MAX_MARKS % len(DASHES)]


def _legend(plan: Plan) -> list[Legend]:
    if len(plan.lines) == 1:
        return []
    is_dashed = len(plan.lines) > MAX_MARKS
    entries = []
    for i, line in enumerate(plan.lines):
        mark, _, dash = _style(i)
        entries.append(Legend(mark, f"{line.name} ({DASH_WORDS[dash]})" if is_dashed else line.name))
    return entries


def _trace(
    measure: _Measure, plan: Plan, across: Across, line: int, rows: Sequence[SideResult], response: Response | None
) -> Trace:
    mark, symbol, dash = _style(line)
    crowded = len(plan.lines) > MAX_MARKS
    points = [(i, rows[plan.lines[line].arms[i]]) for i in plan.order]
    drawn = [(i, value, row) for i, row in points if (value := measure.value(row)) is not None]
    is_best = None if len(plan.lines) > 1 else response
    symbols = [sweep_fit.symbol(is_best, row.side.arm, symbol) for _, _, row in drawn]
    spans = [measure.interval(row) or Interval(value, value) for _, value, row in drawn]
    name = plan.lines[line].name
    texts = [
        f"{measure.words(value)} ({interval_text(measure.interval(row))})<br>{plain(plan.words(plan.shown, i))}"
        for i, value, row in drawn
    ]
    return {
        "type": "scatter",
        "mode": "lines+markers" if plan.axis.is_numeric else "markers",
        "x": [across.x(i, line) for i, _, _ in drawn],
        "y": [value for _, value, _ in drawn],
        "line": {"color": f"@seat-{mark}", "width": 1.6 if crowded else 2.2, "dash": dash},
        "marker": {"color": f"@seat-{mark}", "size": 7 if crowded else 10, "symbol": symbols},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [interval.high - value for interval, (_, value, _) in zip(spans, drawn, strict=True)],
            "arrayminus": [value - interval.low for interval, (_, value, _) in zip(spans, drawn, strict=True)],
            "color": f"@seat-{mark}/.55" if crowded else f"@seat-{mark}",
            "thickness": 1.2 if crowded else 2,
            "width": 0,
        },
        "cliponaxis": False,
        "customdata": texts,
        "hovertemplate": f"%{{customdata}}<extra>{plain(name)}</extra>",
    }


def _cells_beside(measure: _Measure, plan: Plan, row: SideResult) -> list[str]:
    """An arm beside the sweep: its name where values stand."""
    last = [count(row.result.matches), measure.words(measure.value(row)), interval_text(measure.interval(row))]
    return [row.side.name, *[""] * (len(plan.axes) - 1), *last]


def _cells(measure: _Measure, plan: Plan, row: SideResult, arm: int) -> list[str]:
    indices = combinations(plan.axes)[arm]
    interval = measure.interval(row)
    return [
        *(plan.words(k, i) for k, i in enumerate(indices)),
        count(row.result.matches),
        measure.words(measure.value(row)),
        interval_text(interval),
    ]


def _scaled(interval: Interval | None) -> Interval | None:
    return Interval(100 * interval.low, 100 * interval.high) if interval else None


RATE = _Measure(
    "Win rate",
    "Win rate, %",
    "Draws are neither wins nor losses.",
    lambda row: None if row.result.win_rate is None else 100 * row.result.win_rate,
    lambda row: _scaled(row.result.win_rate_interval),
    lambda value: f"{number(value)}{THIN}%" if value is not None else number(None),
)
MARGIN = _Measure(
    "Victory margin",
    "Mean victory margin, points",
    "Mean of own score minus best opponent; the unit is the deal.",
    lambda row: row.result.mean_margin,
    lambda row: row.result.margin_interval,
    signed,
)
CHART = Chart(
    "sweep-curve",
    "Win rate by swept value",
    partial(build, RATE),
    Group.SCORES,
    choices=choices,
    fits=fits,
    numbers=rate_numbers,
)
CHART_MARGIN = Chart(
    "sweep-margin",
    "Victory margin by swept value",
    partial(build, MARGIN),
    Group.MARGINS,
    choices=choices,
    fits=fits,
    numbers=margin_numbers,
)
