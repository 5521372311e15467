"""How victory margins are spread: a ridge for each arm, or the bars of one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from webapp.common.formats import THIN, count, number, percent, signed, span, tally
from webapp.lab.results import counted, queries, units
from webapp.lab.results.cache import per_version
from webapp.lab.results.charts import kinds, ridges
from webapp.lab.results.charts.figure import (
    MARGIN,
    MAX_TICKS,
    Chart,
    Column,
    Figure,
    Group,
    Number,
    by_arm,
    legend,
    nothing_yet,
    signed_ticks,
)
from webapp.lab.results.charts.ridges import Spread
from webapp.lab.results.selectors import results
from webapp.lab.results.sides import Side, lineups
from webapp.records.models import Experiment

TITLE = "Distribution of the victory margin"
SUBTITLE = "Matches by final margin, own score minus best opponent."
LEAST_BARS, MAX_BARS = 8, 41
COLUMNS = (
    Column("Side", False),
    *map(Column, ("Matches", "Mean margin", f"95{THIN}% interval", "Deviation", f"10{THIN}%", f"90{THIN}%")),
)
WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@per_version
def margins(experiment: Experiment, arm: int, place: int) -> tuple[tuple[int, float], ...]:
    """(margin, matches), ascending; of a side that meets itself both margins of a match, each as half of it."""
    seating = counted.seating(experiment)[arm]
    rows = sorted(queries.summed(queries.MARGINS, experiment, (0,), {"arm": arm, "side": place % seating.sides}))
    return tuple((margin, n / seating.places_a_side) for margin, n in rows)


def bin_margins(found: Sequence[tuple[int, float]]) -> tuple[int, dict[int, float]]:
    """(width, first margin of a bin -> matches); bins meet at zero, empty ones included."""
    low, high = found[0][0], found[-1][0]
    matches = sum(n for _, n in found)
    most = min(MAX_BARS, max(LEAST_BARS, round(2 * math.sqrt(matches))))
    width = next((w for w in WIDTHS if high // w - low // w < most), WIDTHS[-1])
    bins = dict.fromkeys(range(low // width * width, high + 1, width), 0.0)
    for margin, matches in found:
        bins[margin // width * width] += matches
    return width, bins


def drawn_sides(experiment: Experiment) -> tuple[Side, ...]:
    """The side of each arm, or those of the only one: of two the first, since their margins mirror each other."""
    sides = kinds.drawn_sides(experiment)
    return sides[:1] if len(lineups(experiment).arms) == 1 and len(sides) == 2 else sides


def build(experiment: Experiment, choice: int | None) -> Figure:
    """All sides, or the bars of one arm."""
    return _bars(experiment, choice) if choice is not None else _ridges(experiment)


def _ridges(experiment: Experiment) -> Figure:
    spreads = [
        Spread.of(side, found)
        for side in drawn_sides(experiment)
        if (found := margins(experiment, side.arm, side.place))
    ]
    if not spreads:
        return nothing_yet(TITLE, SUBTITLE)
    sizes = [round(float(row.weights.sum())) for row in spreads]
    an_arm = " an arm" if len(lineups(experiment).arms) > 1 else ""
    one = f" {spreads[0].side.name}," if len(spreads) == 1 else ""
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE}{one} {units.matches_in_words(experiment, sizes)}{an_arm}; mark: the mean.",
        name="; ".join(
            f"{row.side.name}: mean margin {signed(row.mean)}, from {signed(int(row.values[0]), 0)}"
            f" to {signed(int(row.values[-1]), 0)}"
            for row in spreads
        ),
        note=f"Smoothed by {number(ridges.bandwidth(spreads))} points, the same height scale in all rows; the outer"
        f" {number(100 * ridges.TAIL, 0)}{THIN}% at either end are not drawn.",
        data=ridges.traces(experiment, spreads, "mean %{x:+.1f}"),
        layout=_layout(spreads),
        legend=legend([row.side for row in spreads]) if len(spreads) > 1 else (),
        columns=COLUMNS,
        rows=[_cells(experiment, row) for row in spreads],
        height_rem=ridges.rem(spreads),
        is_keyed=True,
    )


def _layout(spreads: Sequence[Spread]) -> dict[str, Any]:
    found = ridges.layout(spreads, "Victory margin, points")
    low, high = found["xaxis"]["range"]
    return found | {"xaxis": found["xaxis"] | {"zeroline": True} | signed_ticks(low, high)}


def _cells(experiment: Experiment, row: Spread) -> list[str]:
    sides = results(experiment).sides[row.side.arm]
    interval = next(side.result.margin_interval for side in sides if side.side.place == row.side.place)
    low, high = row.quantile(0.1), row.quantile(0.9)
    return [
        row.side.name,
        count(round(float(row.weights.sum()))),
        signed(row.mean),
        span(*interval) if interval else span(None, None),
        number(row.deviation),
        signed(low, 0),
        signed(high, 0),
    ]


def _bars(experiment: Experiment, arm: int) -> Figure:
    """Bars of equal width; the side is the arm's own."""
    side = lineups(experiment, chosen=arm).focal(arm)
    found = margins(experiment, arm, side.place)
    if not found:
        return nothing_yet(TITLE, SUBTITLE)
    width, bins = bin_margins(found)
    matches = round(sum(bins.values()))
    mean = sum(margin * n for margin, n in found) / matches
    labels = {first: _label(first, width) for first in bins}
    edge = {"color": "@surface", "width": 1}
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {side.name}, {units.matches_in_words(experiment, [matches])}.",
        name=f"{side.name}: mean margin {signed(mean)}, from {signed(found[0][0], 0)} to {signed(found[-1][0], 0)}",
        note=f"Dotted line: the mean, {signed(mean)}. From {signed(found[0][0], 0)} to {signed(found[-1][0], 0)}.",
        data=[
            {
                "type": "bar",
                "x": [first + (width - 1) / 2 for first in bins],
                "y": list(bins.values()),
                "width": width,
                "marker": {"color": f"@{side.colour}", "line": edge},
                "customdata": list(labels.values()),
                "hovertemplate": "%{customdata}: %{y} matches<extra></extra>",
            }
        ],
        layout={
            "bargap": 0,
            "barcornerradius": 0,
            "xaxis": {"title": {"text": "Victory margin, points"}, "zeroline": True}
            | signed_ticks(min(bins), max(bins) + width),
            "yaxis": {"title": {"text": "Matches"}, "rangemode": "tozero", "tickformat": ",d"}
            | ({"dtick": 1} if max(bins.values()) <= MAX_TICKS else {}),
            "shapes": [{"type": "line", "x0": mean, "x1": mean, "yref": "paper", "y0": 0, "y1": 1}],
        },
        columns=[Column("Margin", False), Column("Matches"), Column("Share")],
        rows=[[labels[first], tally(n), percent(n / matches)] for first, n in bins.items()],
    )


def _label(first: int, width: int) -> str:
    text = signed(first, 0)
    return text if width == 1 else f"{text} to {signed(first + width - 1, 0)}"


def margin_numbers(_: Experiment) -> list[Number]:
    """The margin."""
    return [Number("Victory margin", MARGIN)]


CHART = Chart(
    "margin-distribution", TITLE, build, Group.MARGINS, details=by_arm, numbers=margin_numbers, has_means=False
)
