"""Points per kind of feature: per match, and per feature where the side got any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, number
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import Chart, Figure, by_arm, counts, kind_label, legend, nothing_yet, of_group
from webapp.lab.results.charts.kinds import Estimate
from webapp.lab.results.method import method
from webapp.records.models import Experiment

TOTAL, OCCUPIED = "Points by kind", "Points per occupied feature"
BAR = 0.92


@dataclass(frozen=True)
class _Words:
    """What the two charts do not share."""

    title: str
    subtitle: str
    axis: str
    note: str


def build_total(experiment: Experiment, arm: int) -> Figure:
    """Mean points of a match by kind."""
    subtitle = f"Mean points per match, 95{THIN}% intervals."
    table = game_registry.get(experiment.game).metric_table
    points = of_group(table, "points")
    pairs = tuple((metric.id, None) for metric in points.values())
    note = "All points a seat got, those of the final scoring included."
    if game_registry.get(experiment.game).traits.has_teams:
        note = "Partners share all points; points against a team count below zero."
    if has_features(table):
        note += " A shared feature counts for each owner."
    return _figure(experiment, arm, _Words(TOTAL, subtitle, "Points per match", note), list(points), pairs)


def build_occupied(experiment: Experiment, arm: int) -> Figure:
    """Mean points of one feature by kind, over those that gave the side points."""
    subtitle = f"Mean points of one feature that gave points, 95{THIN}% intervals."
    table = game_registry.get(experiment.game).metric_table
    points, features = of_group(table, "points"), of_group(table, "features")
    shown = [kind for kind in points if kind in features]
    pairs = tuple((points[kind].id, features[kind].id) for kind in shown)
    note = "All points of a kind divided by the number of its features that the side scored."
    return _figure(experiment, arm, _Words(OCCUPIED, subtitle, "Points per feature", note), shown, pairs)


def _figure(
    experiment: Experiment,
    arm: int,
    words: _Words,
    kinds_: Sequence[str],
    pairs: tuple[tuple[str, str | None], ...],
) -> Figure:
    sides = kinds.sides_of(experiment, arm)
    found = kinds.shared_sums(experiment, sides, pairs)
    kept = [k for k in range(len(kinds_)) if any(found[place][k].total for place in found)]
    if not kept:
        return nothing_yet(words.title, words.subtitle)
    step = len(sides) + 1
    labels = [kind_label(kinds_[k]) for k in kept]
    how = method(experiment)
    means = {side.place: [kinds.estimate(how, found[side.place][k]) for k in kept] for side in sides}
    return Figure(
        title=words.title,
        subtitle=f"{words.subtitle} {kinds.matches_in_words(experiment, arm)}.",
        name="; ".join(f"{side.name}: {_means(labels, means[side.place])}" for side in sides),
        note=words.note,
        data=[
            kinds.bars(side, [step * k + i for k in range(len(labels))], means[side.place], "points", BAR)
            for i, side in enumerate(sides)
        ],
        layout=_layout(labels, len(sides), words.axis),
        legend=legend(sides),
        columns=kinds.TABLE_COLUMNS,
        rows=[kinds.cells(label, side, means[side.place][k]) for k, label in enumerate(labels) for side in sides],
    )


def _means(labels: Sequence[str], found: Sequence[Estimate]) -> str:
    return ", ".join(f"{label} {number(mean.mean)}" for label, mean in zip(labels, found, strict=False))


def _layout(labels: Sequence[str], num_sides: int, axis: str) -> dict[str, Any]:
    """Bars of one kind side by side, a gap, the next kind; names stand in the middle."""
    return {
        "barmode": "overlay",
        "xaxis": {
            "tickvals": [(num_sides + 1) * k + (num_sides - 1) / 2 for k in range(len(labels))],
            "ticktext": list(labels),
            "tickfont": {"color": "@ink"},
            "ticks": "",
        },
        "yaxis": {"title": {"text": axis}, "rangemode": "tozero"},
    }


def has_points(metrics: Sequence[Metric]) -> bool:
    """Whether the game tells where points come from."""
    return bool(of_group(metrics, "points"))


def has_features(metrics: Sequence[Metric]) -> bool:
    """Whether it also counts what gave them."""
    return bool(of_group(metrics, "points").keys() & of_group(metrics, "features").keys())


CHART = Chart("points", TOTAL, build_total, choices=by_arm, fits=counts(has_points))
CHART_OCCUPIED = Chart("points-occupied", OCCUPIED, build_occupied, choices=by_arm, fits=counts(has_features))
