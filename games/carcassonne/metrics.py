"""Metrics of a Carcassonne match, read from the state's own tallies."""

from __future__ import annotations

from operator import add, sub

import numpy as np

from games.carcassonne import state as layout
from games.carcassonne import tiles
from games.metric_rows import MetricColumns, MetricRows
from games.protocol import Metric, State

_LABELS = {"city": "Cities", "road": "Roads", "monastery": "Monasteries", "field": "Fields"}
_GROUPS = (
    ("points", "points", "points", "Points from {}"),
    ("points finished", "points_{}_finished", "points", "Points from finished {}"),
    ("points open", "points_{}_open", "points", "Points at the end from {}"),
    ("features", "features_{}", "features", "{} that gave points"),
    ("meeples placed", "placed_{}", "meeples", "Meeples placed on {}"),
    ("meeples returned", "returned_{}", "meeples", "Meeples come home from {}"),
    ("meeples stranded", "stranded_{}", "meeples", "Meeples left on {}"),
)


def _kind_rows() -> list[Metric]:
    rows = []
    for group, pattern, unit, label in _GROUPS:
        for kind in tiles.KINDS:
            name = pattern.format(kind) if "{}" in pattern else f"{pattern}_{kind}"
            text = label.format(_LABELS[kind] if label.startswith("{") else _LABELS[kind].lower())
            rows.append(Metric(name, text, unit, group, _LABELS[kind]))
    return rows


TABLE = (
    *_kind_rows(),
    Metric("shared", "Features shared with others", "features", "contest", "Shared"),
    Metric("taken_over", "Features scored alone against others", "features", "contest", "Taken over"),
    Metric("lost", "Features lost to others", "features", "contest", "Lost"),
    Metric("mean_in_hand", "Meeples in hand before own plies, mean", "meeples", "other"),
    Metric("vain_draws", "Draws that fitted nowhere", "draws", "other"),
)


_TALLIES = (layout.POINTS_FINISHED, layout.POINTS_OPEN, layout.FEATURES, layout.PLACED, layout.RETURNED)
_KINDS = len(tiles.KINDS)
_PLACES = np.array(
    [offset + k * layout.MAX_SEATS for offset in _TALLIES for k in range(_KINDS)]
    + [layout.SHARED, layout.TAKEN_OVER, layout.LOST, layout.HAND_SUM, layout.VAIN]
)
"""Where the tallies of seat 0 stand."""
_COLUMNS = MetricColumns(tuple(metric.id for metric in TABLE), frozenset({"mean_in_hand"}))


def of_match(state: State) -> MetricRows:
    """Per seat: every metric of a finished match, by id."""
    seats = int(state[layout.NUM_SEATS])
    return MetricRows(_COLUMNS, np.array([_of_seat(state, seat, seats) for seat in range(seats)], np.float64))


def _of_seat(state: State, seat: int, seats: int) -> tuple[float, ...]:
    """All metrics of one seat, in the order of TABLE."""
    *tallies, shared, taken_over, lost, hand_sum, vain = state[_PLACES + seat].tolist()
    finished, at_end, features, placed, returned = (tallies[i : i + _KINDS] for i in range(0, len(tallies), _KINDS))
    plies = (int(state[layout.NUM_LAID]) - 1 - seat + seats - 1) // seats
    mean_in_hand = hand_sum / plies if plies else float(layout.MEEPLES_PER_SEAT)
    points, stranded = map(add, finished, at_end), map(sub, placed, returned)
    by_kind = (*points, *finished, *at_end, *features, *placed, *returned, *stranded)
    return (*by_kind, shared, taken_over, lost, mean_in_hand, vain)
