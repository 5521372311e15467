"""Metrics of a game in a list that can be read: long families of metrics are a line each."""

from __future__ import annotations

from collections.abc import Sequence

from games.protocol import Metric

MANY = 9
"""A family with more metrics than these is told by its kinds."""
Entry = tuple[str, str]
"""(what is counted, its unit or nothing)."""
_GAINED = " gained by turns"


def _family(metric: Metric) -> tuple[str, str]:
    """Groups that differ in one word only, and that word: "deck by turn: Curse", "Village gained by turns"."""
    if metric.group.endswith(_GAINED):
        return f"cards{_GAINED}", metric.group.removesuffix(_GAINED)
    family, _, part = metric.group.partition(": ")
    return family.replace("_", " "), part


def entries(table: Sequence[Metric]) -> dict[str, list[Entry]]:
    """Family -> lines, in the game's order."""
    families: dict[str, list[Metric]] = {}
    for metric in table:
        families.setdefault(_family(metric)[0], []).append(metric)
    return {name: _lines(metrics) for name, metrics in families.items()}


def _lines(metrics: Sequence[Metric]) -> list[Entry]:
    if len(metrics) > MANY:
        parts = dict.fromkeys(part for metric in metrics if (part := _family(metric)[1]))
        kinds = list(dict.fromkeys(metric.kind for metric in metrics))
        told = f"{kinds[0]} to {kinds[-1]}" if all(kind.isdigit() for kind in kinds) else ", ".join(kinds)
        return [("; ".join(filter(None, (", ".join(parts), told))), metrics[0].unit)]
    return [(metric.label, "" if metric.unit in metric.label.lower() else metric.unit) for metric in metrics]
