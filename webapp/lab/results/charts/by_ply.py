"""Score and legal actions by ply: the mean, with the middle 80 % of matches as a band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.protocol import Metric
from webapp.common.formats import THIN, count, interval_text, number, plural, span
from webapp.lab.results import counted, metric_sums, queries, units
from webapp.lab.results.cache import patient
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import (
    Chart,
    Column,
    Figure,
    Trace,
    band,
    by_arm,
    counts,
    legend,
    line,
    nothing_yet,
    plain,
    thin_indices,
)
from webapp.lab.results.charts.tallies import ROUNDS
from webapp.lab.results.method import method
from webapp.lab.results.metric_sums import Sum
from webapp.lab.results.sides import DASHES
from webapp.records.metrics import WHOLE_MATCH, bins
from webapp.records.models import Experiment
from worker.analysis.moments import BlockMoments

SCORE, LEGAL, FREQUENCY = "Score by ply", "Legal actions by ply", "How many legal actions there are"
LOW, HIGH = 0.1, 0.9
NO_PLIES = "No match with recorded plies has ended yet."
KEEPS_NONE = "This experiment keeps no plies."
TABLE_STEP = 5
MAX_BARS = 60
TAIL = 0.995
SPREAD = "Counts of all plies; plies of one match are alike, so no interval is given."
NOTE = (
    "The band holds the middle of the matches; it is no interval of the mean."
    f" The table has 95{THIN}% intervals of the mean, over whole deals, which are the unit."
)


class Point(NamedTuple):
    """One ply, counted from 1: the mean, and the 10 % and 90 % quantiles."""

    ply: int
    mean: float
    low: float
    high: float


def _points(metric: str, found: dict[int, Sum]) -> list[Point]:
    """At most 500 of them."""
    plies = sorted(found)
    points = []
    for i in thin_indices(len(plies)):
        row = found[plies[i]]
        low, high = (metric_sums.quantile(metric, plies[i], row, share) for share in (LOW, HIGH))
        mean = row.moments.mean
        assert mean is not None
        assert low is not None
        assert high is not None
        points.append(Point(plies[i] + 1, mean, low, high))
    return points


def _traces(points: Sequence[Point], colour: str, name: str, dash: str) -> tuple[Trace, Trace]:
    x, y, low, high = (list(column) for column in zip(*points, strict=True))
    return band(x, low, high, colour), line(x, y, colour, f"ply %{{x}}: %{{y:.1f}}<extra>{plain(name)}</extra>", dash)


def _table(experiment: Experiment, arm: int, name: str, points: Sequence[Point], place: int | None) -> list[list[str]]:
    """Every fifth ply, the first and the last. place: whose score it is; None: legal actions of all sides."""
    last, how = len(points) - 1, method(experiment)
    shown = [point for i, point in enumerate(points) if point.ply % TABLE_STEP == 0 or i in (0, last)]
    found = _means(experiment, arm, place, tuple(point.ply - 1 for point in shown))
    return [
        [name, count(point.ply), number(sums.mean), interval_text(how.mean(sums)), span(point.low, point.high)]
        for point in shown
        for sums in [found.get(point.ply - 1, BlockMoments())]
    ]


@patient
def _means(experiment: Experiment, arm: int, place: int | None, plies: tuple[int, ...]) -> dict[int, BlockMoments]:
    """Sums over deals at some plies, counted from 0."""
    values: dict[str, queries.Value] = {"arm": arm, "deals": kinds.deals(experiment, arm), "plies": list(plies)}
    if place is None:
        return queries.at_plies(queries.LEGAL_AT_PLIES, experiment, values)
    side = place % counted.seating(experiment)[arm].sides
    return queries.at_plies(queries.SCORES_AT_PLIES, experiment, {**values, "side": side})


COLUMNS = (Column("Side", False), *map(Column, ("Ply", "Mean", f"95{THIN}% interval", f"Middle 80{THIN}%")))
AXIS = {"title": {"text": "Ply"}, "rangemode": "tozero"}


def _no_plies(experiment: Experiment, title: str, subtitle: str) -> Figure:
    """Whether plies are still to come, or never will."""
    return nothing_yet(title, subtitle, KEEPS_NONE if experiment.spec["record"] == "matches" else NO_PLIES)


def scores_at_plies(metrics: Sequence[Metric]) -> bool:
    """Whether points come ply by ply; where a match is rounds, they come at the ends of these."""
    return not any(metric.id == ROUNDS for metric in metrics)


def build_score(experiment: Experiment, arm: int) -> Figure:
    """One line per side of the arm."""
    subtitle = f"Mean, with the middle 80{THIN}% of matches as a band."
    drawn, seating = [], counted.seating(experiment)[arm]
    for side in kinds.sides_of(experiment, arm):
        places = tuple(range(side.place % seating.sides, seating.seats, seating.sides))
        found = metric_sums.by_ply(experiment, "score", arm, places)
        if found:
            matches = max(row.moments.n for row in found.values()) // seating.places_a_side
            drawn.append((side, _points("score", found), matches))
    if not drawn:
        return _no_plies(experiment, SCORE, subtitle)
    traces = [
        _traces(points, side.colour, side.name, DASHES[i % len(DASHES)]) for i, (side, points, _) in enumerate(drawn)
    ]
    return Figure(
        title=SCORE,
        subtitle=f"{subtitle} {units.matches_in_words(experiment, [drawn[0][2]])}.",
        name="; ".join(f"{side.name} ends at {number(points[-1].mean)} points" for side, points, _ in drawn),
        note=f"Points after each ply; what is scored at the end of the match counts at its last ply. {NOTE}",
        data=[pair[0] for pair in traces] + [pair[1] for pair in traces],
        layout={"xaxis": AXIS, "yaxis": {"title": {"text": "Score, points"}, "rangemode": "tozero"}},
        legend=legend([side for side, _, _ in drawn], is_dashed=True),
        columns=COLUMNS,
        rows=[row for side, points, _ in drawn for row in _table(experiment, arm, side.name, points, side.place)],
    )


def build_legal(experiment: Experiment, arm: int) -> Figure:
    """Branching by ply, over the plies of all seats."""
    subtitle = f"Mean over matches, with the middle 80{THIN}% as a band, over the plies of all seats."
    found = metric_sums.by_ply(experiment, "legal_actions", arm)
    if not found:
        return _no_plies(experiment, LEGAL, subtitle)
    points = _points("legal_actions", found)
    total = metric_sums.legal_actions(experiment, arm)
    matches = max(row.moments.n for row in found.values())
    peak = max(points, key=lambda point: point.mean)
    return Figure(
        title=LEGAL,
        subtitle=(
            f"{subtitle} {units.matches_in_words(experiment, [matches])}, {plural(total.moments.n, 'ply', 'plies')}."
        ),
        name=f"Legal actions: {number(total.moments.mean)} on average, most at ply {peak.ply} with {number(peak.mean)}",
        note=f"Mean {number(total.moments.mean)} over all plies of all matches. {NOTE}",
        data=list(_traces(points, "ink", "", "solid")),
        layout={"xaxis": AXIS, "yaxis": {"title": {"text": "Legal actions"}, "rangemode": "tozero"}},
        columns=COLUMNS,
        rows=_table(experiment, arm, "Seat on turn", points, None),
    )


def build_frequency(experiment: Experiment, arm: int) -> Figure:
    """Share of plies by number of legal actions."""
    subtitle = "Share of plies by the number of legal actions."
    total = metric_sums.legal_actions(experiment, arm)
    plies, shape = total.moments.n, bins("legal_actions", WHOLE_MATCH)
    if not plies or total.counts is None or shape is None:
        return _no_plies(experiment, FREQUENCY, subtitle)
    median, tail = (shape.quantile(total.counts, share) for share in (0.5, TAIL))
    assert median is not None
    assert tail is not None
    width = max(1, -(-int(tail) // MAX_BARS))
    bars, largest = _groups([int(n) for n in total.counts], width)
    most = f"{count(largest)} or more" if largest == len(total.counts) - 1 else count(largest)
    matches = max(row.moments.n for row in metric_sums.by_ply(experiment, "legal_actions", arm).values())
    return Figure(
        title=FREQUENCY,
        subtitle=f"{subtitle} {plural(plies, 'ply', 'plies')} of {units.matches_in_words(experiment, [matches])}.",
        name=f"Half of all plies have at most {number(median, 0)} legal actions; at most {most}",
        note=f"Median {number(median, 0)}, mean {number(total.moments.mean)}, largest {most}. "
        f"Bars of {width}; the axis ends where {number(100 * TAIL)}{THIN}% of plies are shown. {SPREAD}",
        data=[_frequency_bars(bars, width, plies)],
        layout={
            "bargap": 0,
            "barcornerradius": 0,
            "xaxis": {"title": {"text": "Legal actions"}, "range": [-0.5, max(tail, 10) + width]},
            "yaxis": {"title": {"text": "Plies, %"}, "rangemode": "tozero"},
        },
        columns=[Column("Legal actions", False), Column("Plies"), Column("Share of plies, %")],
        rows=[[_range(first, last), count(n), number(100 * n / plies, 2)] for first, last, n in bars if n],
    )


def _groups(counts: Sequence[int], width: int) -> tuple[list[tuple[int, int, int]], int]:
    """Bars of `width` (first, behind the last, count), and the largest number that occurs."""
    largest = max(i for i, n in enumerate(counts) if n)
    ranges = [(first, min(first + width, largest + 1)) for first in range(0, largest + 1, width)]
    return [(first, last, sum(counts[first:last])) for first, last in ranges], largest


def _frequency_bars(bars: Sequence[tuple[int, int, int]], width: int, plies: int) -> Trace:
    """Bars without gaps: (first, behind the last, count) each."""
    return {
        "type": "bar",
        "x": [(first + last - 1) / 2 for first, last, _ in bars],
        "y": [100 * n / plies for _, _, n in bars],
        "width": width,
        "marker": {"color": "@muted", "line": {"color": "@surface", "width": 1 if width > 1 else 0}},
        "customdata": [_range(first, last) for first, last, _ in bars],
        "hovertemplate": "%{customdata} legal actions: %{y:.2f} % of plies<extra></extra>",
    }


def _range(first: int, last: int) -> str:
    return str(first) if last - first == 1 else f"{first} to {last - 1}"


CHART_SCORE = Chart("score-by-ply", SCORE, build_score, choices=by_arm, fits=counts(scores_at_plies))
CHART_LEGAL = Chart("legal-by-ply", LEGAL, build_legal, choices=by_arm)
CHART_FREQUENCY = Chart("legal-frequency", FREQUENCY, build_frequency, choices=by_arm, has_means=False)
