"""Small multiples: a panel for each of several numbers or kinds, all sides in each, two by two on a phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webapp.common.formats import interval_text, number
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import Figure, Trace, keyed, legend, plain
from webapp.lab.results.charts.kinds import Estimate
from webapp.lab.results.charts.win_rate import cut_label, wrap_label
from webapp.lab.results.sides import MAX_MARKS, Side
from webapp.records.models import Experiment

WIDE, PHONE = 4, 2
"""Most panels beside each other."""
GAP, PHONE_GAP = 0.035, 0.09
ROW_REM, CLOSE_ROW_REM = 2.1, 1.3
"""Height of a side's row, and where there are more sides than marks."""
AROUND_REM, LEAST_REM = 4.6, 4.0
"""Height of a panel's title and axis, and of the least that it frames."""
LETTERS = 34
OWN_AXES = "Each panel has an axis of its own: compare along a panel, not across."


@dataclass(frozen=True)
class Grid:
    """Where panels stand. columns: beside each other; height_rem: of what each frames."""

    panels: int
    columns: int
    height_rem: float

    @property
    def rows(self) -> int:
        """Rows of panels."""
        return -(-self.panels // self.columns)

    @property
    def rem(self) -> float:
        """Height of the figure."""
        return self.rows * (self.height_rem + AROUND_REM)

    def domains(self, panel: int, gap: float) -> dict[str, list[float]]:
        """The part of the figure across and upright; titles and axes have their room above and below."""
        row, column = divmod(panel, self.columns)
        width = (1 - gap * (self.columns - 1)) / self.columns
        left, top, unit = column * (width + gap), 1 - row / self.rows, 1 / self.rem
        below = (AROUND_REM - 1.6) * unit if self.rows > 1 else 0.0
        return {
            "x": [left, min(1.0, left + width)],
            "y": [max(0.0, top - 1 / self.rows + below), top - 1.6 * unit],
        }


def grids(panels: int, height_rem: float, *, has_names: bool = False) -> tuple[Grid, Grid]:
    """Of a wide page, in rows that are as full as can be, and of a phone. has_names: also on the phone."""
    rows = -(-panels // WIDE)
    beside = 1 if has_names else min(PHONE, panels)
    return Grid(panels, -(-panels // rows), height_rem), Grid(panels, beside, height_rem)


def axis(letter: str, panel: int) -> str:
    """A panel's axis as Plotly's traces call it: "x", "x2", ..."""
    return letter if panel == 0 else f"{letter}{panel + 1}"


def _layout_key(letter: str, panel: int) -> str:
    return f"{letter}axis{panel + 1 if panel else ''}"


def layout(
    titles: Sequence[str], height_rem: float, x: Sequence[Mapping[str, Any]], y: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Axes, titles and what a phone has otherwise. x, y: what is special about each panel's axes.

    Rows of more sides than there are marks keep their names on a phone: the key bar cannot tell them apart.
    """
    has_names = any(len(row.get("ticktext", ())) > MAX_MARKS for row in y)
    wide, phone = grids(len(titles), height_rem, has_names=has_names)
    found: dict[str, Any] = {"annotations": [_title(text, i) for i, text in enumerate(titles)]}
    small: dict[str, Any] = {}
    for i in range(len(titles)):
        is_first = i % wide.columns == 0
        for letter, rows in (("x", x), ("y", y)):
            other = "y" if letter == "x" else "x"
            own = {"domain": wide.domains(i, GAP)[letter], "anchor": axis(other, i), **rows[i]}
            if letter == "y" and not is_first and "ticktext" in own:
                own["showticklabels"] = False
            found[_layout_key(letter, i)] = own
            small[_layout_key(letter, i)] = {"domain": phone.domains(i, PHONE_GAP)[letter]}
            if letter == "y" and "ticktext" in own:
                small[_layout_key(letter, i)]["showticklabels"] = has_names
    return found | {"meta": {"phone": small, "phone_rem": phone.rem}}


def _title(text: str, panel: int) -> dict[str, Any]:
    return {
        "text": plain(text),
        "xref": f"{axis('x', panel)} domain",
        "yref": f"{axis('y', panel)} domain",
        "x": 0,
        "y": 1,
        "yshift": 3,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 12, "color": "@ink", "weight": 600},
    }


@dataclass(frozen=True)
class Panel:
    """A number of every side: estimates in the order of the sides. unit: of the axis; range: where it is given."""

    title: str
    unit: str
    estimates: Sequence[Estimate]
    range: tuple[float, float] | None = None


def dots(experiment: Experiment, sides: Sequence[Side], shown: Sequence[Panel]) -> tuple[list[Trace], dict[str, Any]]:
    """Traces and layout: a row a side in each panel, a dotted line at the baseline of several."""
    names, rows = [plain(side.name) for side in sides], rows_of(sides)
    across = [
        {"title": {"text": panel.unit, "standoff": 4}, "showgrid": True, "nticks": 5}
        | ({"range": list(panel.range)} if panel.range else {})
        for panel in shown
    ]
    found = layout([panel.title for panel in shown], frame_rem(len(sides)), across, [rows] * len(shown))
    base = kinds.baseline_of(experiment, sides)
    found["shapes"] = [_baseline(i, panel.estimates[base]) for i, panel in enumerate(shown) if len(sides) > 1]
    traces = [
        keyed(_dot(i, row, panel, side, names[row]), kinds.key_of(experiment, side))
        for i, panel in enumerate(shown)
        for row, side in enumerate(sides)
        if panel.estimates[row].mean is not None
    ]
    return traces, found


def rows_of(sides: Sequence[Side]) -> dict[str, Any]:
    """The upright axis of a row a side."""
    is_close = len(sides) > MAX_MARKS
    return {
        "range": [len(sides) - 0.4, -0.6],
        "showgrid": False,
        "tickvals": list(range(len(sides))),
        "ticktext": [cut_label(side.name, LETTERS) if is_close else wrap_label(side.name) for side in sides],
        "tickfont": {"color": "@ink", "size": 11 if is_close else 12},
        "automargin": True,
    }


def describe_axes(experiment: Experiment, sides: Sequence[Side]) -> str:
    """What to know of panels of dots, in sentences."""
    return " ".join(filter(None, (OWN_AXES, describe_line(experiment, sides))))


def describe_line(experiment: Experiment, sides: Sequence[Side]) -> str:
    """Whose the dotted line is; empty without any."""
    return f"Dotted line: {sides[kinds.baseline_of(experiment, sides)].name}." if len(sides) > 1 else ""


def frame_rem(sides: int) -> float:
    """Height of what a panel frames: a row a side."""
    return max(LEAST_REM, sides * (ROW_REM if sides <= MAX_MARKS else CLOSE_ROW_REM))


def rem(sides: int, panels: int) -> float:
    """Height of a figure of such panels."""
    return grids(panels, frame_rem(sides))[0].rem + 1


def _baseline(panel: int, found: Estimate) -> dict[str, Any]:
    at = found.mean
    line = {"type": "line", "xref": axis("x", panel), "yref": f"{axis('y', panel)} domain", "y0": 0, "y1": 1}
    return line | {"x0": at, "x1": at, "visible": at is not None}


def _dot(panel: int, row: int, shown: Panel, side: Side, name: str) -> Trace:
    found = shown.estimates[row]
    is_small = side.mark is None
    return {
        "type": "scatter",
        "mode": "markers",
        "xaxis": axis("x", panel),
        "yaxis": axis("y", panel),
        "x": [found.mean],
        "y": [row],
        "marker": {"color": f"@{side.colour}", "size": 7 if is_small else side.size, "symbol": side.symbol},
        "error_x": kinds.whiskers([found])
        | {"color": f"@{side.colour}", "thickness": 1.5 if is_small else 2.2, "width": 0},
        "customdata": [interval_text(found.interval, 2)],
        "cliponaxis": False,
        "hovertemplate": f"%{{x:.2f}} {shown.unit} (%{{customdata}})<extra>{name}</extra>",
    }


def means(shown: Sequence[Panel], row: int) -> str:
    """The means of one side in words."""
    return ", ".join(f"{panel.title.lower()} {number(panel.estimates[row].mean)}" for panel in shown)


def figure(
    experiment: Experiment, sides: Sequence[Side], shown: Sequence[Panel], words: tuple[str, str, str]
) -> Figure:
    """Panels of means as dots, with their table. words: title, subtitle, and note, which says the axes after it."""
    title, subtitle, note = words
    data, layout = dots(experiment, sides, shown)
    return Figure(
        title=title,
        subtitle=f"{subtitle} {kinds.matches_in_words(experiment, sides)}.",
        name="; ".join(f"{side.name}: {means(shown, i)}" for i, side in enumerate(sides)),
        note=f"{note} {describe_axes(experiment, sides)}",
        data=data,
        layout=layout,
        legend=legend(sides),
        columns=kinds.TABLE_COLUMNS,
        rows=[kinds.cells(panel.title, side, panel.estimates[i]) for panel in shown for i, side in enumerate(sides)],
        height_rem=rem(len(sides), len(shown)),
        is_keyed=True,
    )
