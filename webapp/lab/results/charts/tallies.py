"""Counts of a match, or of a round, that stand for themselves: dots with whiskers, a row for each, by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, number
from webapp.lab.results import metric_sums
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import Chart, Figure, Trace, by_arm, counts, legend, nothing_yet, plain
from webapp.lab.results.charts.kinds import Estimate
from webapp.lab.results.charts.win_rate import wrap_label
from webapp.lab.results.method import method
from webapp.lab.results.sides import Side
from webapp.records.models import Experiment

APART, CLOSE_APART = 0.16, 0.36
"""How far the dots of two sides stand apart, in rows."""
ROW_REM, CLOSE_ROW_REM = 3.2, 2.0
MANY = 8
"""More rows than these stand closer."""
ROUNDS = "rounds"
"""The metric that counts the rounds of a match."""


@dataclass(frozen=True)
class Tallies:
    """Groups of metrics on one axis.

    per: "match", or "round" where the game counts `ROUNDS`; is_own: whether each seat has its own,
    else partners share them; is_share: told in per cent.
    """

    id: str
    title: str
    groups: tuple[str, ...]
    per: str = "match"
    is_own: bool = True
    is_share: bool = False
    note: str = "What each counts is in the rules of the game."

    def of_table(self, metrics: Sequence[Metric]) -> list[Metric]:
        """The metrics of these groups, as far as they count things: numbers of dominoes are no count."""
        return [
            metric for group in self.groups for metric in metrics if metric.group == group and metric.unit != "number"
        ]


KINGDOM = Tallies("tallies", "Kingdom and draft", ("kingdom", "draft"))
TURNS = Tallies(
    "turns",
    "What turns are made of",
    ("turns",),
    note="Means a turn are of the first 30 turns of a seat; what does not say “a turn” is of the whole match.",
)
DECK = Tallies(
    "deck",
    "Decks at the end",
    ("deck", "final deck"),
    note="All cards owned at the end, wherever they lie. A card counts in the matches whose kingdom has it.",
)
PASSES = Tallies(
    "passes",
    "Passes",
    ("passes",),
    per="round",
    note="Own: passes of the seat. Forced: others could not lay with this seat's tile the last one laid.",
)
ROUNDS_WON = Tallies(
    "rounds-won",
    "How rounds were won",
    ("rounds won",),
    per="round",
    is_own=False,
    is_share=True,
    note="What is missing from 100 was won by the other team, or by nobody.",
)


def build(what: Tallies, experiment: Experiment, arm: int) -> Figure:
    """A row for each count, a dot for each side."""
    subtitle = f"{'Share of rounds' if what.is_share else f'Means of a {what.per}'}, 95{THIN}% intervals."
    table = what.of_table(game_registry.get(experiment.game).metric_table)
    known = metric_sums.known_metrics(experiment, arm, tuple(metric.id for metric in table))
    table = [metric for metric in table if metric.id in known]
    sides = kinds.players_of(experiment, arm) if what.is_own else kinds.sides_of(experiment, arm)
    cases = None if what.per == "match" else ROUNDS
    found = (kinds.blocks if what.is_own else kinds.shared_sums)(
        experiment, sides, tuple((metric.id, cases) for metric in table)
    )
    sides = tuple(side for side in sides if side.place in found)
    kept = [k for k in range(len(table)) if any(row[k].total for row in found.values())]
    if not kept:
        return nothing_yet(what.title, subtitle)
    shown = [table[k] for k in kept]
    is_close = len(shown) > MANY
    apart = min(CLOSE_APART if is_close else APART, 0.8 / len(sides))
    how = method(experiment)
    means = {place: [kinds.estimate(how, row[k], is_share=what.is_share) for k in kept] for place, row in found.items()}
    return Figure(
        title=what.title,
        subtitle=f"{subtitle} {kinds.matches_in_words(experiment, arm)}.",
        name="; ".join(_said(side, shown, means[side.place]) for side in sides),
        note=f"{what.note} Intervals take the matches of a deal together.",
        data=[
            _dots(side, apart * (i - (len(sides) - 1) / 2), shown, means[side.place]) for i, side in enumerate(sides)
        ],
        layout=_layout(what, shown),
        legend=legend(sides),
        columns=kinds.TABLE_COLUMNS,
        rows=[
            kinds.cells(_label(metric), side, means[side.place][k]) for k, metric in enumerate(shown) for side in sides
        ],
        height_rem=5 + (CLOSE_ROW_REM if is_close else ROW_REM) * len(shown),
    )


def _layout(what: Tallies, shown: Sequence[Metric]) -> dict[str, Any]:
    return {
        "xaxis": {
            "title": {"text": "Rounds, %" if what.is_share else f"Mean of a {what.per}"},
            "showgrid": True,
            "rangemode": "tozero",
        },
        "yaxis": {
            "range": [len(shown) - 0.4, -0.6],
            "showgrid": False,
            "tickvals": list(range(len(shown))),
            "ticktext": [wrap_label(_label(metric)) for metric in shown],
            "tickfont": {"color": "@ink", "size": 12},
            "automargin": True,
        },
    }


def _label(metric: Metric) -> str:
    """A kind says enough below the chart's title."""
    return metric.kind or metric.label


def _said(side: Side, shown: Sequence[Metric], means: Sequence[Estimate]) -> str:
    pairs = (f"{_label(metric).lower()} {number(row.mean)}" for metric, row in zip(shown, means, strict=True))
    return f"{side.name}: {', '.join(pairs)}"


def _dots(side: Side, offset: float, shown: Sequence[Metric], means: Sequence[Estimate]) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [row.mean for row in means],
        "y": [k + offset for k in range(len(shown))],
        "marker": {"color": f"@{side.colour}", "size": 9, "symbol": side.symbol},
        "error_x": kinds.whiskers(means) | {"color": f"@{side.colour}", "thickness": 2, "width": 0},
        "customdata": [metric.unit for metric in shown],
        "cliponaxis": False,
        "hovertemplate": f"%{{x:.2f}} %{{customdata}}<extra>{plain(side.name)}</extra>",
    }


def _chart(what: Tallies) -> Chart:
    def fits(metrics: Sequence[Metric]) -> bool:
        return bool(what.of_table(metrics))

    return Chart(what.id, what.title, partial(build, what), choices=by_arm, fits=counts(fits))


CHART_KINGDOM = _chart(KINGDOM)
CHART_TURNS = _chart(TURNS)
CHART_DECK = _chart(DECK)
CHART_PASSES = _chart(PASSES)
CHART_ROUNDS_WON = _chart(ROUNDS_WON)
