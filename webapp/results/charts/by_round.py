"""Means by round of the game, with their intervals as bands: one chart for each group of metrics "... by round"."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, num_matches, number, power, span
from webapp.records.models import Experiment
from webapp.results import summed
from webapp.results.charts import kinds
from webapp.results.charts.figure import (
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
    of_group,
    plain,
)
from webapp.results.sides import DASHES, Side
from worker.analysis.moments import BlockMoments

GROUPS = {
    "score-by-round": "score by round",
    "legal-by-round": "legal actions by round",
    "turned-by-round": "legal actions with turned doubles by round",
}
"""Chart -> group of metrics; a metric's kind is the number of its round."""
SUBTITLE = f"Mean by side, with its 95{THIN}% interval as a band."
ACTIONS = "actions"
NOTE = "Intervals take the matches of a deal together."
COLUMNS = (Column("Side", False), *map(Column, ("Round", "Mean", f"95{THIN}% interval")))


class Point(NamedTuple):
    """One round of one side."""

    round: int
    sums: BlockMoments

    @property
    def mean(self) -> float:
        """Over the matches."""
        assert self.sums.mean is not None
        return self.sums.mean

    @property
    def bounds(self) -> tuple[float, float]:
        """Of the interval; the mean twice where there is none."""
        return self.sums.interval() or (self.mean, self.mean)


def build(group: str, experiment: Experiment, arm: int) -> Figure:
    """One line per side of the arm."""
    title = titled(group)
    rounds = _rounds(group, experiment, arm)
    found = kinds.blocks(experiment, arm, tuple((metric.id, None) for metric in rounds.values())) if rounds else {}
    sides = [side for side in kinds.sides_of(experiment, arm) if side.place in found]
    if not sides:
        return nothing_yet(title, SUBTITLE)
    drawn = [(side, [Point(*pair) for pair in zip(rounds, found[side.place], strict=True)]) for side in sides]
    unit = next(iter(rounds.values())).unit
    traces = [_traces(side, points, DASHES[i % len(DASHES)]) for i, (side, points) in enumerate(drawn)]
    return Figure(
        title=title,
        subtitle=f"{SUBTITLE} {num_matches([kinds.num_matches(found)])}.",
        name="; ".join(_said(side, points, unit) for side, points in drawn),
        note=f"Means of {unit} in each round. {NOTE}{_product(experiment, arm, drawn) if unit == ACTIONS else ''}",
        data=[pair[0] for pair in traces] + [pair[1] for pair in traces],
        layout={
            "xaxis": {"title": {"text": "Round"}, "dtick": 1, "range": [0.5, len(rounds) + 0.5]},
            "yaxis": {"title": {"text": unit[:1].upper() + unit[1:]}, "rangemode": "tozero"},
        },
        legend=legend(sides, is_dashed=True),
        columns=COLUMNS,
        rows=[
            [side.name, str(point.round), number(point.mean, 2), span(*(point.sums.interval() or (None, None)), 2)]
            for side, points in drawn
            for point in points
        ],
    )


def _product(experiment: Experiment, arm: int, drawn: Sequence[tuple[Side, Sequence[Point]]]) -> str:
    """How many ways to play there are for one order of what is drawn (Gedda, Lagerkvist, Butler 2018, section II-B)."""
    plies = summed.whole(experiment, "num_plies", arm).moments.mean
    means = [point.mean for _, points in drawn for point in points]
    if plies is None or min(means) <= 0:
        return ""
    a_round = plies / len(means)
    value = a_round * sum(math.log10(mean) for mean in means)
    halves = [(point.bounds[1] - point.bounds[0]) / 2 / point.mean for _, points in drawn for point in points]
    half = a_round * math.hypot(*halves) / math.log(10)
    around = f" (95{THIN}% {power(value - half)} to {power(value + half)})" if half else ""
    return (
        f" Multiplied over all rounds and sides: {power(value)}{around} ways to play for one order of what is drawn,"
        " as if rounds did not depend on each other."
    )


def titled(group: str) -> str:
    """A group's name as a title."""
    return group[:1].upper() + group[1:]


def _rounds(group: str, experiment: Experiment, arm: int) -> dict[int, Metric]:
    """The rounds that matches of this arm had, with their metrics."""
    rounds = {
        int(kind): metric for kind, metric in of_group(game_registry.get(experiment.game).metric_table, group).items()
    }
    known = summed.known(experiment, arm, tuple(metric.id for metric in rounds.values()))
    return {number: rounds[number] for number in sorted(rounds) if rounds[number].id in known}


def _traces(side: Side, points: Sequence[Point], dash: str) -> tuple[Trace, Trace]:
    x = [point.round for point in points]
    low, high = (list(column) for column in zip(*(point.bounds for point in points), strict=True))
    drawn = line(
        x,
        [point.mean for point in points],
        side.colour,
        f"round %{{x}}: %{{y:.2f}}<extra>{plain(side.name)}</extra>",
        dash,
    )
    return band(x, low, high, side.colour), drawn


def _said(side: Side, points: Sequence[Point], unit: str) -> str:
    first, last = points[0], points[-1]
    return f"{side.name}: {number(first.mean)} {unit} in round {first.round}, {number(last.mean)} in round {last.round}"


def _has(group: str) -> Callable[[Sequence[Metric]], bool]:
    return lambda metrics: bool(of_group(metrics, group))


def _chart(chart_id: str) -> Chart:
    group = GROUPS[chart_id]
    return Chart(chart_id, titled(group), partial(build, group), choices=by_arm, fits=counts(_has(group)))


CHART_SCORE = _chart("score-by-round")
CHART_LEGAL = _chart("legal-by-round")
CHART_TURNED = _chart("turned-by-round")
