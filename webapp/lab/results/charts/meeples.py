"""Where meeples go: placed per match by kind, those that came home and those that stayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, number
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import (
    Chart,
    Column,
    Figure,
    Trace,
    by_arm,
    counts,
    kind_label,
    legend,
    nothing_yet,
    of_group,
    plain,
)
from webapp.lab.results.charts.kinds import Estimate
from webapp.lab.results.method import method
from webapp.lab.results.sides import Side
from webapp.records.models import Experiment
from worker.analysis.methods import Method
from worker.analysis.moments import BlockMoments

TITLE = "Where meeples go"
GROUPS = ("meeples placed", "meeples returned", "meeples stranded")
SUBTITLE = "Meeples placed per match: full colour came home, pale stayed to the end."
COLUMNS = (
    Column("Kind", False),
    Column("Side", False),
    *map(Column, ("Placed", f"95{THIN}% interval", "Came home", "Stayed")),
)
BAR = 0.92
Value = TypeVar("Value")
PER_BAR_REM = 1.15


@dataclass(frozen=True)
class _Means:
    """Per place of the line-up, for each kind shown."""

    placed: dict[int, list[Estimate]]
    home: dict[int, list[float]]
    stayed: dict[int, list[float]]


def build(experiment: Experiment, arm: int) -> Figure:
    """Stacked bars: full colour came home, pale stayed to the end."""
    table = game_registry.get(experiment.game).metric_table
    placed, returned, stranded = (of_group(table, group) for group in GROUPS)
    shown = [kind for kind in placed if kind in returned and kind in stranded]
    sides = kinds.sides_of(experiment, arm)
    pairs = tuple((group[kind].id, None) for group in (placed, returned, stranded) for kind in shown)
    found = kinds.blocks(experiment, sides, pairs)
    if not kinds.num_matches(experiment, arm):
        return nothing_yet(TITLE, SUBTITLE)
    if not all(_is_known(found.get(side.place, ()), len(shown)) for side in sides):
        return nothing_yet(TITLE, SUBTITLE, "Its matches kept no numbers of meeples.")
    means = _means(method(experiment), found, len(shown))
    labels = [kind_label(kind) for kind in shown]
    said = [f"{side.name} places {number(sum(row.mean or 0 for row in means.placed[side.place]))}" for side in sides]
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {kinds.matches_in_words(experiment, arm)}.",
        name="; ".join(f"{words} meeples a match" for words in said),
        note="; ".join(f"{words} a match" for words in said) + f". Whiskers: 95{THIN}% intervals of those placed.",
        data=_data(sides, means, labels),
        layout=_layout(labels, len(sides)),
        legend=legend(sides),
        columns=COLUMNS,
        rows=[_cells(label, side, means, k) for k, label in enumerate(labels) for side in sides],
        height_rem=max(14, 5 + PER_BAR_REM * (len(sides) + 1) * len(shown)),
    )


def _is_known(sums: Sequence[BlockMoments], num_kinds: int) -> bool:
    """Whether matches say of a side what was placed, what came home and what stayed."""
    groups = [sums[first : first + num_kinds] for first in range(0, len(GROUPS) * num_kinds, num_kinds)]
    return all(any(row.n for row in group) for group in groups)


def _means(how: Method, found: kinds.Found, num_kinds: int) -> _Means:
    """From the sums of what was placed, what came home and what stayed, kind by kind."""
    return _Means(
        placed={place: [kinds.estimate(how, row) for row in sums[:num_kinds]] for place, sums in found.items()},
        home={place: [row.mean or 0.0 for row in sums[num_kinds : 2 * num_kinds]] for place, sums in found.items()},
        stayed={place: [row.mean or 0.0 for row in sums[2 * num_kinds :]] for place, sums in found.items()},
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


def _data(sides: Sequence[Side], means: _Means, labels: Sequence[str]) -> list[Trace]:
    """Those that came home, and on top of them, pale, those that stayed: there the whiskers stand."""
    stayed = _bars(sides, means.stayed, labels, "stayed to the end", pale="/.4")
    stayed["error_x"] = kinds.whiskers(_in_order(sides, means.placed, labels)) | {"color": "@ink"}
    return [_bars(sides, means.home, labels, "came home"), stayed]


def _in_order(sides: Sequence[Side], values: dict[int, list[Value]], labels: Sequence[str]) -> list[Value]:
    """A value per bar: kind by kind, side by side."""
    return [values[side.place][k] for k in range(len(labels)) for side in sides]


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
        "x": _in_order(sides, means, labels),
        "width": BAR,
        "marker": marker,
        "customdata": [f"{plain(side.name)}, {labels[k].lower()}" for k, _, side in places],
        "hovertemplate": f"%{{x:.2f}} {word}<extra>%{{customdata}}</extra>",
    }


def _cells(kind: str, side: Side, means: _Means, k: int) -> list[str]:
    return [
        *kinds.cells(kind, side, means.placed[side.place][k]),
        number(means.home[side.place][k], 2),
        number(means.stayed[side.place][k], 2),
    ]


def fits(metrics: Sequence[Metric]) -> bool:
    """Whether the game counts meeples by kind."""
    return all(of_group(metrics, group) for group in GROUPS)


CHART = Chart("meeples", TITLE, build, choices=by_arm, fits=counts(fits))
