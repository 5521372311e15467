"""Counts of a match, or of a round, that stand for themselves: a panel for each, or for many of one unit a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, number
from webapp.lab.results.charts import kinds, panels
from webapp.lab.results.charts.figure import (
    Chart,
    Figure,
    Group,
    Number,
    Trace,
    by_arm,
    counts,
    keyed,
    legend,
    nothing_yet,
    plain,
)
from webapp.lab.results.charts.kinds import Estimate
from webapp.lab.results.charts.win_rate import wrap_label
from webapp.lab.results.method import method
from webapp.lab.results.sides import Side
from webapp.records.models import Experiment

SPREAD = 0.7
"""The part of a row that the dots of all sides take."""
ROW_REM = 1.9
ROUNDS = "rounds"
"""The metric that counts the rounds of a match."""


@dataclass(frozen=True)
class Tallies:
    """Groups of metrics.

    per: "match", or "round" where the game counts `ROUNDS`; is_own: whether each seat has its own,
    else partners share them; is_share: told in per cent;
    is_one_axis: whether all are rows along one axis, for which they must be of one unit.
    """

    id: str
    title: str
    groups: tuple[str, ...]
    group: Group
    per: str = "match"
    is_own: bool = True
    is_share: bool = False
    is_one_axis: bool = False
    note: str = "What each counts is in the rules of the game."

    def of_table(self, metrics: Sequence[Metric]) -> list[Metric]:
        """The metrics of these groups, as far as they count things: numbers of dominoes are no count."""
        return [
            metric for group in self.groups for metric in metrics if metric.group == group and metric.unit != "number"
        ]


KINGDOM = Tallies("tallies", "Kingdom and draft", ("kingdom", "draft"), Group.TERRAINS)
TURNS = Tallies(
    "turns",
    "What turns are made of",
    ("turns",),
    Group.DECKS,
    note="Means a turn are of the first 30 turns of a seat; what does not say “a turn” is of the whole match.",
)
DECK = Tallies(
    "deck",
    "Decks at the end",
    ("deck",),
    Group.DECKS,
    note="All cards owned at the end, wherever they lie.",
)
FINAL_DECK = Tallies(
    "final-deck",
    "Cards owned at the end",
    ("final deck",),
    Group.DECKS,
    is_one_axis=True,
    note="All cards owned at the end, wherever they lie. A card counts in the matches whose kingdom has it.",
)
PASSES = Tallies(
    "passes",
    "Passes",
    ("passes",),
    Group.PASSES,
    per="round",
    note="Own: passes of the seat. Forced: others could not lay with this seat's tile the last one laid.",
)
ROUNDS_WON = Tallies(
    "rounds-won",
    "How rounds were won",
    ("rounds won",),
    Group.FEATURES,
    per="round",
    is_own=False,
    is_share=True,
    note="What is missing from 100 was won by the other team, or by nobody.",
)


def numbers(what: Tallies, experiment: Experiment) -> list[Number]:
    """What is counted; a kind says enough below the chart's title."""
    table = what.of_table(game_registry.get(experiment.game).metric_table)
    cases = None if what.per == "match" else ROUNDS
    return [Number(metric.kind or metric.label, metric.id, cases, what.is_share) for metric in table]


def build(what: Tallies, experiment: Experiment, choice: int | None) -> Figure:
    """Dots with whiskers, for each count and side."""
    subtitle = f"{'Share of rounds' if what.is_share else f'Means of a {what.per}'}, 95{THIN}% intervals."
    listed = numbers(what, experiment)
    sides = (kinds.drawn_players if what.is_own else kinds.drawn_sides)(experiment, choice)
    sums = kinds.blocks if what.is_own else kinds.shared_sums
    found = sums(experiment, sides, tuple((row.value, row.cases) for row in listed))
    sides = tuple(side for side in sides if side.key in found)
    kept = [k for k in range(len(listed)) if any(row[k].total for row in found.values())]
    if not kept:
        return nothing_yet(what.title, subtitle)
    how = method(experiment)
    units = _units(what, experiment)
    shown = [
        panels.Panel(
            listed[k].label,
            units[listed[k].value],
            [kinds.estimate(how, found[side.key][k], is_share=what.is_share) for side in sides],
        )
        for k in kept
    ]
    data, layout = (_rows if what.is_one_axis else panels.dots)(experiment, sides, shown)
    return Figure(
        title=what.title,
        subtitle=f"{subtitle} {kinds.matches_in_words(experiment, sides)}.",
        name="; ".join(_said(side, shown, i) for i, side in enumerate(sides)),
        note=f"{what.note} Intervals take the matches of a deal together."
        + ("" if what.is_one_axis else f" {panels.describe_axes(experiment, sides)}"),
        data=data,
        layout=layout,
        legend=legend(sides),
        columns=kinds.TABLE_COLUMNS,
        rows=[kinds.cells(panel.title, side, panel.estimates[i]) for panel in shown for i, side in enumerate(sides)],
        height_rem=5 + ROW_REM * len(shown) if what.is_one_axis else panels.rem(len(sides), len(shown)),
        is_keyed=True,
    )


def _units(what: Tallies, experiment: Experiment) -> dict[str, str]:
    """Metric -> what its axis says."""
    table = what.of_table(game_registry.get(experiment.game).metric_table)
    if what.is_share:
        return {metric.id: "Rounds, %" for metric in table}
    return {metric.id: f"{metric.unit[:1].upper()}{metric.unit[1:]} a {what.per}" for metric in table}


def _rows(
    experiment: Experiment, sides: Sequence[Side], shown: Sequence[panels.Panel]
) -> tuple[list[Trace], dict[str, Any]]:
    """A row for each count, the dots of all sides in it."""
    apart = SPREAD / len(sides)
    data = [
        keyed(_dots(side, apart * (i - (len(sides) - 1) / 2), shown, i), kinds.key_of(experiment, side))
        for i, side in enumerate(sides)
    ]
    layout = {
        "xaxis": {"title": {"text": shown[0].unit}, "showgrid": True, "rangemode": "tozero"},
        "yaxis": {
            "range": [len(shown) - 0.4, -0.6],
            "showgrid": False,
            "tickvals": list(range(len(shown))),
            "ticktext": [wrap_label(panel.title) for panel in shown],
            "tickfont": {"color": "@ink", "size": 12},
            "automargin": True,
        },
    }
    return data, layout


def _said(side: Side, shown: Sequence[panels.Panel], row: int) -> str:
    return f"{side.name}: " + ", ".join(f"{panel.title.lower()} {number(panel.estimates[row].mean)}" for panel in shown)


def _dots(side: Side, offset: float, shown: Sequence[panels.Panel], row: int) -> Trace:
    means: list[Estimate] = [panel.estimates[row] for panel in shown]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [found.mean for found in means],
        "y": [k + offset for k in range(len(shown))],
        "marker": {"color": f"@{side.colour}", "size": 7, "symbol": side.symbol},
        "error_x": kinds.whiskers(means) | {"color": f"@{side.colour}", "thickness": 1.5, "width": 0},
        "customdata": [panel.unit for panel in shown],
        "cliponaxis": False,
        "hovertemplate": f"%{{x:.2f}} %{{customdata}}<extra>{plain(side.name)}</extra>",
    }


def _chart(what: Tallies) -> Chart:
    def fits(metrics: Sequence[Metric]) -> bool:
        return bool(what.of_table(metrics))

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


CHART_KINGDOM = _chart(KINGDOM)
CHART_TURNS = _chart(TURNS)
CHART_DECK = _chart(DECK)
CHART_FINAL_DECK = _chart(FINAL_DECK)
CHART_PASSES = _chart(PASSES)
CHART_ROUNDS_WON = _chart(ROUNDS_WON)
