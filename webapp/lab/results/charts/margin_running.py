"""Victory margin: running mean over the matches of each arm, in seed order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webapp.common.formats import THIN, count, number, signed, span
from webapp.lab.results import counted, method, queries, units
from webapp.lab.results.cache import per_version
from webapp.lab.results.charts import kinds, number_lines
from webapp.lab.results.charts.figure import (
    Chart,
    Column,
    Figure,
    Group,
    Trace,
    band,
    by_arm,
    keyed,
    legend,
    nothing_yet,
    plain,
    signed_ticks,
    thin_indices,
)
from webapp.lab.results.charts.margin_distribution import margin_numbers
from webapp.lab.results.sides import MAX_MARKS, Side, lineups
from webapp.records.models import Experiment
from worker.analysis.always_valid import LEAST_DEALS
from worker.analysis.methods import Method
from worker.analysis.moments import BlockMoments

TITLE = "Victory margin over matches"
SUBTITLE = f"Running mean, own score minus best opponent, with a 95{THIN}% band that holds at every look."
FIRST_MATCH, FIRST_OF_MANY = 8, 30
"""Where lines begin, and where those of at least SETTLED_MATCHES do: before, bands are wild."""
SETTLED_MATCHES = 60
"""From here on the picture holds all of the band; before it may leave it."""
Point = tuple[int, float, float, float]


@per_version
def running_means(experiment: Experiment, arm: int, place: int) -> tuple[Point, ...]:
    """(matches, mean, low, high) after more and more deals, at most 500 of them."""
    seating = counted.seating(experiment)[arm]
    rows = queries.rows(queries.DEALS, experiment, {"arm": arm, "side": place % seating.sides})
    sizes = np.array([row[1] for row in rows], dtype=np.int64)
    totals = np.array([row[3] for row in rows], dtype=np.float64)
    matches = np.cumsum(sizes) // seating.places_a_side
    is_long = len(matches) > 0 and matches[-1] >= SETTLED_MATCHES
    first = int(np.searchsorted(matches, FIRST_OF_MANY if is_long else FIRST_MATCH))
    sums = [np.cumsum(values) for values in (sizes, totals, totals * totals, totals * sizes, sizes * sizes)]
    how = method.always_valid(experiment)
    return tuple(_points(how, thin_indices(len(rows), max(first, LEAST_DEALS - 1)), matches, sums))


def _points(
    how: Method, indices: NDArray[np.int64], matches: NDArray[np.int64], sums: Sequence[NDArray[np.generic]]
) -> list[Point]:
    points = []
    for i in map(int, indices):
        n, total, squares, cross, sizes = (column[i] for column in sums)
        so_far = BlockMoments(i + 1, int(n), float(total), float(squares), float(cross), int(sizes))
        mean, interval = so_far.mean, how.mean(so_far)
        assert mean is not None
        assert interval is not None
        points.append((int(matches[i]), mean, *interval))
    return points


def build(experiment: Experiment, choice: int | None) -> Figure:
    """One line per arm; with one arm, its first place only, since margins mirror each other."""
    names = lineups(experiment, chosen=choice)
    sides = [names.focal(i) for i in range(len(names.arms))]
    if len(sides) == 1 and len(names.parties[0]) > 2:
        sides = list(names.parties[0])
    drawn = [(side, points) for side in sides if (points := running_means(experiment, side.arm, side.place))]
    if not drawn:
        return nothing_yet(TITLE, SUBTITLE, f"Drawn from {FIRST_MATCH} matches and {LEAST_DEALS} deals of an arm on.")
    drawn.sort(key=lambda row: row[0].mark is not None)  # colour lies above grey
    last = [(side, points[-1]) for side, points in drawn]
    banded = number_lines.with_bands([point[1] for _, point in last])
    bands = [_band(experiment, *row) for i, row in enumerate(drawn) if i in banded]
    lines = [_line(experiment, side, points, len(drawn), i) for i, (side, points) in enumerate(drawn)]
    of_one = f", seen from {drawn[0][0].name}" if len(drawn) == 1 else " an arm" if len(names.arms) > 1 else ""
    some = f" {number_lines.SOME_BANDS}" if len(banded) < len(drawn) else ""
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {units.matches_in_words(experiment, (point[0] for _, point in last))}{of_one}.",
        name="Mean margin: " + "; ".join(f"{side.name} {signed(point[1])}" for side, point in last),
        note=f"In seed order, not in order of arrival, so that fast matches do not lead. The unit is the deal.{some}",
        data=[*bands, *lines],
        layout={
            "xaxis": {"title": {"text": "Matches of the arm, in seed order"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "Mean victory margin, points"}, "zeroline": True} | _range(*_extent(drawn)),
        },
        legend=legend([side for side, _ in drawn]) if len(drawn) > 1 else (),
        columns=[Column("Side", False), *map(Column, ("Matches", "Mean margin", f"95{THIN}% interval", "Half-width"))],
        rows=[
            [side.name, count(n), signed(mean), span(low, high), f"±{number((high - low) / 2)}"]
            for side, (n, mean, low, high) in last
        ],
        is_keyed=True,
    )


def _range(low: float, high: float) -> dict[str, Any]:
    pad = 0.04 * (high - low) or 1.0
    return {"range": [low - pad, high + pad]} | signed_ticks(low - pad, high + pad)


def _extent(drawn: Sequence[tuple[Side, Sequence[Point]]]) -> tuple[float, float]:
    """What the bands cover once they are no longer wild, zero included."""
    points = [point for _, row in drawn for point in row if point[0] >= min(SETTLED_MATCHES, row[-1][0])]
    return min(0, *(low for _, _, low, _ in points)), max(0, *(high for *_, high in points))


def _band(experiment: Experiment, side: Side, points: Sequence[Point]) -> Trace:
    x, _, low, high = (list(column) for column in zip(*points, strict=True))
    return keyed(band(x, low, high, side.colour), kinds.key_of(experiment, side))


def _line(experiment: Experiment, side: Side, points: Sequence[Point], drawn: int, index: int) -> Trace:
    """The more grey lines there are, the fewer points each has, the last one among them."""
    if side.mark is None and drawn > MAX_MARKS:
        step = drawn // MAX_MARKS
        points = points[(len(points) - 1) % step :: step]
    x, y, *_ = (list(column) for column in zip(*points, strict=True))
    hover = f"%{{x}} matches: %{{y:+.1f}}<extra>{plain(side.name)}</extra>"
    return keyed(number_lines.side_line(x, y, side, hover, index), kinds.key_of(experiment, side))


CHART = Chart("margin-running", TITLE, build, Group.MARGINS, details=by_arm, numbers=margin_numbers)
