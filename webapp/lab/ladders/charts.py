"""Chart of a ladder: what strength costs."""

from __future__ import annotations

import math
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.common.formats import THIN, count, interval_text, number
from webapp.common.formats import seconds as seconds_text
from webapp.lab.ladders.selectors import MEAN, State, state
from webapp.lab.results import cache
from webapp.lab.results.charts.figure import Column, Figure, nothing_yet, plain
from webapp.lab.results.dashboard import Card, Dashboard, Section
from webapp.lab.results.responses import figure_response
from webapp.records.models import Experiment
from worker.analysis.intervals import Interval
from worker.ladders import report

COST = "cost-and-strength"
TITLE = "What does strength cost?"
SUBTITLE = (
    f"Rating, with 95{THIN}% interval, against CPU seconds of its decisions in a match. "
    "Filled: nothing that is cheaper is stronger."
)
NOTE = (
    "Decisions alone, without compiling and loading of kernels. Logarithmic axis; that of ratings does not begin at 0."
)
COLUMNS = (Column("Engine", False), Column("CPU a match"), Column("Rating"), Column(f"95{THIN}% interval"))
DECADES = range(-6, 6)


def cards(experiment: Experiment, base: str) -> list[Card]:
    """The cards of a ladder's charts; none where plies are not recorded, so that nobody knows what decisions cost."""
    if experiment.spec["record"] == "matches":
        return []
    return [Card(COST, TITLE, f"{base}charts/{COST}.json", f"{base}charts/{COST}/", (), 0, is_wide=True)]


def dashboard(experiment: Experiment, base: str) -> Dashboard | None:
    """The charts of a ladder's page; None where there is none."""
    found = cards(experiment, base)
    return Dashboard((Section("cost", "Cost", "what strength takes", tuple(found)),), (), ()) if found else None


def chart_json_response(request: HttpRequest, experiment: Experiment, chart_id: str) -> HttpResponse:
    """The figure, or 304 while nothing new has been written. Raises Http404."""
    _check(experiment, chart_id)
    parts = (experiment.pk, chart_id, *cache.version(experiment))
    is_live = experiment.status in (Experiment.Status.RUNNING, Experiment.Status.PAUSED)
    return figure_response(request, parts, lambda: figure(experiment).to_json(), is_live)


def chart_page_response(request: HttpRequest, experiment: Experiment, chart_id: str, base: str) -> HttpResponse:
    """A page with the chart and its table. Raises Http404."""
    _check(experiment, chart_id)
    (card,) = cards(experiment, base)
    context = {"experiment": experiment, "card": card, "figure": figure(experiment).to_json(), "base": base, "arm": 0}
    return render(request, "results/chart.html", context)


def _check(experiment: Experiment, chart_id: str) -> None:
    if chart_id != COST or not cards(experiment, ""):
        raise Http404(f"ladder {experiment.pk} has no chart {chart_id}")


class _Point:
    """An engine: its cost, rating and interval, and whether something cheaper is stronger."""

    def __init__(self, name: str, cost: float, elo: float, interval: Interval | None) -> None:
        self.name, self.cost, self.rating = name, cost, MEAN + elo
        self.interval = None if interval is None else Interval(MEAN + interval.low, MEAN + interval.high)
        self.is_beaten = False


def _points(now: State) -> list[_Point]:
    found = now.standing.ratings
    if found is None:
        return []
    points = []
    for entry in report.ordered(now.standing):
        cost, place = now.costs.get(entry, report.Cost()).a_match, now.standing.rated.index(entry)
        if cost:
            points.append(_Point(now.ladder.entries[entry].name, cost, float(found.elo[place]), found.interval(place)))
    for point in points:
        point.is_beaten = any(o.cost < point.cost and o.rating > point.rating for o in points)
    return points


def figure(experiment: Experiment) -> Figure:
    """A mark for each engine, with its interval."""
    points = _points(state(experiment))
    if not points:
        return nothing_yet(TITLE, SUBTITLE, "No engine has a rating and a cost yet.")
    frontier = sorted((p for p in points if not p.is_beaten), key=lambda p: p.cost)
    best = frontier[-1]
    return Figure(
        title=TITLE,
        subtitle=SUBTITLE,
        name=f"{TITLE} Strongest is {best.name}, {count(round(best.rating))}, for {seconds_text(best.cost)} a match",
        note=NOTE,
        data=[_line(frontier), _marks(points)],
        layout=_layout(points),
        columns=COLUMNS,
        rows=[
            [p.name, seconds_text(p.cost), count(round(p.rating)), interval_text(p.interval, 0)]
            for p in sorted(points, key=lambda p: p.cost)
        ],
        height_rem=21,
    )


def _line(frontier: list[_Point]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [p.cost for p in frontier],
        "y": [p.rating for p in frontier],
        "line": {"color": "@muted", "width": 1.2, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
    }


def _marks(points: list[_Point]) -> dict[str, Any]:
    ends = [p.interval or Interval(p.rating, p.rating) for p in points]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [p.cost for p in points],
        "y": [p.rating for p in points],
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [e.high - p.rating for e, p in zip(ends, points, strict=True)],
            "arrayminus": [p.rating - e.low for e, p in zip(ends, points, strict=True)],
            "color": "@accent",
            "thickness": 1.6,
            "width": 0,
        },
        "marker": {
            "color": "@accent",
            "size": 10,
            "symbol": ["circle-open" if p.is_beaten else "circle" for p in points],
            "line": {"width": 2, "color": "@accent"},
        },
        "text": [plain(_short(p.name)) for p in points],
        "textposition": [_side(p, points) for p in points],
        "hovertemplate": [f"{plain(p.name)}: %{{y:.0f}}<extra></extra>" for p in points],
        "cliponaxis": False,
    }


LETTERS = 22


def _short(name: str) -> str:
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"


SIDES = ("top right", "bottom right", "top left", "bottom left")
NEAR = 0.12
"""Part of both axes within which the names of two marks would touch."""


def _side(point: _Point, points: list[_Point]) -> str:
    """Where a name stands: round the mark by turns where several are near, inwards at the right end."""
    logs, ratings = [math.log10(p.cost) for p in points], [p.rating for p in points]
    own, wide, high = math.log10(point.cost), max(logs) - min(logs) or 1.0, max(ratings) - min(ratings) or 1.0
    before = points[: points.index(point)]
    near = sum(
        abs(math.log10(p.cost) - own) < NEAR * wide and abs(p.rating - point.rating) < NEAR * high for p in before
    )
    place = near % len(SIDES)
    return SIDES[(place + 2) % len(SIDES)] if own > min(logs) + 0.7 * wide else SIDES[place]


def _layout(points: list[_Point]) -> dict[str, Any]:
    logs = [math.log10(p.cost) for p in points]
    pad = max(0.4, 0.12 * (max(logs) - min(logs)))
    low, high = min(logs) - pad, max(logs) + pad
    ticks = [10.0**power for power in DECADES if low <= power <= high]
    return {
        "xaxis": {
            "title": {"text": "CPU seconds a match"},
            "type": "log",
            "range": [low, high],
            "tickvals": ticks,
            "ticktext": [number(tick, max(0, -round(math.log10(tick)))) for tick in ticks],
        },
        "yaxis": {"title": {"text": "Rating"}},
    }
