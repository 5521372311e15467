"""Means by the case a match or round was: score by first choice, rounds won by who opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN
from webapp.lab.results.charts import kinds, panels
from webapp.lab.results.charts.figure import (
    Chart,
    Figure,
    Group,
    Number,
    by_arm,
    counts,
    nothing_yet,
    of_group,
)
from webapp.lab.results.method import method
from webapp.records.models import Experiment


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
    group: Group
    labels: Mapping[str, str] = field(default_factory=dict)
    is_share: bool = False


FIRST_CHOICE = Cases(
    id="first-choice",
    title="Score by first choice",
    subtitle=f"Mean score of the matches in which a side chose first, second, …, 95{THIN}% intervals.",
    note="Who chooses when in round 1 is drawn; later rounds follow from what was taken. Equal: it makes no odds.",
    axis="Mean score, points",
    cases="order in round 1",
    totals="score by order",
    group=Group.TERRAINS,
    labels={"1": "First", "2": "Second", "3": "Third", "4": "Fourth"},
)
OPENER = Cases(
    id="opener",
    title="What opening is worth",
    subtitle=f"Share of rounds that a team won, by who opened them, 95{THIN}% intervals.",
    note="Shares are of rounds; the deal is the unit of their intervals. Rounds that nobody won count as not won;"
    " equal shares of a side: opening makes no odds.",
    axis="Rounds won, %",
    cases="rounds by opener",
    totals="rounds won by opener",
    group=Group.SCORES,
    labels={"Own team": "Own team opened", "Other team": "Other team opened"},
    is_share=True,
)


def numbers(what: Cases, experiment: Experiment) -> list[Number]:
    """The mean of each case."""
    table = game_registry.get(experiment.game).metric_table
    cases, totals = of_group(table, what.cases), of_group(table, what.totals)
    return [Number(what.labels[kind], totals[kind].id, cases[kind].id, what.is_share) for kind in totals]


def build(what: Cases, experiment: Experiment, choice: int | None) -> Figure:
    """A panel for each case that there was."""
    listed = numbers(what, experiment)
    sides = kinds.drawn_sides(experiment, choice)
    found = kinds.shared_sums(experiment, sides, tuple((row.value, row.cases) for row in listed))
    sides = tuple(side for side in sides if side.key in found)
    kept = [k for k in range(len(listed)) if any(row[k].n for row in found.values())]
    if not kept:
        return nothing_yet(what.title, what.subtitle)
    how = method(experiment)
    shown = [
        panels.Panel(
            listed[k].label,
            what.axis,
            [kinds.estimate(how, found[side.key][k], is_share=what.is_share) for side in sides],
        )
        for k in kept
    ]
    return panels.figure(experiment, sides, shown, (what.title, what.subtitle, what.note))


def _chart(what: Cases) -> Chart:
    def fits(metrics: Sequence[Metric]) -> bool:
        return bool(of_group(metrics, what.totals))

    return Chart(
        what.id,
        what.title,
        partial(build, what),
        what.group,
        details=by_arm,
        fits=counts(fits),
        numbers=partial(numbers, what),
        is_wide=True,
    )


CHART_FIRST_CHOICE = _chart(FIRST_CHOICE)
CHART_OPENER = _chart(OPENER)
