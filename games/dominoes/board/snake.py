"""Course of the row of tiles: from the opening tile to both sides, turning at the edges.

Units are half a tile, the opening tile lies in the middle. Each arm runs to the edge, turns away
from the middle row and, about two tiles further, comes back, so rows are three or four units
apart and doubles across never touch. The left arm is a right arm turned by half a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.dominoes.reading import Laid

_STEP = ((1, 0), (0, 1), (-1, 0))
_RIGHT, _DOWN = 0, 1
_GAP = 0.62
"""Gap from the last tile to the middle of the sign of an open end."""


class Place(NamedTuple):
    """A tile as it lies: centre, quarter turns of its inner number from the top, whether it lies flat."""

    inner: int
    outer: int
    seat: int
    turn_laid: int
    x: float
    y: float
    turn: int
    is_flat: bool


class End(NamedTuple):
    """An open end: its number, and where the sign of it stands."""

    number: int
    x: float
    y: float


class _Cursor:
    """The open end of an arm that leaves the opening tile to the right."""

    def __init__(self, start: float, limit: float) -> None:
        self.limit = limit
        self.x, self.y, self.way = start, 0.0, _RIGHT
        self.came, self.row = _RIGHT, 0.0

    def lay(self, is_double: bool) -> tuple[float, float, int]:
        """Centre and direction of the next tile; a corner tile keeps its inner half in line."""
        dx, dy = _STEP[self.way]
        near_edge = abs(self.x + 2 * dx) > self.limit and (self.x > 0) == (self.way == _RIGHT)
        if self.way != _DOWN and not is_double and near_edge:
            self.x, self.y = self.x + 0.5 * dx, self.y - 0.5
            self.came, self.row, self.way = self.way, self.y, _DOWN
        elif self.way == _DOWN and not is_double and self.y - self.row >= 2.5:
            self.x, self.y, self.way = self.x + 0.5 * _STEP[self.came][0], self.y + 0.5, 2 - self.came
        length, (dx, dy) = (1 if is_double else 2), _STEP[self.way]
        centre = (self.x + dx * length / 2, self.y + dy * length / 2, self.way)
        self.x, self.y = self.x + dx * length, self.y + dy * length
        return centre

    @property
    def beyond(self) -> tuple[float, float]:
        """Place of the sign of the open end."""
        dx, dy = _STEP[self.way]
        return self.x + _GAP * dx, self.y + _GAP * dy


def layout(row: Sequence[Laid], limit: float) -> tuple[list[Place], list[End]]:
    """Places of a row of tiles, opening tile first, then left arm and right arm; and its two ends, left first.

    limit: how far from the middle a tile may begin.
    """
    if not row:
        return [], []
    first = min(range(len(row)), key=lambda k: row[k].turn)
    opening = row[first]
    is_double = opening.left == opening.right
    places = [
        Place(opening.left, opening.right, opening.seat, opening.turn, 0, 0, 0 if is_double else 3, not is_double)
    ]
    ends = []
    arms = ([(t.right, t.left, t) for t in row[:first][::-1]], [(t.left, t.right, t) for t in row[first + 1 :]])
    for sign, arm, number in ((-1, arms[0], opening.left), (1, arms[1], opening.right)):
        cursor = _Cursor(0.5 if is_double else 1.0, limit)
        for inner, outer, laid in arm:
            x, y, way = cursor.lay(inner == outer)
            across = inner == outer
            turn = (3, 0, 1)[way] + (2 if sign < 0 else 0) + (1 if across else 0)
            is_flat = (way != _DOWN) != across
            places.append(Place(inner, outer, laid.seat, laid.turn, sign * x, sign * y, turn % 4, is_flat))
            number = outer
        x, y = cursor.beyond
        ends.append(End(number, sign * x, sign * y))
    return places, ends


class Frame(NamedTuple):
    """Map from units to drawing units: (x, y) lies at (left + unit x, top + unit y)."""

    left: float
    top: float
    unit: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point in drawing units."""
        return self.left + self.unit * x, self.top + self.unit * y


def fit(places: Sequence[Place], ends: Sequence[End], box: tuple[float, float, float, float], largest: float) -> Frame:
    """Centre a row in a box (left, top, width, height), as large as fits and at most `largest` a unit."""
    left, top, width, height = box
    xs = [0.0, *(p.x + d for p in places for d in (-1.2, 1.2)), *(end.x + d for end in ends for d in (-0.5, 0.5))]
    ys = [0.0, *(p.y + d for p in places for d in (-1.2, 1.2)), *(end.y + d for end in ends for d in (-0.5, 0.5))]
    across, along = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    unit = min(largest, width / across, height / along)
    return Frame(
        left + width / 2 - unit * (min(xs) + max(xs)) / 2, top + height / 2 - unit * (min(ys) + max(ys)) / 2, unit
    )
