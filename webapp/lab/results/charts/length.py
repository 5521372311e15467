"""How long matches are, by what the game counts as their length: turns, rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, count, interval_text, number, percent, span, tally
from webapp.lab.results import queries, units
from webapp.lab.results.cache import per_version
from webapp.lab.results.charts import kinds, ridges
from webapp.lab.results.charts.figure import MAX_TICKS, Chart, Column, Figure, Group, Number, legend, nothing_yet
from webapp.lab.results.charts.margin_distribution import bin_margins
from webapp.lab.results.charts.ridges import Spread
from webapp.lab.results.method import method
from webapp.lab.results.sides import lineups
from webapp.records import metric_numbers
from webapp.records.models import Experiment
from worker.analysis.methods import Method
from worker.analysis.moments import BlockMoments, Moments

TITLE = "Length of matches"
GROUP, ROUNDS = "length", "rounds"
ARM_COLUMNS = (
    Column("Side", False),
    *map(Column, ("Matches", "Mean", f"95{THIN}% interval", "Shortest", "Longest")),
)
COLUMNS = (Column("Length", False), *map(Column, ("Matches", "Share", f"95{THIN}% interval")))


def metrics_of(experiment: Experiment) -> list[Metric]:
    """What counts as length."""
    table = game_registry.get(experiment.game).metric_table
    left_out = ROUNDS if units.is_one_round(experiment) else ""
    return [metric for metric in table if metric.group == GROUP and metric.id != left_out]


@per_version
def lengths(experiment: Experiment, arm: int, metric: str) -> tuple[tuple[int, ...], ...]:
    """The lengths of a deal's matches, deal by deal; of a match that of the seat which has most."""
    value = metric_numbers.of_game(experiment.game).expression(metric, "s")
    rows = queries.rows(queries.LENGTHS, experiment, {"arm": arm, "metric": value})
    return tuple(tuple(found) for _, found in rows)


def _all(experiment: Experiment) -> list[tuple[int, Metric]]:
    """What the reader chooses from: every arm by every metric."""
    table = metrics_of(experiment)
    return [(arm, metric) for arm in range(len(experiment.spec["arms"])) for metric in table]


def details(experiment: Experiment) -> Sequence[str]:
    """Named by what tells them apart."""
    arms, found = lineups(experiment).arms, _all(experiment)
    if len(found) == 1:
        return ()
    several = len({metric.id for _, metric in found}) > 1
    return [
        ": ".join(filter(None, (arms[arm] if len(arms) > 1 else "", metric.label if several else "")))
        for arm, metric in found
    ]


def build(experiment: Experiment, choice: int | None) -> Figure:
    """A ridge for each arm by the first metric, or one of all in bars."""
    return _ridges(experiment) if choice is None and len(lineups(experiment).arms) > 1 else _bars_of(experiment, choice)


def _sums(found: Sequence[Sequence[int]]) -> BlockMoments:
    return BlockMoments.of([Moments.of(deal) for deal in found])


def _ridges(experiment: Experiment) -> Figure:
    metric = metrics_of(experiment)[0]
    subtitle = f"Matches by number of {metric.unit}."
    found = [(side, lengths(experiment, side.arm, metric.id)) for side in kinds.drawn_sides(experiment)]
    found = [(side, deals) for side, deals in found if deals]
    if not found:
        return nothing_yet(TITLE, subtitle)
    spreads = [
        Spread.of(side, sorted(Counter(length for deal in deals for length in deal).items())) for side, deals in found
    ]
    sums = [_sums(deals) for _, deals in found]
    return Figure(
        title=TITLE,
        subtitle=f"{subtitle} {units.matches_in_words(experiment, [row.n for row in sums])} an arm; mark: the mean.",
        name="; ".join(f"{row.side.name}: mean {number(row.mean)} {metric.unit}" for row in spreads),
        note=f"Smoothed by {number(ridges.bandwidth(spreads))} {metric.unit}, the same height scale in all rows; the"
        f" outer {number(100 * ridges.TAIL, 0)}{THIN}% at either end are not drawn.",
        data=ridges.traces(experiment, spreads, f"mean %{{x:.1f}} {metric.unit}"),
        layout=ridges.layout(spreads, metric.label),
        legend=legend([row.side for row in spreads]),
        columns=ARM_COLUMNS,
        rows=[
            [
                row.side.name,
                count(total.n),
                number(row.mean),
                interval_text(method(experiment).mean(total)),
                count(int(row.values[0])),
                count(int(row.values[-1])),
            ]
            for row, total in zip(spreads, sums, strict=True)
        ],
        height_rem=ridges.rem(spreads),
        is_keyed=True,
    )


def numbers(experiment: Experiment) -> list[Number]:
    """What counts as length."""
    return [Number(metric.label, metric.id) for metric in metrics_of(experiment)]


def _bars_of(experiment: Experiment, choice: int | None) -> Figure:
    """Bars of equal width."""
    options = _all(experiment)
    arm, metric = options[min(choice or 0, len(options) - 1)]
    subtitle = f"Matches by number of {metric.unit}."
    found = lengths(experiment, arm, metric.id)
    if not found:
        return nothing_yet(TITLE, subtitle)
    counted = sorted(Counter(length for deal in found for length in deal).items())
    width, bins = bin_margins(counted)
    sums = _sums(found)
    matches, shortest, longest = sums.n, count(counted[0][0]), count(counted[-1][0])
    labels = {first: _label(first, width) for first in bins}
    how = method(experiment)
    interval = how.mean(sums)
    told = f"{number(sums.mean)} {metric.unit}" + (f" ({span(*interval)})" if interval else "")
    return Figure(
        title=TITLE,
        subtitle=f"{subtitle} {units.matches_in_words(experiment, [matches])}.",
        name=f"Mean {told}, from {shortest} to {longest}",
        note=f"Dotted line: the mean, {told}, 95{THIN}% interval with the deal as the unit."
        f" From {shortest} to {longest}.",
        data=[_bars(bins, width, list(labels.values()), metric.unit)],
        layout={
            "bargap": 0,
            "barcornerradius": 0,
            "xaxis": {"title": {"text": metric.label}} | ({"dtick": 1} if len(bins) <= 14 and width == 1 else {}),
            "yaxis": {"title": {"text": "Matches"}, "rangemode": "tozero", "tickformat": ",d"}
            | ({"dtick": 1} if max(bins.values()) <= MAX_TICKS else {}),
            "shapes": [{"type": "line", "x0": sums.mean, "x1": sums.mean, "yref": "paper", "y0": 0, "y1": 1}],
        },
        columns=COLUMNS,
        rows=[
            [labels[first], tally(n), percent(n / matches), _share(method(experiment), found, first, width)]
            for first, n in bins.items()
        ],
    )


def _bars(bins: Mapping[int, float], width: int, labels: Sequence[str], unit: str) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": [first + (width - 1) / 2 for first in bins],
        "y": list(bins.values()),
        "width": width,
        "marker": {"color": "@muted", "line": {"color": "@surface", "width": 1}},
        "customdata": labels,
        "hovertemplate": f"%{{customdata}} {unit}: %{{y}} matches<extra></extra>",
    }


def _label(first: int, width: int) -> str:
    return count(first) if width == 1 else f"{count(first)} to {count(first + width - 1)}"


def _share(how: Method, found: Sequence[Sequence[int]], first: int, width: int) -> str:
    """The interval of the share of matches whose length falls into a bin."""
    inside = [Moments.of([float(first <= length < first + width) for length in deal]) for deal in found]
    interval = how.rate(BlockMoments.of(inside))
    return span(100 * interval.low, 100 * interval.high) if interval else span(None, None)


CHART = Chart(
    "length",
    TITLE,
    build,
    Group.TIME,
    details=details,
    fits=lambda experiment: bool(metrics_of(experiment)),
    numbers=numbers,
)
