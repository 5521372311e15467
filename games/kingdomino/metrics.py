"""Metrics of a Kingdomino match, which the kernel `measure` counts; areas, and the values that break ties."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.kingdomino import dominoes, reading
from games.kingdomino import state as layout
from games.kingdomino.reading import Square
from games.metric_rows import MetricColumns, MetricRows
from games.protocol import Metric, State

_LABELS = {terrain: terrain.capitalize() for terrain in dominoes.TERRAINS}
MAX_ROUNDS = 13


def _terrain_rows() -> list[Metric]:
    rows = [Metric(f"points_{t}", f"Points from {t}", "points", "points", _LABELS[t]) for t in dominoes.TERRAINS]
    rows.append(Metric("points_middle", "Points from the middle kingdom", "points", "points", "Middle"))
    rows.append(Metric("points_harmony", "Points from harmony", "points", "points", "Harmony"))
    for group, unit, what in (
        ("squares", "squares", "Squares"),
        ("crowns", "crowns", "Crowns"),
        ("areas", "areas", "Areas"),
    ):
        rows += [Metric(f"{group}_{t}", f"{what} of {t}", unit, group, _LABELS[t]) for t in dominoes.TERRAINS]
    return rows


def _by_round(name: str, label: str, unit: str, group: str) -> list[Metric]:
    return [Metric(name.format(r), label.format(r), unit, group, str(r)) for r in range(1, MAX_ROUNDS + 1)]


def _by_order(name: str, label: str, unit: str, group: str) -> list[Metric]:
    return [Metric(name.format(k), label.format(k), unit, group, str(k)) for k in range(1, layout.MAX_SEATS + 1)]


TABLE = (
    *_terrain_rows(),
    Metric("largest", "Largest area", "squares", "kingdom"),
    Metric("discards", "Dominoes discarded", "dominoes", "kingdom"),
    Metric("holes", "Empty squares shut in by others, one by one", "squares", "kingdom"),
    Metric("first_choices", "Rounds with the first choice", "rounds", "draft"),
    Metric("mean_place", "Place taken in the row, mean", "places", "draft"),
    Metric("mean_number", "Number of the dominoes chosen, mean", "number", "draft"),
    Metric("denied", "Dominoes denied to the next to choose", "dominoes", "draft"),
    *_by_order("order_{}", "Chooses as number {} in round 1", "matches", "order in round 1"),
    *_by_order("score_order_{}", "Score, where it chooses as number {} in round 1", "points", "score by order"),
    *_by_round("score_round_{}", "Score after round {}", "points", "score by round"),
    *_by_round("actions_round_{}", "Legal actions a ply, round {}", "actions", "legal actions by round"),
    *_by_round(
        "listed_round_{}",
        "Legal actions with turned doubles, round {}",
        "actions",
        "legal actions with turned doubles by round",
    ),
)
_FRACTIONS = ("mean_place", "mean_number", "denied", "order_", "score_order_", "actions_round_", "listed_round_")
_COLUMNS = MetricColumns(
    tuple(metric.id for metric in TABLE),
    frozenset(metric.id for metric in TABLE if metric.id.startswith(_FRACTIONS)),
)
"""Of the kernel `measure`, in its order."""
LATER = ("denied", "order_*", "score_order_*", "actions_round_*", "listed_round_*")
"""Metrics that matches were recorded without at first (`Game.later_metrics`)."""
DROPPED = ("starts_first",)
"""Metrics of early matches that are counted no more (`Game.dropped_metrics`): it is `order_1` now."""


class Area(NamedTuple):
    """Squares of one terrain that hang together."""

    terrain: str
    squares: tuple[tuple[int, int], ...]
    crowns: int

    @property
    def points(self) -> int:
        """Squares times crowns."""
        return len(self.squares) * self.crowns


def areas(kingdom: Sequence[Square]) -> list[Area]:
    """All areas of a kingdom, those of fewest points first found last."""
    left = {(square.x, square.y): square for square in kingdom}
    found = []
    while left:
        start = next(iter(left.values()))
        group, border = [], [left.pop((start.x, start.y))]
        while border:
            square = border.pop()
            group.append(square)
            for dx, dy in reading.STEPS:
                beside = left.get((square.x + dx, square.y + dy))
                if beside is not None and beside.terrain == square.terrain:
                    border.append(left.pop((beside.x, beside.y)))
        cells = tuple(sorted((square.x, square.y) for square in group))
        found.append(Area(start.terrain, cells, sum(square.crowns for square in group)))
    return sorted(found, key=lambda area: (-area.points, area.terrain, area.squares))


def tie_break(found: Sequence[Area]) -> tuple[int, int]:
    """Values that the rule book compares where points are equal: largest area, then crowns."""
    return max((len(area.squares) for area in found), default=0), sum(area.crowns for area in found)


def empty_tally() -> NDArray[np.int64]:
    """Zeros for the kernel `tally`."""
    return np.zeros((layout.NUM_TERRAINS + 1, 4), np.int64)


def _tallies(kernels: ModuleType, state: State) -> list[list[list[int]]]:
    """What the kernel `tally` counts of every kingdom."""
    found = []
    for seat in range(int(state[layout.NUM_SEATS])):
        counted = empty_tally()
        kernels.tally(state, seat, counted)
        found.append(counted.tolist())
    return found


def tie_breaks(kernels: ModuleType, state: State) -> tuple[list[int], list[int]]:
    """`tie_break` of every seat: its largest area, its crowns."""
    tallies = _tallies(kernels, state)
    return [rest[0] for *_, rest in tallies], [sum(crowns for _, _, crowns, _ in lands) for *lands, _ in tallies]


def of_match(kernels: ModuleType, state: State) -> MetricRows:
    """Per seat: every metric of a finished match, by id."""
    counted = np.zeros((layout.MAX_SEATS, len(_COLUMNS.names)))
    kernels.policies.measure(state, counted)
    return MetricRows(_COLUMNS, counted[: int(state[layout.NUM_SEATS])])
