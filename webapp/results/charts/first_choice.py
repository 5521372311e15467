"""What choosing first is worth: mean score by when a side first chose."""

from __future__ import annotations

from collections.abc import Sequence

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, num_matches, number
from webapp.records.models import Experiment
from webapp.results import summed
from webapp.results.charts import kinds
from webapp.results.charts.figure import Chart, Figure, by_arm, counts, legend, nothing_yet, of_group
from webapp.results.sides import Side
from worker.analysis.moments import BlockMoments

TITLE = "Score by first choice"
SUBTITLE = f"Mean score of the matches in which a side chose first, second, …, 95{THIN}% intervals."
NOTE = "Who chooses when in round 1 is drawn; later rounds follow from what was taken. Equal bars: it makes no odds."
WORDS = {"1": "First", "2": "Second", "3": "Third", "4": "Fourth"}
CASES, TOTALS = "order in round 1", "score by order"
"""Groups of metrics: how often a side chose as number so and so, and its score then."""
BAR = 0.92


def build(experiment: Experiment, arm: int) -> Figure:
    """Bars side by side, a gap, the next place in the order."""
    table = game_registry.get(experiment.game).metric_table
    cases, totals = of_group(table, CASES), of_group(table, TOTALS)
    known = summed.known(experiment, arm, tuple(metric.id for metric in totals.values()))
    orders = [order for order in totals if totals[order].id in known]
    pairs = tuple((totals[order].id, cases[order].id) for order in orders)
    found = kinds.blocks(experiment, arm, (*pairs, (pairs[0][0], None))) if pairs else {}
    sides = [side for side in kinds.sides_of(experiment, arm) if side.place in found]
    if not sides:
        return nothing_yet(TITLE, SUBTITLE)
    step = len(sides) + 1
    labels = [WORDS[order] for order in orders]
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {num_matches([found[sides[0].place][-1].n])}.",
        name="; ".join(f"{side.name}: {_means(labels, found[side.place])}" for side in sides),
        note=NOTE,
        data=[
            kinds.bars(side, [step * k + i for k in range(len(orders))], found[side.place][:-1], "points", BAR)
            for i, side in enumerate(sides)
        ],
        layout={
            "barmode": "overlay",
            "xaxis": {
                "tickvals": [step * k + (len(sides) - 1) / 2 for k in range(len(orders))],
                "ticktext": labels,
                "tickfont": {"color": "@ink"},
                "ticks": "",
            },
            "yaxis": {"title": {"text": "Mean score, points"}, "rangemode": "tozero"},
        },
        legend=legend(sides),
        columns=kinds.TABLE_COLUMNS,
        rows=_rows(labels, sides, found),
    )


def _means(labels: Sequence[str], found: Sequence[BlockMoments]) -> str:
    return ", ".join(f"{label.lower()} {number(sums.mean)}" for label, sums in zip(labels, found, strict=False))


def _rows(labels: Sequence[str], sides: Sequence[Side], found: dict[int, tuple[BlockMoments, ...]]) -> list[list[str]]:
    return [kinds.cells(label, side, found[side.place][k]) for k, label in enumerate(labels) for side in sides]


def fits(metrics: Sequence[Metric]) -> bool:
    """Whether the game keeps scores by order of the first choice."""
    return bool(of_group(metrics, TOTALS))


CHART = Chart("first-choice", TITLE, build, choices=by_arm, fits=counts(fits))
