"""Score and legal actions by ply: the mean, with the middle 80 % of matches as a band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.protocol import Metric
from webapp.common.formats import THIN, count, interval_text, number, plural, span
from webapp.lab.results import counted, metric_sums, queries, units
from webapp.lab.results.cache import patient
from webapp.lab.results.charts import kinds, number_lines, ridges
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
    thin_indices,
)
from webapp.lab.results.charts.ridges import Spread
from webapp.lab.results.charts.tallies import ROUNDS
from webapp.lab.results.method import method
from webapp.lab.results.metric_sums import Sum
from webapp.lab.results.sides import MAX_MARKS, Side, lineups
from webapp.records.archive.table import Wanted
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
    """At most 500 of them, as far as enough matches came."""
    most = max(row.moments.n for row in found.values())
    plies = [ply for ply in sorted(found) if found[ply].moments.n >= number_lines.LEAST_SHARE * most]
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
    deals = kinds.deals(experiment, arm)
    values: dict[str, queries.Value] = {"arm": arm, "deals": deals, "plies": list(plies)}
    wanted = Wanted(deals=deals, plies=plies)
    if place is None:
        return queries.at_plies(queries.LEGAL_AT_PLIES, experiment, values, wanted)
    side = place % counted.seating(experiment)[arm].sides
    return queries.at_plies(queries.SCORES_AT_PLIES, experiment, {**values, "side": side}, wanted)


COLUMNS = (Column("Side", False), *map(Column, ("Ply", "Mean", f"95{THIN}% interval", f"Middle 80{THIN}%")))
AXIS = {"title": {"text": "Ply"}, "rangemode": "tozero"}


def _no_plies(experiment: Experiment, title: str, subtitle: str) -> Figure:
    """Whether plies are still to come, or never will."""
    return nothing_yet(title, subtitle, KEEPS_NONE if not experiment.keeps_plies else NO_PLIES)


def scores_at_plies(metrics: Sequence[Metric]) -> bool:
    """Whether points come ply by ply; where a match is rounds, they come at the ends of these."""
    return not any(metric.id == ROUNDS for metric in metrics)


def build_score(experiment: Experiment, choice: int | None) -> Figure:
    """One line per side."""
    sides, drawn = kinds.drawn_sides(experiment, choice), []
    for side in sides:
        seating = counted.seating(experiment)[side.arm]
        places = tuple(range(side.place % seating.sides, seating.seats, seating.sides))
        found = metric_sums.by_ply(experiment, "score", side.arm, places)
        if found:
            matches = max(row.moments.n for row in found.values()) // seating.places_a_side
            drawn.append((side, _points("score", found), matches))
    is_few = len(drawn) <= number_lines.MOST_BANDS
    subtitle = f"Mean, with the middle 80{THIN}% of matches as a band." if is_few else "Mean by side."
    if not drawn:
        return _no_plies(experiment, SCORE, subtitle)
    an_arm = " an arm" if len({side.arm for side, *_ in drawn}) > 1 else ""
    return Figure(
        title=SCORE,
        subtitle=f"{subtitle} {units.matches_in_words(experiment, [row[2] for row in drawn])}{an_arm}.",
        name="; ".join(f"{side.name} ends at {number(points[-1].mean)} points" for side, points, _ in drawn),
        note="Points after each ply; what is scored at the end of the match counts at its last ply."
        + (f" {NOTE}" if is_few else ""),
        data=_lines(experiment, [(side, points) for side, points, _ in drawn], is_few=is_few),
        layout={"xaxis": AXIS, "yaxis": {"title": {"text": "Score, points"}, "rangemode": "tozero"}},
        legend=legend([side for side, *_ in drawn], is_dashed=True),
        columns=COLUMNS,
        rows=[row for side, points, _ in drawn for row in _table(experiment, side.arm, side.name, points, side.place)],
        is_keyed=True,
    )


def _lines(experiment: Experiment, drawn: Sequence[tuple[Side, Sequence[Point]]], *, is_few: bool) -> list[Trace]:
    """Bands where there are few, below the lines."""
    bands, lines = [], []
    for i, (side, points) in enumerate(drawn):
        x, y, low, high = (list(column) for column in zip(*points, strict=True))
        hover, key = f"ply %{{x}}: %{{y:.1f}}<extra>{plain(side.name)}</extra>", kinds.key_of(experiment, side)
        if is_few:
            bands.append(keyed(band(x, low, high, side.colour), key))
        lines.append(keyed(number_lines.side_line(x, y, side, hover, i), key))
    return [*bands, *lines]


def _all_seats(experiment: Experiment, choice: int | None) -> list[Side]:
    """A side for all seats of each arm."""
    names = lineups(experiment)
    arms = range(len(names.arms)) if choice is None else [choice]
    if len(arms) > 1:
        return [names.focal(arm) for arm in arms]
    return [names.focal(arms[0]).named("Seat on turn")]


def build_legal(experiment: Experiment, choice: int | None) -> Figure:
    """Branching by ply, over the plies of all seats of an arm."""
    drawn = [
        (side, _points("legal_actions", found), max(row.moments.n for row in found.values()))
        for side in _all_seats(experiment, choice)
        if (found := metric_sums.by_ply(experiment, "legal_actions", side.arm))
    ]
    is_few = len(drawn) <= number_lines.MOST_BANDS
    middle = f", with the middle 80{THIN}% as a band" if is_few else ""
    subtitle = f"Mean over matches{middle}, over the plies of all seats."
    if not drawn:
        return _no_plies(experiment, LEGAL, subtitle)
    totals = [metric_sums.legal_actions(experiment, side.arm) for side, *_ in drawn]
    plies = sum(total.moments.n for total in totals)
    an_arm = " an arm" if len(drawn) > 1 else ""
    peaks = [max(points, key=lambda point: point.mean) for _, points, _ in drawn]
    means = ", ".join(f"{side.name} {number(row.moments.mean)}" for (side, *_), row in zip(drawn, totals, strict=True))
    if len(drawn) == 1:
        means = number(totals[0].moments.mean)
    return Figure(
        title=LEGAL,
        subtitle=f"{subtitle} {units.matches_in_words(experiment, [row[2] for row in drawn])}{an_arm},"
        f" {plural(plies, 'ply', 'plies')}.",
        name="; ".join(
            f"{side.name}: {number(total.moments.mean)} legal actions on average, most at ply {peak.ply} with"
            f" {number(peak.mean)}"
            for (side, *_), total, peak in zip(drawn, totals, peaks, strict=True)
        ),
        note=(f"Mean over all plies of all matches: {means}." if len(drawn) <= MAX_MARKS else "")
        + (f" {NOTE}" if is_few else ""),
        data=_lines(experiment, [(side, points) for side, points, _ in drawn], is_few=is_few),
        layout={"xaxis": AXIS, "yaxis": {"title": {"text": "Legal actions"}, "rangemode": "tozero"}},
        legend=legend([side for side, *_ in drawn]) if len(drawn) > 1 else (),
        columns=COLUMNS,
        rows=[row for side, points, _ in drawn for row in _table(experiment, side.arm, side.name, points, None)],
        is_keyed=len(drawn) > 1,
    )


def build_frequency(experiment: Experiment, choice: int | None) -> Figure:
    """Share of plies by number of legal actions: a ridge for each arm, or the bars of one."""
    if choice is None and len(lineups(experiment).arms) > 1:
        return _frequencies(experiment)
    return _frequency_of(experiment, choice or 0)


def _frequencies(experiment: Experiment) -> Figure:
    subtitle = "Share of plies by the number of legal actions."
    spreads = []
    for side in _all_seats(experiment, None):
        total = metric_sums.legal_actions(experiment, side.arm)
        if total.moments.n and total.counts is not None:
            spreads.append(Spread.of(side, [(i, float(n)) for i, n in enumerate(total.counts) if n]))
    if not spreads:
        return _no_plies(experiment, FREQUENCY, subtitle)
    sizes = [kinds.num_matches(experiment, row.side.arm) for row in spreads]
    return Figure(
        title=FREQUENCY,
        subtitle=f"{subtitle} {units.matches_in_words(experiment, sizes)} an arm; mark: the mean.",
        name="; ".join(
            f"{row.side.name}: half of all plies have at most {row.quantile(0.5)} legal actions" for row in spreads
        ),
        note=f"Smoothed by {number(ridges.bandwidth(spreads))} actions, the same height scale in all rows. {SPREAD}",
        data=ridges.traces(experiment, spreads, "mean %{x:.1f} legal actions"),
        layout=ridges.layout(spreads, "Legal actions"),
        legend=legend([row.side for row in spreads]),
        columns=[Column("Side", False), *map(Column, ("Plies", "Mean", "Median", f"90{THIN}%", "Largest"))],
        rows=[
            [
                row.side.name,
                count(int(row.weights.sum())),
                number(row.mean),
                *(count(n) for n in (row.quantile(0.5), row.quantile(0.9), int(row.values[-1]))),
            ]
            for row in spreads
        ],
        height_rem=ridges.rem(spreads),
        is_keyed=True,
    )


def _frequency_of(experiment: Experiment, arm: int) -> Figure:
    """The bars of one arm."""
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


CHART_LEGAL = Chart(
    "legal-by-ply", LEGAL, build_legal, Group.TIME, details=by_arm, needs_plies=True, repeats="legal-by-round"
)
CHART_FREQUENCY = Chart(
    "legal-frequency", FREQUENCY, build_frequency, Group.TIME, details=by_arm, has_means=False, needs_plies=True
)
