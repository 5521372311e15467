"""Means by the case a match or round was: score by first choice, rounds won by who opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, number
from webapp.lab.results import metric_sums
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import Chart, Figure, by_arm, counts, legend, nothing_yet, of_group
from webapp.lab.results.charts.kinds import Estimate
from webapp.lab.results.method import method
from webapp.lab.results.sides import Side
from webapp.records.models import Experiment

BAR = 0.92


@dataclass(frozen=True)
class Cases:
    """Two groups of metrics of the same kinds: how often each case was, and what added up in it.

    labels: kind -> what the axis writes; is_share: whether the mean is told in per cent.
    """

    id: str
    title: str
    subtitle: str
    note: str
    axis: str
    cases: str
    totals: str
    labels: Mapping[str, str]
    is_share: bool = False

    @property
    def unit(self) -> str:
        """Of the mean."""
        return "%" if self.is_share else "points"


FIRST_CHOICE = Cases(
    id="first-choice",
    title="Score by first choice",
    subtitle=f"Mean score of the matches in which a side chose first, second, …, 95{THIN}% intervals.",
    note="Who chooses when in round 1 is drawn; later rounds follow from what was taken. Equal bars: it makes no odds.",
    axis="Mean score, points",
    cases="order in round 1",
    totals="score by order",
    labels={"1": "First", "2": "Second", "3": "Third", "4": "Fourth"},
)
OPENER = Cases(
    id="opener",
    title="What opening is worth",
    subtitle=f"Share of rounds that a team won, by who opened them, 95{THIN}% intervals.",
    note="Shares are of rounds; the deal is the unit of their intervals. Rounds that nobody won count as not won;"
    " equal bars of a side: opening makes no odds.",
    axis="Rounds won, %",
    cases="rounds by opener",
    totals="rounds won by opener",
    labels={"Own team": "Own team opened", "Other team": "Other team opened"},
    is_share=True,
)


def build(what: Cases, experiment: Experiment, arm: int) -> Figure:
    """Bars side by side, a gap, the next case."""
    table = game_registry.get(experiment.game).metric_table
    cases, totals = of_group(table, what.cases), of_group(table, what.totals)
    known = metric_sums.known_metrics(experiment, arm, tuple(metric.id for metric in totals.values()))
    shown = [kind for kind in totals if totals[kind].id in known]
    sides = kinds.sides_of(experiment, arm)
    found = kinds.shared_sums(experiment, sides, tuple((totals[kind].id, cases[kind].id) for kind in shown))
    sides = tuple(side for side in sides if side.place in found)
    if not sides:
        return nothing_yet(what.title, what.subtitle)
    how = method(experiment)
    means = {
        side.place: [kinds.estimate(how, row, is_share=what.is_share) for row in found[side.place]] for side in sides
    }
    step = len(sides) + 1
    labels = [what.labels[kind] for kind in shown]
    return Figure(
        title=what.title,
        subtitle=f"{what.subtitle} {kinds.matches_in_words(experiment, arm)}.",
        name="; ".join(f"{side.name}: {_means(labels, means[side.place])}" for side in sides),
        note=what.note,
        data=[
            kinds.bars(side, [step * k + i for k in range(len(shown))], means[side.place], what.unit, BAR)
            for i, side in enumerate(sides)
        ],
        layout={
            "barmode": "overlay",
            "xaxis": {
                "tickvals": [step * k + (len(sides) - 1) / 2 for k in range(len(shown))],
                "ticktext": labels,
                "tickfont": {"color": "@ink"},
                "ticks": "",
            },
            "yaxis": {"title": {"text": what.axis}, "rangemode": "tozero"},
        },
        legend=legend(sides),
        columns=kinds.TABLE_COLUMNS,
        rows=_rows(labels, sides, means),
    )


def _means(labels: Sequence[str], found: Sequence[Estimate]) -> str:
    return ", ".join(f"{label.lower()} {number(mean.mean)}" for label, mean in zip(labels, found, strict=True))


def _rows(labels: Sequence[str], sides: Sequence[Side], found: Mapping[int, Sequence[Estimate]]) -> list[list[str]]:
    return [kinds.cells(label, side, found[side.place][k]) for k, label in enumerate(labels) for side in sides]


def _chart(what: Cases) -> Chart:
    def fits(metrics: Sequence[Metric]) -> bool:
        return bool(of_group(metrics, what.totals))

    return Chart(what.id, what.title, partial(build, what), choices=by_arm, fits=counts(fits))


CHART_FIRST_CHOICE = _chart(FIRST_CHOICE)
CHART_OPENER = _chart(OPENER)
