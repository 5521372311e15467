"""Each arm less the baseline on the same deals: the mean in seed order, with an interval that holds at every look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from webapp.common.formats import THIN, count, number, plural, signed
from webapp.lab.results import by_deal
from webapp.lab.results.cache import patient
from webapp.lab.results.charts import number_lines
from webapp.lab.results.charts.figure import (
    MARGIN,
    WIN,
    Chart,
    Column,
    Figure,
    Group,
    Number,
    Trace,
    band,
    keyed,
    legend,
    nothing_yet,
    plain,
    signed_ticks,
)
from webapp.lab.results.sides import Side, lineups
from webapp.records.models import Experiment
from worker.analysis.always_valid import LEAST_DEALS

FIRST, SETTLED = 30, 60
"""Lines begin at the one deal, and the picture holds all bands from the other on; shorter ones begin as they can."""
POINTS = 120
TABLE_DEALS = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
COLUMNS = (Column("Arm", False), *map(Column, ("Deals", "Difference", f"95{THIN}% interval", "Half-width")))


@dataclass(frozen=True)
class _Measure:
    """What is compared; unit: what pages write for 1."""

    id: str
    title: str
    axis: str
    is_rate: bool
    unit: float


MARGINS = _Measure("difference", "Difference in seed order", "Difference of margins, points", False, 1.0)
WINS = _Measure(
    "difference-wins", "Difference of win rates in seed order", "Difference, points of win rate", True, 100.0
)


class Point(NamedTuple):
    """After so many deals that both arms played."""

    deals: int
    mean: float
    low: float
    high: float


@patient
def courses(experiment: Experiment, is_rate: bool, unit: float) -> dict[int, tuple[Point, ...]]:
    """Arm -> its course, as far as there is an interval."""
    found = {}
    for row in by_deal.pairs(experiment, is_rate=is_rate):
        means = np.cumsum(row.differences) / np.arange(1, len(row.numbers) + 1)
        points = []
        for n in _counts(len(row.numbers)):
            interval = by_deal.interval_after(experiment, row, n, is_rate=is_rate)
            if interval is not None:
                points.append(Point(n, unit * float(means[n - 1]), unit * interval.low, unit * interval.high))
        if points:
            found[row.arm] = tuple(points)
    return found


def _counts(deals: int) -> list[int]:
    """After how many deals there is a point: evenly spread, those of the table and the last among them."""
    first = FIRST if deals >= SETTLED else LEAST_DEALS
    if deals < first:
        return []
    even = np.linspace(first, deals, min(POINTS, deals - first + 1)).round().astype(int).tolist()
    return sorted({*even, *(n for n in TABLE_DEALS if first <= n <= deals)})


def build(what: _Measure, experiment: Experiment, choice: int | None) -> Figure:
    """A line for each arm but the baseline, which is zero."""
    names = lineups(experiment)
    first = names.focal(names.baseline)
    subtitle = f"Less {first.name} on the same deals, with {_words(experiment)} that hold at every look."
    found = courses(experiment, what.is_rate, what.unit)
    if not found:
        return nothing_yet(what.title, subtitle, f"Drawn from {LEAST_DEALS} deals on that both arms have played.")
    drawn = [(names.focal(arm), points) for arm, points in found.items()]
    last = [(side, points[-1]) for side, points in drawn]
    most = max(point.deals for _, point in last)
    return Figure(
        title=what.title,
        subtitle=f"{subtitle} {plural(most, 'deal', 'deals')}.",
        name="; ".join(f"{side.name} {signed(point.mean)} after {count(point.deals)} deals" for side, point in last),
        note=_note(experiment, drawn),
        data=_data(experiment, drawn),
        layout=_layout(what, drawn, int(experiment.spec["deals"])),
        legend=legend([side for side, _ in drawn]),
        columns=COLUMNS,
        rows=[_cells(side, point) for side, points in drawn for point in _in_table(points)],
        height_rem=20,
        is_keyed=True,
    )


def _words(experiment: Experiment) -> str:
    each = 100 * by_deal.confidence(experiment)
    if len(experiment.spec["arms"]) == 2:
        return f"95{THIN}% intervals"
    return f"{number(each, 2)}{THIN}% intervals, 95{THIN}% for all together,"


def _data(experiment: Experiment, drawn: Sequence[tuple[Side, Sequence[Point]]]) -> list[Trace]:
    banded = _banded(experiment, drawn)
    bands, lines, marks = [], [], []
    for i, (side, points) in enumerate(drawn):
        x, y, low, high = (list(column) for column in zip(*points, strict=True))
        hover = f"%{{x}} deals: %{{y:+.1f}}<extra>{plain(side.name)}</extra>"
        if i in banded:
            bands.append(keyed(band(x, low, high, side.colour), side.arm))
        lines.append(keyed(number_lines.side_line(x, y, side, hover, i), side.arm))
        if _is_dropped(experiment, side.arm):
            marks.append(keyed(_cross(points[-1], side), side.arm))
    return [*bands, *lines, *marks]


def _banded(experiment: Experiment, drawn: Sequence[tuple[Side, Sequence[Point]]]) -> set[int]:
    """Bands of the arms that still play where there are few, else of the topmost of them and the widest seen."""
    playing = [i for i, (side, _) in enumerate(drawn) if not _is_dropped(experiment, side.arm)]
    if len(playing) <= number_lines.MOST_BANDS:
        return set(playing)
    return {max(playing, key=lambda i: drawn[i][1][-1].mean)}


def _is_dropped(experiment: Experiment, arm: int) -> bool:
    return str(arm) in (experiment.outcome or {}).get("dropped", {})


def _cross(point: Point, side: Side) -> Trace:
    """Where the stop rule has dropped an arm."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [point.deals],
        "y": [point.mean],
        "marker": {
            "color": f"@{side.colour}",
            "size": 11,
            "symbol": "x-thin",
            "line": {"width": 2.4, "color": f"@{side.colour}"},
        },
        "cliponaxis": False,
        "hovertemplate": f"dropped after %{{x}} deals: %{{y:+.1f}}<extra>{plain(side.name)}</extra>",
    }


def _note(experiment: Experiment, drawn: Sequence[tuple[Side, Sequence[Point]]]) -> str:
    parts = ["In seed order, however matches arrived. The unit is the deal."]
    if len(_banded(experiment, drawn)) < len(drawn):
        parts.append("Bands of the arms still playing; of more than two, of the one on top.")
    if any(_is_dropped(experiment, side.arm) for side, _ in drawn):
        parts.append("A cross is where the stop rule dropped an arm.")
    ended = (experiment.outcome or {}).get("deals")
    if ended is not None:
        parts.append(f"The stop rule ended it after {plural(int(ended), 'deal', 'deals')}.")
    return " ".join(parts)


def _layout(what: _Measure, drawn: Sequence[tuple[Side, Sequence[Point]]], planned: int) -> dict[str, Any]:
    most = max(points[-1].deals for _, points in drawn)
    settled = [point for _, row in drawn for point in row if point.deals >= min(SETTLED, row[-1].deals)]
    reach = 1.05 * max(abs(end) for point in settled for end in (point.low, point.high)) or 1.0
    now = {"type": "line", "x0": most, "x1": most, "yref": "paper", "y0": 0, "y1": 1}
    return {
        "xaxis": {"title": {"text": f"Deals, in their order; {count(planned)} planned"}, "range": [0, 1.03 * most]},
        "yaxis": {"title": {"text": what.axis}, "zeroline": True, "range": [-reach, reach]}
        | signed_ticks(-reach, reach),
        "shapes": [now],
    }


def _in_table(points: Sequence[Point]) -> list[Point]:
    """At 50, 100, 200, ... deals and at the last."""
    return [point for i, point in enumerate(points) if point.deals in TABLE_DEALS or i == len(points) - 1]


def _cells(side: Side, point: Point) -> list[str]:
    return [
        side.name,
        count(point.deals),
        signed(point.mean),
        f"{signed(point.low)} to {signed(point.high)}",
        f"±{number((point.high - point.low) / 2)}",
    ]


def is_paired(experiment: Experiment) -> bool:
    """Whether there are arms that meet the same deals."""
    return len(experiment.spec["arms"]) > 1 and not experiment.has_agents


def _chart(what: _Measure) -> Chart:
    shown = Number("Win rate", WIN, is_share=True) if what.is_rate else Number("Victory margin", MARGIN)
    return Chart(
        what.id,
        what.title,
        partial(build, what),
        Group.MARGINS,
        fits=is_paired,
        numbers=lambda _: [shown],
        is_wide=False,
    )


CHART = _chart(MARGINS)
CHART_WINS = _chart(WINS)
