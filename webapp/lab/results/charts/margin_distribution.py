"""How the victory margins of one arm are spread."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webapp.common.formats import percent, signed, tally
from webapp.lab.results import counted, queries, units
from webapp.lab.results.cache import per_version
from webapp.lab.results.charts.figure import MAX_TICKS, Chart, Column, Figure, by_arm, nothing_yet, signed_ticks
from webapp.lab.results.sides import lineups
from webapp.records.models import Experiment

TITLE = "Distribution of the victory margin"
SUBTITLE = "Matches by final margin, own score minus best opponent."
LEAST_BARS, MAX_BARS = 8, 41
WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@per_version
def margins(experiment: Experiment, arm: int, place: int) -> tuple[tuple[int, float], ...]:
    """(margin, matches), ascending; of a side that meets itself both margins of a match, each as half of it."""
    seating = counted.seating(experiment)[arm]
    rows = queries.rows(queries.MARGINS, experiment, {"arm": arm, "side": place % seating.sides})
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


def build(experiment: Experiment, arm: int) -> Figure:
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


CHART = Chart("margin-distribution", TITLE, build, choices=by_arm, has_means=False)
