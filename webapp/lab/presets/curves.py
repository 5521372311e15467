"""Published curves beside ours: one chart of all our lines, then one for each line beside the published one.

Where figures are found by the authors' program too, its lines have a chart together, and each stands beside the other
two. Before our first number there is one chart, of the published lines.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engines.protocol import BUDGET_LABELS
from webapp.common.formats import count, number
from webapp.lab.presets import wording
from webapp.lab.presets.charts import AS_RUN, DESCRIBED, OURS, PUBLISHED, Chart, Entry
from webapp.lab.results.charts.figure import Trace, band
from webapp.lab.results.sides import DASHES, MAX_MARKS, SYMBOLS
from worker.analysis.verdict import DIFFERS
from worker.presets.comparison import VERDICTS, Comparison, Row, ShownFigure
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
    """One part of the rows: ours, ours as the authors' program ran, or the published figures.

    title: of the chart of all its lines; row: of a row the one whose figure and verdict are its.
    """

    id: str
    title: str
    word: str
    of: Callable[[Row], ShownFigure]
    row: Callable[[Row], Row | None] = lambda row: row

    def verdict(self, row: Row) -> str:
        """The word of its verdict; empty before there is one."""
        found = self.row(row)
        return "" if found is None or found.verdict not in VERDICTS else wording.VERDICTS[found.verdict][1].lower()


_OURS = _Part("preset-curves", "All of ours", "ours", lambda row: row.ours)
_DESCRIBED = replace(_OURS, title="All of ours, as described", word="ours, as described")
_AS_RUN = _Part(
    "preset-curves-as-run",
    "All of ours, as their program ran",
    "as their program ran",
    lambda row: row.as_run.ours if row.as_run else ShownFigure(),
    lambda row: row.as_run,
)
_PUBLISHED = _Part("preset-curves", "As published", "published", lambda row: row.published, lambda row: None)


class _Point(NamedTuple):
    """A point of a line. verdict: its word, or empty."""

    x: float
    shown: ShownFigure
    verdict: str = ""


def curves(curve: Curve, comparison: Comparison) -> list[Chart]:
    """One chart of all our lines, then each beside the published one; before ours exist, the published lines alone."""
    names = list(dict.fromkeys(row.group for row in comparison.rows if row.x is not None))
    lines = {name: [row for row in comparison.rows if row.group == name and row.x is not None] for name in names}
    rows = [row for group in lines.values() for row in group]
    ours = _DESCRIBED if any(row.as_run for row in rows) else _OURS
    drawn = [part for part in (ours, _AS_RUN) if _has(rows, part)]
    if not drawn and not _has(rows, _PUBLISHED):
        return []
    base = drawn[0] if drawn else _PUBLISHED
    level = next((_level_of(base).of(row) for row in comparison.rows if row.group == curve.level), ShownFigure())
    axes = _Axes(curve, rows, level)
    if not drawn:
        return [_together(axes, lines, level, _PUBLISHED)]
    panels = [_panel(axes, index, (name, rows), level, ours) for index, (name, rows) in enumerate(lines.items())]
    if len(lines) == 1:
        return panels
    return [*(_together(axes, lines, level, part) for part in drawn), *panels]


def _has(rows: Sequence[Row], part: _Part) -> bool:
    """Whether a part has any of the points."""
    return any(part.of(row).value is not None for row in rows)


def _level_of(part: _Part) -> _Part:
    """The part whose value is the level of the charts of a part: players that need no reading have one for both."""
    return _OURS if part is _AS_RUN else part


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
        parts = (_PUBLISHED, _OURS, _AS_RUN)
        ends = [end for row in rows for part in parts for end in _ends(part.of(row))]
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
    """All lines of which a part has a point, in the colours of seats; published points that make no line stand alone.

    A line has the same colour in the charts of all parts.
    """
    bands: list[Trace] = []
    strokes: list[Trace] = []
    legend: list[Entry] = []
    for index, (name, rows) in enumerate(lines.items()):
        if not _has(rows, part):
            continue
        legend.append(Entry(name, str(index % MAX_MARKS)))
        colour, dash = f"seat-{index % MAX_MARKS}", DASHES[index // MAX_MARKS % len(DASHES)]
        points = _points(rows, part)
        stroke = _stroke(name, points, colour, SYMBOLS[index % MAX_MARKS], dash)
        is_line = part is not _PUBLISHED or len(points) >= LEAST
        bands += _band(axes, points, colour) if is_line else ()
        strokes.append(stroke if is_line else _alone(stroke, points, colour))
    return Chart(
        id=part.id,
        title=part.title,
        name="; ".join(_said(name, rows, (part,)) for name, rows in lines.items() if _has(rows, part)),
        height_rem=WIDE,
        figure={"data": [*_level(axes, level, part), *bands, *strokes], "layout": axes.layout({})},
        subtitle=f"{SPREAD}." if any(part.of(row).low is not None for rows in lines.values() for row in rows) else "",
        legend=(*legend, *_level_entry(axes.curve, level, part)),
        is_wide=True,
    )


def _panel(axes: _Axes, index: int, line: tuple[str, Sequence[Row]], level: ShownFigure, ours: _Part) -> Chart:
    """One line, ours and published, and as the authors' program ran. line: its name and rows."""
    name, rows = line
    budgets = {row.x: next(iter(row.budget.values())) for row in rows if row.x is not None and row.budget}
    by_round = any(isinstance(budget, Mapping) for budget in budgets.values())
    spent = {} if by_round else {x: wording.amount(budget) for x, budget in budgets.items()}
    is_one = not by_round and len(set(spent.values())) <= 1
    words = {wording.budget(row.budget) for row in rows if row.budget}
    unit = next((BUDGET_LABELS[key][1] for row in rows for key in row.budget), "")
    entries = [PUBLISHED] if _has(rows, _PUBLISHED) else []
    entries += [DESCRIBED if ours is _DESCRIBED else OURS]
    entries += [AS_RUN] if _has(rows, _AS_RUN) else []
    said = [f"{SPREAD}."]
    said += ["What ours spend changes by round; the table has it."] if by_round else []
    said += [f"Ours{'' if ours is _OURS else ', as described,'} spend {words.pop()} a ply."] if words and is_one else []
    return Chart(
        id=f"preset-curve-{index}",
        title=name,
        name=_said(name, rows, (ours, _AS_RUN) if ours is _DESCRIBED else (ours,)),
        height_rem=HEIGHT,
        figure={
            "data": [*_level(axes, level, ours), *_beside(axes, rows, ours)],
            "layout": axes.layout({} if is_one or by_round else spent, unit),
        },
        subtitle=" ".join([*said, *_verdicts(rows, ours)]),
        legend=(*entries, *_level_entry(axes.curve, level, ours)),
    )


def _verdicts(rows: Sequence[Row], ours: _Part) -> list[str]:
    """How many points of a line differ from the published ones by each method; nothing where only one is judged."""
    found = []
    for part, words in ((ours, "as described"), (_AS_RUN, "as their program ran")):
        judged = [word for row in rows if (word := part.verdict(row))]
        found.append((judged.count(wording.VERDICTS[DIFFERS][1].lower()), len(judged), words))
    if not all(judged for _, judged, _ in found):
        return []
    first, second = (f"{differ} of {n} {words}" for differ, n, words in found)
    return [f"Points that differ from print: {first}, {second}."]


def _said(name: str, rows: Sequence[Row], parts: Sequence[_Part]) -> str:
    """The line in words, to be read aloud: each point of ours with the published value and the verdict."""
    between = ", " if len(parts) == 1 else "; "
    return f"{name}: {between.join(filter(None, (_said_of_point(row, parts) for row in rows)))}"


def _said_of_point(row: Row, parts: Sequence[_Part]) -> str:
    """One point by all parts that have it, and as published; empty where none has."""
    known = [part for part in parts if part.of(row).value is not None]
    if not known:
        return ""
    published = "" if row.published.value is None else f"published {number(row.published.value, row.digits)}"
    if len(parts) == 1:
        told = [] if _PUBLISHED in parts else [published, known[0].verdict(row)]
        beside = ", ".join(filter(None, told if published else ()))
        return f"{row.label} {_number_of(row, known[0])}{f' ({beside})' if beside else ''}"
    said = [f"{part.word} {_number_of(row, part)} {part.verdict(row)}".rstrip() for part in known]
    return f"{row.label} {', '.join(filter(None, (published, *said)))}"


def _number_of(row: Row, part: _Part) -> str:
    return number(part.of(row).value, row.digits)


# ---- traces
def _points(rows: Sequence[Row], part: _Part) -> list[_Point]:
    shown = [(row.x, part.of(row), part.verdict(row)) for row in rows]
    return [_Point(x, figure, verdict) for x, figure, verdict in shown if x is not None and figure.value is not None]


def _band(axes: _Axes, points: Sequence[_Point], colour: str) -> list[Trace]:
    """Intervals as a band; a point without one narrows it to itself, what a logarithm cannot show ends at the axis."""
    if len(points) < 2:
        return []
    known = [(x, shown.value, shown) for x, shown, _ in points if shown.value is not None]
    low = [value if shown.low is None else max(shown.low, axes.floor) for _, value, shown in known]
    high = [value if shown.high is None else shown.high for _, value, shown in known]
    return [band([x for x, _, _ in known], low, high, colour)]


def _stroke(name: str, points: Sequence[_Point], colour: str, symbol: str, dash: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "cliponaxis": False,
        "x": [point.x for point in points],
        "y": [point.shown.value for point in points],
        "text": [f" ({point.verdict})" if point.verdict else "" for point in points],
        "line": {"color": f"@{colour}", "width": 2.2, "dash": dash},
        "marker": {"color": f"@{colour}", "size": 7, "symbol": symbol},
        "hovertemplate": f"%{{x}}: %{{y:.4~g}}%{{text}}<extra>{html.escape(name)}</extra>",
    }


def _beside(axes: _Axes, rows: Sequence[Row], ours: _Part) -> list[Trace]:
    """Our line, that of the authors' program, and over them the published one.

    This is dashed with its band, or dots with whiskers where they are few; the program's is dotted, with whiskers.
    """
    points, as_run, published = (_points(rows, part) for part in (ours, _AS_RUN, _PUBLISHED))
    is_line = len(published) >= LEAST
    bands = [*(_band(axes, published, "muted") if is_line else ()), *_band(axes, points, "accent")]
    traces = [*bands, _stroke(ours.word, points, "accent", "circle", "solid")]
    if as_run:
        dotted = _thin(_stroke(_AS_RUN.word, as_run, "accent", "square-open", "dot"), "accent")
        traces.append(dotted | {"error_y": _whiskers(as_run, "accent")})
    if published:
        dashed = _thin(_stroke(_PUBLISHED.word, published, "muted", "diamond-open", "dash"), "muted")
        traces.append(dashed if is_line else _alone(dashed, published, "muted"))
    return traces


def _thin(stroke: Trace, colour: str) -> Trace:
    """A thinner line with open marks."""
    marker = {**stroke["marker"], "size": 8, "line": {"width": 1.8, "color": f"@{colour}"}}
    return stroke | {"line": {**stroke["line"], "width": 1.6}, "marker": marker}


def _alone(stroke: Trace, points: Sequence[_Point], colour: str) -> Trace:
    """The points of a line without the line, each with its interval."""
    return stroke | {"mode": "markers", "error_y": _whiskers(points, colour)}


def _whiskers(points: Sequence[_Point], colour: str) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if shown.high is None else shown.high - (shown.value or 0) for _, shown, _ in points],
        "arrayminus": [0 if shown.low is None else (shown.value or 0) - shown.low for _, shown, _ in points],
        "color": f"@{colour}",
        "thickness": 1.2,
        "width": 4,
    }


def _level(axes: _Axes, level: ShownFigure, part: _Part) -> list[Trace]:
    """The one value that is the same everywhere, across the chart, with its band."""
    if level.value is None:
        return []
    ends = [_Point(x, level) for x in (axes.xs[0], axes.xs[-1])]
    trace = _stroke(f"{axes.curve.level}, {_level_word(part)}", ends, "ink", "circle", "dot")
    return [*_band(axes, ends, "ink"), trace | {"mode": "lines"}]


def _level_entry(curve: Curve, level: ShownFigure, part: _Part) -> tuple[Entry, ...]:
    return () if level.value is None else (Entry(f"{curve.level}, {_level_word(part)}", "level"),)


def _level_word(part: _Part) -> str:
    return _PUBLISHED.word if part is _PUBLISHED else _OURS.word
