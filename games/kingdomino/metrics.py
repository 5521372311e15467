"""Metrics of a Kingdomino match, read back from the fates of its dominoes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.kingdomino import dominoes, reading
from games.kingdomino import state as layout
from games.kingdomino.reading import Fate, Square
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


def holes(kingdom: Sequence[Square], limit: int) -> int:
    """Empty squares within the kingdom's bounds that have no empty neighbour within its reach.

    A square is within reach where the kingdom would keep its limit with it.
    """
    laid = {(square.x, square.y) for square in kingdom} | {(0, 0)}
    columns, rows = [x for x, _ in laid], [y for _, y in laid]
    across = range(max(columns) - limit + 1, min(columns) + limit)
    along = range(max(rows) - limit + 1, min(rows) + limit)
    empty = {(x, y) for x in across for y in along} - laid
    inside = [(x, y) for x, y in empty if min(columns) <= x <= max(columns) and min(rows) <= y <= max(rows)]
    return sum(all((x + dx, y + dy) not in empty for dx, dy in reading.STEPS) for x, y in inside)


def of_match(kernels: ModuleType, state: State) -> tuple[Mapping[str, float], ...]:
    """Per seat: every metric of a finished match, by id."""
    rounds = int(state[layout.NUM_ROWS]) + 1
    past = np.zeros((MAX_ROUNDS, layout.MAX_SEATS, 4), np.int64)
    kernels.look_back(state, past)
    chosen = reading.fates(state)
    rows = (
        _of_seat(kernels, state, seat, [row for row in chosen if row.seat == seat], past[:rounds, seat])
        | _of_draft(state, seat, float(past[rounds - 1, seat, 0]))
        | denied
        for seat, denied in enumerate(_denied(kernels, state))
    )
    return tuple({metric.id: row[metric.id] for metric in TABLE if metric.id in row} for row in rows)


def _denied(kernels: ModuleType, state: State) -> list[dict[str, float]]:
    """Per seat: dominoes that it took from the next to choose; nothing where a seat has two kings.

    See `denied_dominoes.denied` for what counts.
    """
    seats = int(state[layout.NUM_SEATS])
    if state[layout.NUM_KINGS] != seats:
        return [{}] * seats
    found = np.zeros(layout.MAX_SEATS, np.int64)
    kernels.policies.denied(state, found)
    return [{"denied": float(number)} for number in found[:seats]]


def _of_draft(state: State, seat: int, score: float) -> dict[str, float]:
    """Place among the seats at which the seat's first king chose in round 1, and its score as of that choice alone."""
    kings = [int(word) - 1 for word in state[layout.ORDER : layout.ORDER + int(state[layout.NUM_KINGS])]]
    own = list(dict.fromkeys(kings)).index(seat) + 1
    orders = range(1, int(state[layout.NUM_SEATS]) + 1)
    return {f"order_{k}": float(k == own) for k in orders} | {f"score_order_{own}": score}


def _of_seat(
    kernels: ModuleType, state: State, seat: int, chosen: Sequence[Fate], past: NDArray[np.int64]
) -> dict[str, float]:
    kingdom = reading.kingdom(state, seat)
    found = areas(kingdom)
    at = layout.KINGDOMS + layout.KINGDOM * seat
    squares, crowns = Counter[str](), Counter[str]()
    for square in kingdom:
        squares[square.terrain] += 1
        crowns[square.terrain] += square.crowns
    values: dict[str, float] = {
        "points_middle": int(kernels.middle_points(state, at, seat)),
        "points_harmony": int(kernels.harmony_points(state, at, seat)),
        "largest": max((len(area.squares) for area in found), default=0),
        "discards": int(state[at + layout.DISCARDS]),
        "holes": holes(kingdom, int(state[layout.LIMIT])),
        "first_choices": _first_choices(state, seat, chosen),
        "mean_place": sum(row.place + 1 for row in chosen) / len(chosen),
        "mean_number": sum(row.domino for row in chosen) / len(chosen),
    }
    for terrain in dominoes.TERRAINS:
        values |= {
            f"points_{terrain}": sum(area.points for area in found if area.terrain == terrain),
            f"squares_{terrain}": squares[terrain],
            f"crowns_{terrain}": crowns[terrain],
            f"areas_{terrain}": sum(area.terrain == terrain for area in found),
        }
    for index, (points, actions, listed, plies) in enumerate(past.tolist(), start=1):
        values[f"score_round_{index}"] = points
        if plies:
            values |= {f"actions_round_{index}": actions / plies, f"listed_round_{index}": listed / plies}
    return values


def _first_choices(state: State, seat: int, chosen: Sequence[Fate]) -> int:
    """Rounds in which the seat chose first: it held the lowest domino of the row before."""
    aside = {(round_, place) for _, round_, place in reading.left_aside(state)}
    first = sum(
        row.round < int(state[layout.NUM_ROWS]) and all((row.round, place) in aside for place in range(row.place))
        for row in chosen
    )
    return first + int(state[layout.ORDER] == seat + 1)
