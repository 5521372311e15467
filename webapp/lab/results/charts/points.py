"""Points per kind of feature: per match, and per feature where the side got any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, signed
from webapp.lab.results.charts import kinds, panels
from webapp.lab.results.charts.figure import (
    Chart,
    Figure,
    Group,
    Number,
    by_arm,
    counts,
    kind_label,
    nothing_yet,
    of_group,
)
from webapp.lab.results.charts.kinds import Estimate
from webapp.lab.results.method import method
from webapp.lab.results.sides import Side
from webapp.records.models import Experiment

TOTAL, OCCUPIED = "Points by kind", "Points per occupied feature"


@dataclass(frozen=True)
class _Words:
    """What the two charts do not share."""

    title: str
    subtitle: str
    axis: str
    note: str


def total_numbers(experiment: Experiment) -> list[Number]:
    """Points of a match, kind by kind."""
    points = of_group(game_registry.get(experiment.game).metric_table, "points")
    return [Number(kind_label(kind), metric.id) for kind, metric in points.items()]


def occupied_numbers(experiment: Experiment) -> list[Number]:
    """Points of a feature, kind by kind."""
    table = game_registry.get(experiment.game).metric_table
    points, features = of_group(table, "points"), of_group(table, "features")
    return [Number(kind_label(kind), points[kind].id, features[kind].id) for kind in points if kind in features]


def build_total(experiment: Experiment, choice: int | None) -> Figure:
    """Mean points of a match by kind."""
    subtitle = f"Mean points per match, 95{THIN}% intervals."
    table = game_registry.get(experiment.game).metric_table
    note = "All points a seat got, those of the final scoring included."
    if game_registry.get(experiment.game).traits.has_teams:
        note = "Partners share all points; points against a team count below zero."
    if has_features(table):
        note += " A shared feature counts for each owner."
    words = _Words(TOTAL, subtitle, "Points per match", note)
    return _figure(experiment, choice, words, total_numbers(experiment))


def build_occupied(experiment: Experiment, choice: int | None) -> Figure:
    """Mean points of one feature by kind, over those that gave the side points."""
    subtitle = f"Mean points of one feature that gave points, 95{THIN}% intervals."
    note = "All points of a kind divided by the number of its features that the side scored."
    words = _Words(OCCUPIED, subtitle, "Points per feature", note)
    return _figure(experiment, choice, words, occupied_numbers(experiment))


def _figure(experiment: Experiment, choice: int | None, words: _Words, numbers: Sequence[Number]) -> Figure:
    sides = kinds.drawn_sides(experiment, choice)
    found = kinds.shared_sums(experiment, sides, tuple((row.value, row.cases) for row in numbers))
    sides = tuple(side for side in sides if side.key in found)
    kept = [k for k in range(len(numbers)) if any(row[k].total for row in found.values())]
    if not kept:
        return nothing_yet(words.title, words.subtitle)
    how = method(experiment)
    shown = [
        panels.Panel(numbers[k].label, words.axis, [kinds.estimate(how, found[side.key][k]) for side in sides])
        for k in kept
    ]
    drawn = panels.figure(experiment, sides, shown, (words.title, words.subtitle, words.note))
    return replace(drawn, note=drawn.note + _gains(sides, shown, kinds.baseline_of(experiment, sides)))


def _gains(sides: Sequence[Side], shown: Sequence[panels.Panel], base: int) -> str:
    """Where two sides differ most whose intervals lie apart; empty without any."""
    pairs = [
        ((row.mean or 0) - (panel.estimates[base].mean or 0), sides[i].name, panel.title)
        for panel in shown
        for i, row in enumerate(panel.estimates)
        if i != base and _is_apart(row, panel.estimates[base])
    ]
    if not pairs:
        return ""
    gap, name, kind = max(pairs, key=lambda pair: abs(pair[0]))
    return f" Widest apart from {sides[base].name}: {name} in {kind[:1].lower()}{kind[1:]}, {signed(gap)}."


def _is_apart(first: Estimate, second: Estimate) -> bool:
    ours, theirs = first.interval, second.interval
    return ours is not None and theirs is not None and (ours.low > theirs.high or ours.high < theirs.low)


def has_points(metrics: Sequence[Metric]) -> bool:
    """Whether the game tells where points come from."""
    return bool(of_group(metrics, "points"))


def has_features(metrics: Sequence[Metric]) -> bool:
    """Whether it also counts what gave them."""
    return bool(of_group(metrics, "points").keys() & of_group(metrics, "features").keys())


CHART = Chart(
    "points",
    TOTAL,
    build_total,
    Group.FEATURES,
    details=by_arm,
    fits=counts(has_points),
    numbers=total_numbers,
    is_wide=True,
)
CHART_OCCUPIED = Chart(
    "points-occupied",
    OCCUPIED,
    build_occupied,
    Group.FEATURES,
    details=by_arm,
    fits=counts(has_features),
    numbers=occupied_numbers,
    is_wide=True,
)
