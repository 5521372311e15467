"""Counts of a match that stand for themselves: dots with whiskers, a row for each, by side."""

from __future__ import annotations

from collections.abc import Sequence

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, num_matches, number
from webapp.records.models import Experiment
from webapp.results import summed
from webapp.results.charts import kinds
from webapp.results.charts.figure import Chart, Figure, Trace, by_arm, counts, legend, nothing_yet, plain
from webapp.results.charts.win_rate import wrapped
from webapp.results.sides import Side
from worker.analysis.moments import BlockMoments

TITLE = "Kingdom and draft"
SUBTITLE = f"Means of a match, 95{THIN}% intervals."
GROUPS = ("kingdom", "draft")
APART = 0.16
"""How far the dots of two sides stand apart, in rows."""
ROW_REM = 3.2


def of_table(metrics: Sequence[Metric]) -> list[Metric]:
    """The metrics of these groups, as far as they count things: numbers of dominoes are no count."""
    return [metric for metric in metrics if metric.group in GROUPS and metric.unit != "number"]


def build(experiment: Experiment, arm: int) -> Figure:
    """A row for each count, a dot for each side."""
    table = of_table(game_registry.get(experiment.game).metric_table)
    known = summed.known(experiment, arm, tuple(metric.id for metric in table))
    shown = [metric for metric in table if metric.id in known]
    found = kinds.blocks(experiment, arm, tuple((metric.id, None) for metric in shown)) if shown else {}
    sides = [side for side in kinds.sides_of(experiment, arm) if side.place in found]
    if not sides:
        return nothing_yet(TITLE, SUBTITLE)
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {num_matches([kinds.num_matches(found)])}.",
        name="; ".join(_said(side, shown, found[side.place]) for side in sides),
        note="What each counts is in the rules of the game. Intervals take the matches of a deal together.",
        data=[_dots(side, i - (len(sides) - 1) / 2, shown, found[side.place]) for i, side in enumerate(sides)],
        layout={
            "xaxis": {"title": {"text": "A match"}, "showgrid": True, "rangemode": "tozero"},
            "yaxis": {
                "range": [len(shown) - 0.4, -0.6],
                "showgrid": False,
                "tickvals": list(range(len(shown))),
                "ticktext": [wrapped(metric.label) for metric in shown],
                "tickfont": {"color": "@ink", "size": 12},
                "automargin": True,
            },
        },
        legend=legend(sides),
        columns=kinds.TABLE_COLUMNS,
        rows=[
            kinds.cells(metric.label, side, found[side.place][k]) for k, metric in enumerate(shown) for side in sides
        ],
        height_rem=5 + ROW_REM * len(shown),
    )


def _said(side: Side, shown: Sequence[Metric], sums: Sequence[BlockMoments]) -> str:
    pairs = (f"{metric.label.lower()} {number(row.mean)}" for metric, row in zip(shown, sums, strict=True))
    return f"{side.name}: {', '.join(pairs)}"


def _dots(side: Side, offset: float, shown: Sequence[Metric], sums: Sequence[BlockMoments]) -> Trace:
    halves = [(interval.high - interval.low) / 2 if (interval := row.interval()) else 0.0 for row in sums]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [row.mean for row in sums],
        "y": [k + APART * offset for k in range(len(shown))],
        "marker": {"color": f"@{side.colour}", "size": 9, "symbol": side.symbol},
        "error_x": {"type": "data", "array": halves, "color": f"@{side.colour}", "thickness": 2, "width": 0},
        "customdata": [metric.unit for metric in shown],
        "cliponaxis": False,
        "hovertemplate": f"%{{x:.2f}} %{{customdata}}<extra>{plain(side.name)}</extra>",
    }


def fits(metrics: Sequence[Metric]) -> bool:
    """Whether the game counts such things."""
    return bool(of_table(metrics))


CHART = Chart("tallies", TITLE, build, choices=by_arm, fits=counts(fits))
