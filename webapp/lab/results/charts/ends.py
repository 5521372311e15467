"""How matches or rounds ended, and which piles were empty: shares with their intervals, most frequent first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, number, span
from webapp.lab.results import metric_sums
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import Chart, Column, Figure, Trace, by_arm, counts, nothing_yet, of_group
from webapp.lab.results.charts.win_rate import wrap_label
from webapp.lab.results.method import method
from webapp.lab.results.sides import lineups
from webapp.records.models import Experiment
from worker.analysis.methods import Method
from worker.analysis.moments import BlockMoments

ROW_REM = 2.4
MATCHES = "matches"


@dataclass(frozen=True)
class Ends:
    """A group of metrics that are the same for every seat and count matches, or rounds of a match.

    title: with a place for what is counted.
    """

    id: str
    title: str
    group: str
    note: str


ENDED = Ends("how-it-ended", "How {} ended", "how it ended", "What never happened is left out.")
EMPTY = Ends(
    "empty-piles",
    "Piles empty at the end",
    "empty piles",
    "Of the matches whose kingdom has the card. Piles that were never empty are left out.",
)


class Share(NamedTuple):
    """One row, in per cent; is_known: whether there is an interval."""

    kind: str
    percent: float
    low: float
    high: float
    is_known: bool

    @property
    def interval(self) -> str:
        """In words."""
        return span(self.low, self.high) if self.is_known else span(None, None)


def build(what: Ends, experiment: Experiment, arm: int) -> Figure:
    """A dot for each way."""
    table = of_group(game_registry.get(experiment.game).metric_table, what.group)
    unit = next(iter(table.values())).unit
    title = what.title.format(unit)
    subtitle = f"Share of {unit}, 95{THIN}% intervals."
    known = metric_sums.known_metrics(experiment, arm, tuple(metric.id for metric in table.values()))
    shown = [kind for kind, metric in table.items() if metric.id in known]
    cases = None if unit == MATCHES else unit
    anybody = lineups(experiment).sides[arm][:1]
    found = kinds.blocks(experiment, anybody, tuple((table[kind].id, cases) for kind in shown))
    shares = [
        _share(method(experiment), kind, sums) for row in found.values() for kind, sums in zip(shown, row, strict=True)
    ]
    rows = sorted((share for share in shares if share.percent), key=lambda share: -share.percent)
    if not rows:
        return nothing_yet(title, subtitle)
    return Figure(
        title=title,
        subtitle=f"{subtitle} {kinds.matches_in_words(experiment, arm)}.",
        name="; ".join(f"{row.kind} {number(row.percent)} % of {unit}" for row in rows),
        note=f"{what.note} Intervals take the matches of a deal together.",
        data=[_dots(rows, unit)],
        layout=_layout(rows, unit),
        columns=[Column("Kind", False), Column(f"Of {unit}, %"), Column(f"95{THIN}% interval")],
        rows=[[row.kind, number(row.percent), row.interval] for row in rows],
        height_rem=6 + ROW_REM * len(rows),
    )


def _layout(rows: Sequence[Share], unit: str) -> dict[str, Any]:
    return {
        "xaxis": {
            "title": {"text": f"{unit[:1].upper()}{unit[1:]}, %"},
            "range": [-2, 102],
            "showgrid": True,
            "tickvals": [0, 25, 50, 75, 100],
        },
        "yaxis": {
            "range": [len(rows) - 0.4, -0.6],
            "showgrid": False,
            "tickvals": list(range(len(rows))),
            "ticktext": [wrap_label(row.kind) for row in rows],
            "tickfont": {"color": "@ink", "size": 12},
            "automargin": True,
        },
    }


def _share(how: Method, kind: str, sums: BlockMoments) -> Share:
    found = kinds.estimate(how, sums, is_share=True)
    low, high = found.interval or (0.0, 0.0)
    return Share(kind, found.mean or 0.0, low, high, found.interval is not None)


def _dots(rows: Sequence[Share], unit: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [row.percent for row in rows],
        "y": list(range(len(rows))),
        "marker": {"color": "@ink", "size": 10},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [row.high - row.percent if row.is_known else 0 for row in rows],
            "arrayminus": [row.percent - row.low if row.is_known else 0 for row in rows],
            "color": "@ink",
            "thickness": 2,
            "width": 0,
        },
        "text": [number(row.percent) for row in rows],
        "textposition": "top center",
        "textfont": {"size": 12, "color": "@ink"},
        "cliponaxis": False,
        "customdata": [row.interval for row in rows],
        "hovertemplate": f"%{{x:.1f}} % of {unit} (%{{customdata}})<extra></extra>",
    }


def _chart(what: Ends, title: str) -> Chart:
    def fits(metrics: Sequence[Metric]) -> bool:
        return bool(of_group(metrics, what.group))

    return Chart(what.id, title, partial(build, what), choices=by_arm, fits=counts(fits))


CHART_ENDED = _chart(ENDED, "How it ended")
CHART_EMPTY = _chart(EMPTY, EMPTY.title)
