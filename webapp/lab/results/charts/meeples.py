"""Where meeples go: placed per match by kind, those that came home and those that stayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, number
from webapp.lab.results.charts import kinds, panels
from webapp.lab.results.charts.figure import (
    Chart,
    Column,
    Figure,
    Group,
    Number,
    Trace,
    by_arm,
    counts,
    keyed,
    kind_label,
    legend,
    nothing_yet,
    of_group,
    plain,
)
from webapp.lab.results.charts.kinds import Estimate
from webapp.lab.results.method import method
from webapp.lab.results.sides import MAX_MARKS, Side
from webapp.records.models import Experiment
from worker.analysis.moments import BlockMoments

TITLE, EARNED = "Where meeples go", "What a meeple earns"
GROUPS = ("meeples placed", "meeples returned", "meeples stranded")
SUBTITLE = "Meeples placed per match: full colour came home, pale stayed to the end."
EARNED_SUBTITLE = f"Points per meeple placed, by kind, 95{THIN}% intervals."
COLUMNS = (
    Column("Kind", False),
    Column("Side", False),
    *map(Column, ("Placed", f"95{THIN}% interval", "Came home", "Stayed")),
)
BAR = 0.66
PALE = "/.35"


@dataclass(frozen=True)
class _Fate:
    """Of one kind and side: how many were placed, came home and stayed."""

    placed: Estimate
    home: float
    stayed: float


def _kinds(experiment: Experiment) -> list[str]:
    """The kinds of which all three are counted."""
    placed, *others = (of_group(game_registry.get(experiment.game).metric_table, group) for group in GROUPS)
    return [kind for kind in placed if all(kind in group for group in others)]


def numbers(experiment: Experiment) -> list[Number]:
    """What was placed, came home and stayed, kind by kind."""
    groups = [of_group(game_registry.get(experiment.game).metric_table, group) for group in GROUPS]
    return [
        Number(f"{kind_label(kind)}, {group[kind].label.lower()}", group[kind].id)
        for group in groups
        for kind in _kinds(experiment)
    ]


def earned_numbers(experiment: Experiment) -> list[Number]:
    """Points of a meeple, kind by kind: a ratio of means over deals."""
    table = game_registry.get(experiment.game).metric_table
    points, placed = of_group(table, "points"), of_group(table, GROUPS[0])
    return [Number(kind_label(kind), points[kind].id, placed[kind].id) for kind in placed if kind in points]


def build(experiment: Experiment, choice: int | None) -> Figure:
    """Stacked bars: full colour came home, pale stayed to the end."""
    shown, sides = _kinds(experiment), kinds.drawn_sides(experiment, choice)
    found = kinds.blocks(experiment, sides, tuple((row.value, row.cases) for row in numbers(experiment)))
    if not any(kinds.num_matches(experiment, side.arm) for side in sides):
        return nothing_yet(TITLE, SUBTITLE)
    sides = tuple(side for side in sides if side.key in found)
    if not all(_is_known(found[side.key], len(shown)) for side in sides) or not sides:
        return nothing_yet(TITLE, SUBTITLE, "Its matches kept no numbers of meeples.")
    fates = [[_fate(experiment, found[side.key], k, len(shown)) for side in sides] for k in range(len(shown))]
    labels = [kind_label(kind) for kind in shown]
    said = [
        f"{side.name} places {number(sum(row[i].placed.mean or 0 for row in fates))}" for i, side in enumerate(sides)
    ]
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {kinds.matches_in_words(experiment, sides)}.",
        name="; ".join(f"{words} meeples a match" for words in said),
        note=("; ".join(f"{words} a match" for words in said) + ". ") * (len(sides) <= MAX_MARKS)
        + f"The same axis in all panels. Whiskers: 95{THIN}% intervals of those placed.",
        data=[
            keyed(trace, kinds.key_of(experiment, side))
            for k, row in enumerate(fates)
            for i, side in enumerate(sides)
            for trace in _bars(k, i, side, row[i], labels[k])
        ],
        layout=_layout(labels, sides, fates),
        legend=legend(sides),
        columns=COLUMNS,
        rows=[_cells(labels[k], side, row[i]) for k, row in enumerate(fates) for i, side in enumerate(sides)],
        height_rem=panels.rem(len(sides), len(labels)),
        is_keyed=True,
    )


def _is_known(sums: Sequence[BlockMoments], num_kinds: int) -> bool:
    """Whether matches say of a side what was placed, what came home and what stayed."""
    groups = [sums[first : first + num_kinds] for first in range(0, len(GROUPS) * num_kinds, num_kinds)]
    return all(any(row.n for row in group) for group in groups)


def _fate(experiment: Experiment, sums: Sequence[BlockMoments], k: int, num_kinds: int) -> _Fate:
    placed, home, stayed = sums[k], sums[num_kinds + k], sums[2 * num_kinds + k]
    return _Fate(kinds.estimate(method(experiment), placed), home.mean or 0.0, stayed.mean or 0.0)


def _layout(labels: Sequence[str], sides: Sequence[Side], fates: Sequence[Sequence[_Fate]]) -> dict[str, Any]:
    """A panel a kind, all along the same axis from zero."""
    most = max((row.placed.mean or 0.0) + row.placed.above for found in fates for row in found) or 1.0
    across = {
        "title": {"text": "Meeples per match", "standoff": 4},
        "range": [0, 1.04 * most],
        "showgrid": True,
        "nticks": 5,
    }
    found = panels.layout(
        labels, panels.frame_rem(len(sides)), [across] * len(labels), [panels.rows_of(sides)] * len(labels)
    )
    return found | {"barmode": "stack", "barcornerradius": 0}


def _bars(panel: int, row: int, side: Side, fate: _Fate, label: str) -> list[Trace]:
    """Those that came home, and on top of them, pale, those that stayed: there the whisker stands."""
    common = {
        "type": "bar",
        "orientation": "h",
        "xaxis": panels.axis("x", panel),
        "yaxis": panels.axis("y", panel),
        "y": [row],
        "width": BAR,
    }
    name, edge = plain(f"{side.name}, {label.lower()}"), {"color": f"@{side.colour}", "width": 1.2}
    return [
        common
        | {
            "x": [fate.home],
            "marker": {"color": f"@{side.colour}", "line": edge},
            "hovertemplate": f"%{{x:.2f}} came home<extra>{name}</extra>",
        },
        common
        | {
            "x": [fate.stayed],
            "marker": {"color": f"@{side.colour}{PALE}", "line": edge},
            "error_x": kinds.whiskers([fate.placed]) | {"color": "@ink", "thickness": 1.2, "width": 3},
            "hovertemplate": f"%{{x:.2f}} stayed to the end<extra>{name}</extra>",
        },
    ]


def _cells(kind: str, side: Side, fate: _Fate) -> list[str]:
    return [*kinds.cells(kind, side, fate.placed), number(fate.home, 2), number(fate.stayed, 2)]


EARNED_NOTE = "All points of a kind over all meeples placed there: a ratio of means over deals, not a mean of ratios."


def build_earned(experiment: Experiment, choice: int | None) -> Figure:
    """A panel a kind: what one meeple there was worth."""
    listed, sides = earned_numbers(experiment), kinds.drawn_sides(experiment, choice)
    found = kinds.blocks(experiment, sides, tuple((row.value, row.cases) for row in listed))
    sides = tuple(side for side in sides if side.key in found)
    kept = [k for k in range(len(listed)) if any(row[k].n for row in found.values())]
    if not kept:
        return nothing_yet(EARNED, EARNED_SUBTITLE)
    shown = [
        panels.Panel(
            listed[k].label,
            "Points a meeple",
            [kinds.estimate(method(experiment), found[side.key][k]) for side in sides],
        )
        for k in kept
    ]
    return panels.figure(experiment, sides, shown, (EARNED, EARNED_SUBTITLE, EARNED_NOTE))


def fits(metrics: Sequence[Metric]) -> bool:
    """Whether the game counts meeples by kind."""
    return all(of_group(metrics, group) for group in GROUPS)


CHART = Chart("meeples", TITLE, build, Group.MEEPLES, details=by_arm, fits=counts(fits), numbers=numbers, is_wide=True)
CHART_EARNED = Chart(
    "meeple-points",
    EARNED,
    build_earned,
    Group.MEEPLES,
    details=by_arm,
    fits=counts(fits),
    numbers=earned_numbers,
    is_wide=True,
)
