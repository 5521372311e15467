"""Layout of the table: kingdoms, draft, points; in drawing units.

Two arrangements. For everybody: kingdoms of one size round the draft. For a seat: its own
kingdom first and largest, its squares as large as all those that it may still reach allow, and
the draft below it, so that a phone shows both at once; the others stand to the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.kingdomino.board.picture import Cell, Laid, Picture

MARGIN, GAP = 26, 36
HEAD = 58
"""Height of the plate above a kingdom, with the gap below it."""
TITLE, ROW_GAP = 44, 14
WRITING = 15.6
"""Size of the smallest writing on a wide stage: over a row of the draft, and on the plates of others."""
TITLE_SIZE = 27
"""Size of the words over a row of the draft, where a board is not in play."""
DOMINO = (200, 100)
TABLE_ROW = 43
_CENTRE = 2 * DOMINO[0] + 30
_ROUND = 52


class Slot(NamedTuple):
    """Place of a kingdom's squares: corner, size of a square as a part of 100 units, squares along its side."""

    x: float
    y: float
    scale: float
    cells: int

    @property
    def side(self) -> float:
        """Width and height."""
        return 100 * self.scale * self.cells


class Draft(NamedTuple):
    """Corners of the dominoes of both rows and of their titles, and the dominoes' scale."""

    now: Sequence[tuple[float, float]]
    next: Sequence[tuple[float, float]]
    titles: tuple[tuple[float, float], tuple[float, float]]
    scale: float


class Arrangement(NamedTuple):
    """slots: by seat; points: corner and width of the table of points; round: where it is named (None: nowhere)."""

    slots: Sequence[Slot]
    draft: Draft
    points: tuple[float, float, float]
    round: tuple[float, float] | None
    box: tuple[float, float, float, float]


class Window(NamedTuple):
    """The square in a slot's corner; half a square off where an own kingdom is centred."""

    left: float
    top: float


def _start(low: int, high: int, cells: int) -> int:
    """First line of a window over low to high, the castle as central as can be."""
    return min(max(-(cells // 2), high - cells + 1), low)


def window(cells: Iterable[Cell], size: int) -> Window:
    """Window of size x size squares that holds these and the castle."""
    xs, ys = zip((0, 0), *cells, strict=True)
    return Window(_start(min(xs), max(xs), size), _start(min(ys), max(ys), size))


def centre_window(cells: Iterable[Cell], size: int) -> Window:
    """Window of size x size squares with these in its middle."""
    xs, ys = zip(*cells, strict=True)
    return Window((min(xs) + max(xs) + 1 - size) / 2, (min(ys) + max(ys) + 1 - size) / 2)


def fit_slot(slot: Slot, cells: Iterable[Cell]) -> Slot:
    """The slot with squares so small that these and the castle fit in."""
    xs, ys = zip((0, 0), *cells, strict=True)
    needed = max(max(xs) - min(xs), max(ys) - min(ys)) + 1
    return slot if needed <= slot.cells else Slot(slot.x, slot.y, slot.scale * slot.cells / needed, needed)


def reach(laid: Sequence[Laid], limit: int) -> list[Cell]:
    """Squares within two of the kingdom that its limit still allows: no domino can be placed elsewhere."""
    xs, ys = zip((0, 0), *(cell for one in laid for cell in one.ends), strict=True)
    across, along = (
        range(max(min(line) - 2, max(line) - limit + 1), min(max(line) + 2, min(line) + limit - 1) + 1)
        for line in (xs, ys)
    )
    return [(x, y) for y in along for x in across]


def points_height(picture: Picture) -> float:
    """Height of the table of points."""
    return TABLE_ROW * (len(picture.kinds) + 1) + 10


def _box(width: float, height: float) -> tuple[float, float, float, float]:
    return -MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN


def for_all(picture: Picture, first: int = 0) -> Arrangement:
    """Kingdoms of one size left and right, from that of seat `first` on, the draft between them."""
    seats, limit, kings, row = picture.num_seats, picture.limit, picture.kings, picture.row
    side = 650 if seats == 2 and limit == 5 else 100 * limit
    left = side + GAP
    right = left + _CENTRE + GAP
    tops = [HEAD + (side + HEAD + GAP) * (place // 2) for place in range(seats)]
    slots = [Slot((0, right)[place % 2], tops[place], side / limit / 100, limit) for place in range(seats)]
    pitch, top = DOMINO[1] + ROW_GAP, _ROUND + TITLE
    columns = (left, left + _CENTRE - DOMINO[0])
    now, next_ = ([(x, top + pitch * at) for at in range(many)] for x, many in zip(columns, (kings, row), strict=True))
    draft = Draft(now, next_, ((columns[0], _ROUND), (columns[1], _ROUND)), 1)
    below = top + pitch * row + GAP
    points = (right, slots[2].y - HEAD, float(side)) if seats == 3 else (left, below, float(_CENTRE))
    height = max(slots[-1].y + side, points[1] + points_height(picture))
    by_seat = [slots[(seat - first) % seats] for seat in range(seats)]
    return Arrangement(by_seat, draft, points, (left + _CENTRE / 2, 34), _box(right + side, height))


def for_seat(picture: Picture, seat: int) -> Arrangement:
    """The kingdom of `seat` first, the draft below it, the others to the right."""
    others = [other for other in range(picture.num_seats) if other != seat]
    slots = {seat: Slot(0, HEAD, 1 + 2 / picture.limit, picture.limit)}
    width = slots[seat].side
    draft = _rows(HEAD + width + ROW_GAP, width, (picture.kings, picture.row))
    scale = 0.9 if len(others) == 3 else 1.0
    side, x = 100 * scale * picture.limit, width + GAP
    for i, other in enumerate(others):
        slots[other] = Slot(x + (side + GAP) * (i % 2), HEAD + (side + HEAD + GAP) * (i // 2), scale, picture.limit)
    below = HEAD + side + GAP
    points = (x + side + GAP, below, side) if len(others) == 3 else (x, below, side)
    if len(others) == 2:
        points = (x, below, 2 * side + GAP)
    right = x + (side if len(others) == 1 else 2 * side + GAP)
    height = max(draft.next[0][1] + DOMINO[1] * draft.scale, points[1] + points_height(picture))
    ordered = [slots[other] for other in range(picture.num_seats)]
    return Arrangement(ordered, draft, points, None, _box(right, height))


def _rows(top: float, width: float, lengths: tuple[int, int]) -> Draft:
    """Both rows one below the other, of these numbers of dominoes, four dominoes wide."""
    scale = min(1.0, (width - 3 * ROW_GAP) / 4 / DOMINO[0])
    pitch = TITLE + DOMINO[1] * scale + ROW_GAP
    step = DOMINO[0] * scale + ROW_GAP
    now, next_ = ([(step * at, top + pitch * row + TITLE) for at in range(many)] for row, many in enumerate(lengths))
    return Draft(now, next_, ((0, top), (0, top + pitch)), scale)
