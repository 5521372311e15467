"""Metrics of a Carcassonne match, read from the state's own tallies."""

from __future__ import annotations

from collections.abc import Mapping

from games.carcassonne import state as layout
from games.carcassonne import tiles
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


def of_seat(state: State, seat: int) -> Mapping[str, float]:
    """All metrics of one seat in a finished match, by id."""

    def tally(offset: int, kind: int) -> int:
        return int(state[offset + kind * layout.MAX_SEATS + seat])

    values: dict[str, float] = {}
    for k, kind in enumerate(tiles.KINDS):
        finished, at_end = tally(layout.POINTS_FINISHED, k), tally(layout.POINTS_OPEN, k)
        placed, returned = tally(layout.PLACED, k), tally(layout.RETURNED, k)
        values |= {
            f"points_{kind}": finished + at_end,
            f"points_{kind}_finished": finished,
            f"points_{kind}_open": at_end,
            f"features_{kind}": tally(layout.FEATURES, k),
            f"placed_{kind}": placed,
            f"returned_{kind}": returned,
            f"stranded_{kind}": placed - returned,
        }
    seats = int(state[layout.NUM_SEATS])
    plies = (int(state[layout.NUM_LAID]) - 1 - seat + seats - 1) // seats
    values |= {
        "shared": int(state[layout.SHARED + seat]),
        "taken_over": int(state[layout.TAKEN_OVER + seat]),
        "lost": int(state[layout.LOST + seat]),
        "mean_in_hand": int(state[layout.HAND_SUM + seat]) / plies if plies else float(layout.MEEPLES_PER_SEAT),
        "vain_draws": int(state[layout.VAIN + seat]),
    }
    return {metric.id: values[metric.id] for metric in TABLE}
