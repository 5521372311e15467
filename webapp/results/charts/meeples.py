"""Where meeples go: placed per match by kind, those that came home and those that stayed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games import registry as game_registry
from games.protocol import Metric
from webapp.records.models import Experiment
from webapp.results import summed
from webapp.results.charts import kinds
from webapp.results.charts.figure import Chart, Column, Figure, Trace, kind_label, legend, nothing_yet, of_group, plain
from webapp.results.formats import THIN, num_matches, number, span
from webapp.results.sides import Side
from worker.analysis.moments import BlockMoments

TITLE = "Where meeples go"
GROUPS = ("meeples placed", "meeples returned", "meeples stranded")
BAR = 0.92
PER_BAR_REM = 1.15


def build(experiment: Experiment, arm: int) -> Figure:
    """Stacked bars: full colour came home, pale stayed to the end."""
    table = game_registry.get(experiment.game).metric_table
    placed, returned, stranded = (of_group(table, group) for group in GROUPS)
    shown = [kind for kind in placed if kind in returned and kind in stranded]
    pairs = tuple((placed[kind].id, None) for kind in shown)
    subtitle = "Meeples placed per match: full colour came home, pale stayed to the end."
    found = kinds.blocks(experiment, arm, pairs)
    if not kinds.num_matches(found):
        return nothing_yet(TITLE, subtitle)
    sides = kinds.sides_of(experiment, arm)
    labels = [kind_label(kind) for kind in shown]
    totals = {side: sum(row.mean or 0 for row in found[side.place]) for side in sides}
    home, stayed = (
        summed.means(experiment, arm, tuple(group[kind].id for kind in shown)) for group in (returned, stranded)
    )
    return Figure(
        title=TITLE,
        subtitle=f"{subtitle} {num_matches([kinds.num_matches(found)])}.",
        name="; ".join(f"{side.name} places {number(total)} meeples a match" for side, total in totals.items()),
        note="; ".join(f"{side.name} places {number(total)} a match" for side, total in totals.items())
        + f". Means; the table has 95{THIN}% intervals.",
        data=[
            _bars(sides, home, labels, "came home"),
            _bars(sides, stayed, labels, "stayed to the end", pale="/.4"),
        ],
        layout=_layout(labels, len(sides)),
        legend=legend(sides),
        columns=[
            Column("Kind", False),
            Column("Side", False),
            *map(Column, ("Placed", f"95{THIN}% interval", "Came home", "Stayed")),
        ],
        rows=[
            _cells(label, side, found[side.place][k], home[side.place][k], stayed[side.place][k])
            for k, label in enumerate(labels)
            for side in sides
        ],
        height_rem=max(14, 5 + PER_BAR_REM * (len(sides) + 1) * len(shown)),
    )


def _layout(labels: Sequence[str], num_sides: int) -> dict[str, Any]:
    """Bars of one kind side by side, a gap, the next kind; names stand in the middle."""
    step = num_sides + 1
    return {
        "barmode": "stack",
        "barcornerradius": 0,
        "xaxis": {"title": {"text": "Meeples placed per match"}, "showgrid": True, "showline": False, "ticks": ""},
        "yaxis": {
            "range": [step * len(labels) - 1.2, -0.8],
            "showgrid": False,
            "tickvals": [step * k + (num_sides - 1) / 2 for k in range(len(labels))],
            "ticktext": list(labels),
            "tickfont": {"size": 12, "color": "@ink"},
        },
    }


def _bars(
    sides: Sequence[Side], means: dict[int, list[float]], labels: Sequence[str], word: str, pale: str = ""
) -> Trace:
    """All bars of one fate; they stack on those of the other."""
    places = [(k, i, side) for k in range(len(labels)) for i, side in enumerate(sides)]
    marker: dict[str, object] = {"color": [f"@{side.colour}{pale}" for _, _, side in places]}
    if pale:
        marker["line"] = {"color": [f"@{side.colour}" for _, _, side in places], "width": 1.2}
    return {
        "type": "bar",
        "orientation": "h",
        "y": [(len(sides) + 1) * k + i for k, i, _ in places],
        "x": [means[side.place][k] for k, _, side in places],
        "width": BAR,
        "marker": marker,
        "customdata": [f"{plain(side.name)}, {labels[k].lower()}" for k, _, side in places],
        "hovertemplate": f"%{{x:.2f}} {word}<extra>%{{customdata}}</extra>",
    }


def _cells(kind: str, side: Side, placed: BlockMoments, home: float, stayed: float) -> list[str]:
    interval = placed.interval()
    return [
        kind,
        side.name,
        number(placed.mean, 2),
        span(*interval, digits=2) if interval else span(None, None),
        number(home, 2),
        number(stayed, 2),
    ]


def fits(metrics: Sequence[Metric]) -> bool:
    """Whether the game counts meeples by kind."""
    return all(of_group(metrics, group) for group in GROUPS)


CHART = Chart("meeples", TITLE, build, has_arms=True, fits=fits)
