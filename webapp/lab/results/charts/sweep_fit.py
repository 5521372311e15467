"""What the chart of a sweep shows beside its points: the curve with one peak, where the best may lie, other arms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from webapp.common.formats import interval_text, number
from webapp.lab.results.charts.figure import Legend, Trace, plain
from webapp.lab.results.charts.sweep_lines import Across, Plan
from webapp.lab.results.selectors import SideResult
from webapp.lab.results.sides import DASH_WORDS, DASHES
from worker.analysis.intervals import Interval
from worker.responses import Response

CURVE = "nearest curve with one peak"
MAX_BESIDE = len(DASHES) - 1
"""Arms beside the sweep that have a line; solid ones are those of the sweep."""


def curve(response: Response | None, plan: Plan, across: Across, scale: float) -> list[Trace]:
    """The fitted curve, behind the points; nothing where it cannot be told. scale: of what the axis shows for 1."""
    if response is None or response.curve is None:
        return []
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [across.x(i, 0) for i in plan.order],
            "y": [scale * response.curve[i] for i in plan.order],
            "line": {"color": "@muted", "width": 5, "shape": "linear"},
            "opacity": 0.3,
            "hoverinfo": "skip",
        }
    ]


def region(response: Response | None, plan: Plan, across: Across) -> list[dict[str, Any]]:
    """A shade over the values between which the best one lies, where that is not everywhere."""
    if response is None or response.span is None:
        return []
    values = [float(value) for value in plan.axis.values if isinstance(value, int | float)]
    if response.span == (min(values), max(values)):
        return []
    low, high = (across.x(values.index(end), 0) for end in response.span)
    shade = {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "fillcolor": "@muted/.12", "line": {"width": 0}}
    return [shade | {"x0": low, "x1": high, "layer": "below"}]


def symbol(response: Response | None, arm: int, shape: str) -> str:
    """The mark of an arm: hollow where it is worse than the best."""
    return shape if response is None or arm in response.kept else f"{shape}-open"


def beside(
    rows: Sequence[SideResult],
    across: Across,
    value: Callable[[SideResult], float | None],
    interval: Callable[[SideResult], Interval | None],
) -> list[Trace]:
    """A line across the chart for each arm that stands beside the sweep."""
    traces: list[Trace] = []
    for index, row in enumerate(rows[:MAX_BESIDE], start=1):
        height = value(row)
        if height is not None:
            text = f"{number(height)} ({interval_text(interval(row))})<extra>{plain(row.side.name)}</extra>"
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "x": list(across.ends),
                    "y": [height, height],
                    "line": {"color": "@muted", "width": 1.6, "dash": DASHES[index % len(DASHES)]},
                    "hovertemplate": text,
                }
            )
    return traces


def beside_legend(rows: Sequence[SideResult]) -> list[Legend]:
    """Entries of those lines."""
    return [
        Legend(None, f"{row.side.name} ({DASH_WORDS[DASHES[index % len(DASHES)]]})")
        for index, row in enumerate(rows[:MAX_BESIDE], start=1)
    ]


def note(response: Response | None, plan: Plan) -> str:
    """What hollow marks, the grey curve and the shade are."""
    if response is None or len(plan.lines) > 1 or len(response.kept) == len(response.means):
        hollow = ""
    else:
        hollow = " Hollow: worse than the best."
    if response is None or response.curve is None:
        return hollow
    shaded = " Shaded: where the best value lies if the curve has one peak." if _is_shaded(response, plan) else ""
    return f"{hollow} Broad grey line: {CURVE}.{shaded}"


def _is_shaded(response: Response, plan: Plan) -> bool:
    values = [float(value) for value in plan.axis.values if isinstance(value, int | float)]
    return response.span not in (None, (min(values), max(values)))
