"""Published curves beside ours: one chart of all our lines, then one for each line beside the published one.

Before our first number there is one chart, of the published lines.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engines.protocol import BUDGET_LABELS
from webapp.common.formats import count, number
from webapp.lab.presets import wording
from webapp.lab.presets.charts import OURS, PUBLISHED, Chart, Entry
from webapp.lab.results.charts.figure import Trace, band
from webapp.lab.results.sides import DASHES, MAX_MARKS, SYMBOLS
from worker.presets.comparison import Comparison, Row, ShownFigure
from worker.presets.model import Curve

LEAST = 3
"""Published points that make a line; fewer stand alone, each with its interval."""
GAP, BUDGET_GAP, PHONE_GAP = 0.07, 0.13, 0.17
"""Tick labels stand at least this part of the axis apart; with budgets below them; on phones."""
ENOUGH = 20
"""Matches from which on an interval widens the axes: those of the first minutes are very wide."""
PAD = 0.05
HEIGHT, WIDE = 17.0, 21.0
SPREAD = "Bands are 95 % intervals"


@dataclass(frozen=True)
class _Part:
    """One half of the rows: ours or the published figures. title: of the chart of all its lines."""

    title: str
    word: str
    of: Callable[[Row], ShownFigure]


_OURS = _Part("All of ours", "ours", lambda row: row.ours)
_PUBLISHED = _Part("As published", "published", lambda row: row.published)


def curves(curve: Curve, comparison: Comparison) -> list[Chart]:
    """One chart of all our lines, then each beside the published one; before ours exist, the published lines alone."""
    names = list(dict.fromkeys(row.group for row in comparison.rows if row.x is not None))
    lines = {name: [row for row in comparison.rows if row.group == name and row.x is not None] for name in names}
    rows = [row for group in lines.values() for row in group]
    part = next((part for part in (_OURS, _PUBLISHED) if any(part.of(row).value is not None for row in rows)), None)
    if part is None:
        return []
    level = next((part.of(row) for row in comparison.rows if row.group == curve.level), ShownFigure())
    axes = _Axes(curve, rows, level)
    if part is _PUBLISHED:
        drawn = {name: rows for name, rows in lines.items() if any(row.published.value is not None for row in rows)}
        return [_together(axes, drawn, level, part)]
    panels = [_panel(axes, index, name, rows, level) for index, (name, rows) in enumerate(lines.items())]
    return [_together(axes, lines, level, part), *panels] if len(lines) > 1 else panels


def own_curves(curve: Curve, comparison: Comparison) -> list[Chart]:
    """Our lines where nothing is published: a chart for each beginning of their names."""
    rows = [row for row in comparison.rows if row.x is not None and row.ours.value is not None]
    if not rows:
        return []
    axes = _Axes(curve, rows, ShownFigure())
    parts: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        title, name = split_group(row.group)
        parts.setdefault(title, {}).setdefault(name, []).append(row)
    return [
        replace(_together(axes, lines, ShownFigure(), _OURS), id=f"preset-curves-{i}", title=title, is_wide=False)
        for i, (title, lines) in enumerate(parts.items())
    ]


def split_group(group: str) -> tuple[str, str]:
    """Split the name of a group at its last colon: (beginning, rest), ("", group) where there is no colon."""
    title, _, name = group.rpartition(": ")
    return title, name


class _Axes:
    """The axes that all charts of a preset share."""

    def __init__(self, curve: Curve, rows: Sequence[Row], level: ShownFigure) -> None:
        self.curve = curve
        self.xs = sorted({row.x for row in rows if row.x is not None})
        ends = [end for row in rows for shown in (row.published, row.ours) for end in _ends(shown)]
        self._y = self._range([*ends, *_ends(level)], curve.is_y_log)
        self._x = self._range(self.xs, curve.is_x_log)

    @property
    def floor(self) -> float:
        """The least value that can be drawn."""
        return float(10 ** self._y[0]) if self.curve.is_y_log else -math.inf

    @staticmethod
    def _range(values: Sequence[float], is_log: bool) -> list[float]:
        places = [math.log10(value) for value in values if value > 0] if is_log else list(values)
        pad = PAD * ((max(places) - min(places)) or 1.0)
        return [min(places) - pad, max(places) + pad]

    def layout(self, budgets: dict[float, str], unit: str = "") -> dict[str, Any]:
        """The layout of a chart. budgets: labels below the ticks, by x, in `unit`; empty where all are equal."""
        curve = self.curve
        title = f"{curve.x}; below: {unit} of ours" if budgets else curve.x
        x = {"title": {"text": title}, "range": self._x, "zeroline": False}
        y = {"title": {"text": curve.y}, "range": self._y, "zeroline": not curve.is_y_log}
        x |= self._ticks(BUDGET_GAP if budgets else GAP, budgets)
        return {
            "showlegend": False,
            "xaxis": x | ({"type": "log"} if curve.is_x_log else {}),
            "yaxis": y | ({"type": "log", "dtick": 1, "tickformat": ",.0f"} if curve.is_y_log else {}),
            "margin": {"l": 56, "r": 12, "t": 8, "b": 60 if budgets else 46},
            "meta": {"phone_xaxis": self._ticks(PHONE_GAP, budgets)},
        }

    def _ticks(self, gap: float, budgets: dict[float, str]) -> dict[str, Any]:
        low, high = self._x
        kept: list[float] = []
        for x in self.xs:
            if not kept or self._place(x) - self._place(kept[-1]) >= gap * (high - low):
                kept.append(x)
        texts = [f"{_tick(x)}<br>{budgets[x]}" if x in budgets else _tick(x) for x in kept]
        return {"tickvals": kept, "ticktext": texts}

    def _place(self, x: float) -> float:
        return math.log10(x) if self.curve.is_x_log else x


def _tick(x: float) -> str:
    return count(int(x)) if x >= 1000 and x == int(x) else f"{x:g}"


def _ends(shown: ShownFigure) -> list[float]:
    """A figure, and the ends of its interval where that rests on enough matches."""
    is_known = shown.n is None or shown.n >= ENOUGH
    ends = (shown.value, shown.low, shown.high) if is_known else (shown.value,)
    return [value for value in ends if value is not None]


# ---- charts
def _together(axes: _Axes, lines: dict[str, list[Row]], level: ShownFigure, part: _Part) -> Chart:
    """All lines of one part in the colours of seats; published points that make no line stand alone."""
    bands: list[Trace] = []
    strokes: list[Trace] = []
    for index, (name, rows) in enumerate(lines.items()):
        colour, dash = f"seat-{index % MAX_MARKS}", DASHES[index // MAX_MARKS % len(DASHES)]
        points = _points(rows, part)
        stroke = _stroke(name, points, colour, SYMBOLS[index % MAX_MARKS], dash)
        is_line = part is _OURS or len(points) >= LEAST
        bands += _band(axes, points, colour) if is_line else ()
        strokes.append(stroke if is_line else _alone(stroke, points, colour))
    legend = [Entry(name, str(index % MAX_MARKS)) for index, name in enumerate(lines)]
    return Chart(
        id="preset-curves",
        title=part.title,
        name="; ".join(_said(name, rows, part) for name, rows in lines.items()),
        height_rem=WIDE,
        figure={"data": [*_level(axes, level, part), *bands, *strokes], "layout": axes.layout({})},
        subtitle=f"{SPREAD}." if any(part.of(row).low is not None for rows in lines.values() for row in rows) else "",
        legend=(*legend, *_level_entry(axes.curve, level, part)),
        is_wide=True,
    )


def _panel(axes: _Axes, index: int, name: str, rows: Sequence[Row], level: ShownFigure) -> Chart:
    """One line, ours and published."""
    published = [row for row in rows if row.published.value is not None]
    spent = {row.x: wording.amount(next(iter(row.budget.values()))) for row in rows if row.x is not None and row.budget}
    is_one = len(set(spent.values())) <= 1
    words = {wording.budget(row.budget) for row in rows if row.budget}
    unit = next((BUDGET_LABELS[key][1] for row in rows for key in row.budget), "")
    return Chart(
        id=f"preset-curve-{index}",
        title=name,
        name=_said(name, rows, _OURS),
        height_rem=HEIGHT,
        figure={
            "data": [*_level(axes, level, _OURS), *_beside(axes, published, rows)],
            "layout": axes.layout({} if is_one else spent, unit),
        },
        subtitle=f"{SPREAD}. Ours spend {words.pop()} a ply." if words and is_one else f"{SPREAD}.",
        legend=(*((PUBLISHED,) if published else ()), OURS, *_level_entry(axes.curve, level, _OURS)),
    )


def _said(name: str, rows: Sequence[Row], part: _Part) -> str:
    """The line in words, to be read aloud; ours with the published values."""
    pairs = [
        f"{row.label} {number(part.of(row).value, row.digits)}"
        + (f" (published {number(row.published.value, row.digits)})" if _is_beside(row, part) else "")
        for row in rows
        if part.of(row).value is not None
    ]
    return f"{name}: {', '.join(pairs)}"


def _is_beside(row: Row, part: _Part) -> bool:
    return part is _OURS and row.published.value is not None


# ---- traces
def _points(rows: Sequence[Row], part: _Part) -> list[tuple[float, ShownFigure]]:
    return [(row.x, part.of(row)) for row in rows if row.x is not None and part.of(row).value is not None]


def _band(axes: _Axes, points: Sequence[tuple[float, ShownFigure]], colour: str) -> list[Trace]:
    """Intervals as a band; a point without one narrows it to itself, what a logarithm cannot show ends at the axis."""
    if len(points) < 2:
        return []
    known = [(x, shown.value, shown) for x, shown in points if shown.value is not None]
    low = [value if shown.low is None else max(shown.low, axes.floor) for _, value, shown in known]
    high = [value if shown.high is None else shown.high for _, value, shown in known]
    return [band([x for x, _, _ in known], low, high, colour)]


def _stroke(name: str, points: Sequence[tuple[float, ShownFigure]], colour: str, symbol: str, dash: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "cliponaxis": False,
        "x": [x for x, _ in points],
        "y": [shown.value for _, shown in points],
        "line": {"color": f"@{colour}", "width": 2.2, "dash": dash},
        "marker": {"color": f"@{colour}", "size": 7, "symbol": symbol},
        "hovertemplate": f"%{{x}}: %{{y:.4~g}}<extra>{html.escape(name)}</extra>",
    }


def _beside(axes: _Axes, published: Sequence[Row], rows: Sequence[Row]) -> list[Trace]:
    """Our line, and over it the published one: dashed with its band, or dots with whiskers where they are few."""
    ours, points = _points(rows, _OURS), _points(published, _PUBLISHED)
    is_line = len(points) >= LEAST
    bands = [*(_band(axes, points, "muted") if is_line else ()), *_band(axes, ours, "accent")]
    traces = [*bands, _stroke("ours", ours, "accent", "circle", "solid")]
    if points:
        dashed = _dashed(points)
        traces.append(dashed if is_line else _alone(dashed, points, "muted"))
    return traces


def _dashed(points: Sequence[tuple[float, ShownFigure]]) -> Trace:
    trace = _stroke("published", points, "muted", "diamond-open", "dash")
    trace["line"]["width"] = 1.6
    trace["marker"] |= {"size": 8, "line": {"width": 1.8, "color": "@muted"}}
    return trace


def _alone(stroke: Trace, points: Sequence[tuple[float, ShownFigure]], colour: str) -> Trace:
    """The points of a line without the line, each with its interval."""
    whiskers = {
        "type": "data",
        "symmetric": False,
        "array": [0 if shown.high is None else shown.high - (shown.value or 0) for _, shown in points],
        "arrayminus": [0 if shown.low is None else (shown.value or 0) - shown.low for _, shown in points],
        "color": f"@{colour}",
        "thickness": 1.2,
        "width": 4,
    }
    return stroke | {"mode": "markers", "error_y": whiskers}


def _level(axes: _Axes, level: ShownFigure, part: _Part) -> list[Trace]:
    """The one value that is the same everywhere, across the chart, with its band."""
    if level.value is None:
        return []
    ends = [(x, level) for x in (axes.xs[0], axes.xs[-1])]
    trace = _stroke(f"{axes.curve.level}, {part.word}", ends, "ink", "circle", "dot")
    return [*_band(axes, ends, "ink"), trace | {"mode": "lines"}]


def _level_entry(curve: Curve, level: ShownFigure, part: _Part) -> tuple[Entry, ...]:
    return () if level.value is None else (Entry(f"{curve.level}, {part.word}", "level"),)
