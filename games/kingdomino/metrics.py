"""What dashboards count in a Kingdomino match, read back from the fates of its dominoes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

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
    for group, unit, what in (("squares", "squares", "Squares"), ("crowns", "crowns", "Crowns"), ("areas", "areas", "Areas")):
        rows += [Metric(f"{group}_{t}", f"{what} of {t}", unit, group, _LABELS[t]) for t in dominoes.TERRAINS]
    return rows


TABLE = (
    *_terrain_rows(),
    Metric("largest", "Largest area", "squares", "kingdom"),
    Metric("discards", "Dominoes discarded", "dominoes", "kingdom"),
    Metric("holes", "Empty squares that no domino can reach", "squares", "kingdom"),
    Metric("first_choices", "Rounds with the first choice", "rounds", "draft"),
    Metric("mean_place", "Place taken in the row, mean", "places", "draft"),
    Metric("mean_number", "Number of the dominoes chosen, mean", "", "draft"),
    *(Metric(f"score_round_{r}", f"Score after round {r}", "points", "score by round", str(r)) for r in range(1, MAX_ROUNDS + 1)),
)


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
