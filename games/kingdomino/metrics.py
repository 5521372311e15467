"""Metrics of a Kingdomino match, read back from the fates of its dominoes."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.kingdomino import dominoes, reading
from games.kingdomino import state as layout
from games.kingdomino.reading import Square
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
_IDS = tuple(metric.id for metric in TABLE)
_ROUND_IDS = [(f"score_round_{r}", f"actions_round_{r}", f"listed_round_{r}") for r in range(1, MAX_ROUNDS + 1)]
_LAND_IDS = [tuple(f"{what}_{t}" for what in ("points", "squares", "crowns", "areas")) for t in dominoes.TERRAINS]
"""Ids of the numbers that the kernel `tally` has of each terrain."""
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


class Choice(NamedTuple):
    """A domino of a row: who took it (None: it was left aside), in which round and from which place."""

    domino: int
    seat: int | None
    round: int
    place: int


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


def _drafted(state: State) -> list[Choice]:
    """All dominoes of the rows that were drawn."""
    words = state[layout.FATE : layout.FATE + layout.NUM_DOMINOES].tolist()
    return [
        Choice(
            number,
            word >> layout.FATE_SEAT & 3 if word & 1 else None,
            word >> layout.FATE_ROUND & 15,
            word >> layout.FATE_PLACE & 3,
        )
        for number, word in enumerate(words, 1)
        if word
    ]


def of_match(kernels: ModuleType, state: State) -> tuple[Mapping[str, float], ...]:
    """Per seat: every metric of a finished match, by id."""
    rounds = int(state[layout.NUM_ROWS]) + 1
    past = np.zeros((MAX_ROUNDS, layout.MAX_SEATS, 4), np.int64)
    kernels.look_back(state, past)
    drafted = _drafted(state)
    aside = {(choice.round, choice.place) for choice in drafted if choice.seat is None}
    by_seat = past.transpose(1, 0, 2)[:, :rounds].tolist()
    rows = (
        _of_kingdom(counted)
        | {"discards": int(state[layout.KINGDOMS + layout.KINGDOM * seat + layout.DISCARDS])}
        | _of_choices(state, seat, [choice for choice in drafted if choice.seat == seat], aside)
        | _by_rounds(by_seat[seat])
        | _of_draft(state, seat, float(by_seat[seat][-1][0]))
        | denied
        for seat, (counted, denied) in enumerate(zip(_tallies(kernels, state), _denied(kernels, state), strict=True))
    )
    return tuple({name: row[name] for name in _IDS if name in row} for row in rows)


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


def _of_kingdom(counted: Sequence[Sequence[int]]) -> dict[str, float]:
    """What lies at the end, by the kernel `tally`."""
    *lands, (largest, holes, middle, harmony) = counted
    values: dict[str, float] = {"points_middle": middle, "points_harmony": harmony, "largest": largest, "holes": holes}
    for names, numbers in zip(_LAND_IDS, lands, strict=True):
        values.update(zip(names, numbers, strict=True))
    return values


def _of_choices(state: State, seat: int, own: Sequence[Choice], aside: Container[tuple[int, int]]) -> dict[str, float]:
    """What a seat chose from the rows. aside: rounds and places of the dominoes that nobody took."""
    return {
        "first_choices": _first_choices(state, seat, own, aside),
        "mean_place": sum([choice.place + 1 for choice in own]) / len(own),
        "mean_number": sum([choice.domino for choice in own]) / len(own),
    }


def _by_rounds(past: Sequence[Sequence[int]]) -> dict[str, float]:
    """What the kernel `look_back` says of a seat, round by round."""
    values: dict[str, float] = {}
    for (score, actions_, listed_), (points, actions, listed, plies) in zip(_ROUND_IDS, past, strict=False):
        values[score] = points
        if plies:
            values[actions_], values[listed_] = actions / plies, listed / plies
    return values


def _first_choices(state: State, seat: int, own: Sequence[Choice], aside: Container[tuple[int, int]]) -> int:
    """Rounds in which the seat chose first: it held the lowest domino of the row before."""
    rows = int(state[layout.NUM_ROWS])
    first = sum(
        choice.round < rows and all((choice.round, place) in aside for place in range(choice.place)) for choice in own
    )
    return first + int(state[layout.ORDER] == seat + 1)
