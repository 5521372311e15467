"""Published figures and ours as dots with whiskers: one chart for each unit that several figures share."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.common.formats import number
from webapp.lab.results.charts.win_rate import cut_label
from worker.presets.comparison import NOT_JUDGED, Comparison, Row, ShownFigure

TITLES = {"%": "Shares", "points": "Mean points", "nodes": "Nodes"}
AXES = {"%": "%", "points": "points", "nodes": "nodes, mean over positions"}
"""Unit -> title of its chart, title of its axis; figures of other units have no chart."""
LEAST, MOST = 2, 24
PHONE_LETTERS = 22
_SMALL = {"color": "@ink", "size": 10}
APART = 0.16
"""Published dots stand so far above their row, and ours below it, in rows."""


@dataclass(frozen=True)
class Entry:
    """One entry of a legend. mark: "published", "ours", "level", "shade", or the number of a seat's mark.

    colour: of a shade, in the words of style sheets.
    """

    label: str
    mark: str
    colour: str = ""


PUBLISHED, OURS = Entry("Published", "published"), Entry("Ours", "ours")
DESCRIBED, AS_RUN = Entry("Ours, as described", "ours"), Entry("Ours, as their program ran", "program")


@dataclass(frozen=True)
class Chart:
    """One chart: `figure` is what static/js/figures.js draws, `name` the text that is read aloud.

    is_wide: it takes the whole width.
    """

    id: str
    title: str
    name: str
    height_rem: float
    figure: dict[str, Any]
    subtitle: str = "With 95 % intervals; the table below has every number."
    legend: tuple[Entry, ...] = (PUBLISHED, OURS)
    is_wide: bool = False


def charts(comparison: Comparison) -> list[Chart]:
    """Charts of the judged figures that have a number of ours."""
    made = []
    for unit, title in TITLES.items():
        rows = [row for row in comparison.rows if row.unit == unit and row.verdict != NOT_JUDGED]
        if LEAST <= len(rows) <= MOST and any(row.ours.value is not None for row in rows):
            made.append(_chart(unit, title, rows))
    return made


def _chart(unit: str, title: str, rows: Sequence[Row]) -> Chart:
    names = [_name(row, rows) for row in rows]
    as_run = [row.as_run.ours if row.as_run else ShownFigure() for row in rows]
    has_program = any(row.as_run for row in rows)
    offset = 2 * APART if has_program else APART
    return Chart(
        id=f"preset-{title.lower().replace(' ', '-')}",
        title=title,
        name="; ".join(_words(name, row) for name, row in zip(names, rows, strict=True)),
        height_rem=5 + 2.3 * len(rows),
        figure={
            "data": [
                _dots("Published", [row.published for row in rows], -offset, _PUBLISHED),
                _dots("Ours", [row.ours for row in rows], 0 if has_program else APART, _OURS),
                *([_dots(AS_RUN.label, as_run, offset, _AS_RUN)] if has_program else []),
            ],
            "layout": {
                "showlegend": False,
                "xaxis": {"title": {"text": AXES[unit]}, "showgrid": True, "rangemode": "tozero"},
                "yaxis": {
                    "range": [len(rows) - 0.4, -0.6],
                    "showgrid": False,
                    "tickvals": list(range(len(rows))),
                    "ticktext": [html.escape(name) for name in names],
                    "tickfont": {"color": "@ink", "size": 12},
                    "automargin": True,
                },
                "meta": {"phone_yaxis": {"ticktext": [_short(row, rows) for row in rows], "tickfont": _SMALL}},
                "margin": {"l": 8, "r": 16, "t": 8, "b": 40},
            },
        },
        legend=(PUBLISHED, DESCRIBED, AS_RUN) if has_program else (PUBLISHED, OURS),
    )


def _name(row: Row, rows: Sequence[Row]) -> str:
    """The shortest name that is unique among the rows: its label, its group, or both."""
    if len({other.group for other in rows}) == 1:
        return row.label
    if len({other.label for other in rows}) == 1:
        return row.group
    return f"{row.label}, {row.group}"


def _short(row: Row, rows: Sequence[Row]) -> str:
    """The name for a phone: two short lines, with the end of the group's name."""
    has_groups = len({other.group for other in rows}) > 1
    has_labels = len({other.label for other in rows}) > 1
    lines = [row.label] if has_labels or not has_groups else []
    lines += [row.group.rpartition(": ")[2]] if has_groups else []
    return "<br>".join(cut_label(line, PHONE_LETTERS) for line in lines)


def _words(name: str, row: Row) -> str:
    published = row.published.words or number(row.published.value, row.digits)
    as_run = f", as their program ran {number(row.as_run.ours.value, row.digits)}" if row.as_run else ""
    return f"{name}: published {published}, ours {number(row.ours.value, row.digits)}{as_run}"


_PUBLISHED = {
    "marker": {"symbol": "diamond-open", "size": 10, "color": "@muted", "line": {"width": 2, "color": "@muted"}},
    "bars": {"color": "@muted", "thickness": 1.2, "width": 4},
}
_OURS = {
    "marker": {"symbol": "circle", "size": 10, "color": "@accent"},
    "bars": {"color": "@accent", "thickness": 2.5, "width": 0},
}
_AS_RUN = {
    "marker": {"symbol": "square-open", "size": 9, "color": "@accent", "line": {"width": 2, "color": "@accent"}},
    "bars": {"color": "@accent", "thickness": 1.2, "width": 4},
}


def _dots(name: str, figures: Sequence[ShownFigure], offset: float, look: dict[str, Any]) -> dict[str, Any]:
    """One dot for each figure that is a number, with its 95 % interval where it has one."""
    drawn = [
        (index + offset, value, shown) for index, shown in enumerate(figures) if (value := shown.value) is not None
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "cliponaxis": False,
        "name": name,
        "x": [value for _, value, _ in drawn],
        "y": [y for y, _, _ in drawn],
        "marker": look["marker"],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [0 if shown.high is None else shown.high - value for _, value, shown in drawn],
            "arrayminus": [0 if shown.low is None else value - shown.low for _, value, shown in drawn],
            **look["bars"],
        },
        "hovertemplate": f"{name.lower()} %{{x:.4~g}}<extra></extra>",
    }
