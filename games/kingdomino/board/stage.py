"""Layout of a board in play, in drawing units, in two arrangements of the same pieces.

``wide``    the own kingdom as high as the stage, the others over the draft beside it;
``narrow``  for a phone: the own kingdom over the draft; another one is shown where its plate is pointed at.

A spectator has all kingdoms alike. Every piece is drawn once, at its wide place: `Place` says how it comes to
its narrow one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.kingdomino.board.layout import DOMINO, Arrangement, Draft, Slot
from games.kingdomino.board.picture import Picture

MARGIN, _PHONE_MARGIN = 8, 4
SIDE, WIDTH = 580.0, 936.0
"""Height of a wide stage, which is the side of an own kingdom, and its width."""
_BESIDE = 22
_PHONE = 382.0
HEAD = 27.0
"""Height of the plate above the kingdom of another."""
_TITLE_ROOM, _GAP, _ROWS = 25.0, 12.0, 4
_SMALL_DRAFT = 0.6
_DISCARD = 74.0
"""Room below an own kingdom for the button that discards, where that may be chosen beside a place."""


class Place(NamedTuple):
    """Place of a piece in both arrangements: corner and scale; narrow: None where a phone has none for it."""

    wide: tuple[float, float, float]
    narrow: tuple[float, float, float] | None


class Stage(NamedTuple):
    """wide: the arrangement in which pieces are drawn; narrow: that of a phone."""

    wide: Arrangement
    narrow: Arrangement

    def kingdom(self, seat: int) -> Place:
        """Place of what lies in a kingdom as it is drawn in the wide arrangement."""
        wide, narrow = self.wide.slots[seat], self.narrow.slots[seat]
        if not narrow.scale:
            return Place((0, 0, 1), None)
        scale = narrow.side / wide.side
        return Place((0, 0, 1), (narrow.x - wide.x * scale, narrow.y - wide.y * scale, scale))

    def domino(self, row: str, place: int) -> Place:
        """Place of a domino of a row of the draft, ``now`` or ``next``."""
        (wide, narrow) = ((getattr(one.draft, row)[place], one.draft.scale) for one in (self.wide, self.narrow))
        return Place((*wide[0], wide[1]), (*narrow[0], narrow[1]))

    def title(self, row: int) -> Place:
        """Place of the words over a row."""
        return Place((*self.wide.draft.titles[row], 1), (*self.narrow.draft.titles[row], 1))


def arrange(picture: Picture, seat: int | None, *, may_discard: bool) -> Stage:
    """Lay out a board for a seat (None: a spectator). may_discard: a domino that fits may be discarded all the same."""
    wide = _wide(picture, seat, may_discard=may_discard)
    return Stage(wide, _narrow(picture, seat, may_discard=may_discard))


def slot_of(x: float, y: float, side: float, limit: int) -> Slot:
    """Return the place of a kingdom of `limit` squares a side whose sides are so long."""
    return Slot(x, y, side / limit / 100, limit)


def _wide(picture: Picture, seat: int | None, *, may_discard: bool) -> Arrangement:
    seats, limit = picture.num_seats, picture.limit
    scale = _SMALL_DRAFT if seat is None and seats == 2 else (WIDTH - SIDE - _BESIDE - _GAP) / 2 / DOMINO[0]
    width = 2 * DOMINO[0] * scale + _GAP
    left, step = WIDTH - width, DOMINO[1] * scale + 9
    top = SIDE - (_ROWS - 1) * step - DOMINO[1] * scale
    columns = (left, left + DOMINO[0] * scale + _GAP)
    if seat is None and seats == 2:
        top = (SIDE - (_ROWS - 1) * step) / 2
    now, next_ = ([(x, top + step * place) for place in range(_ROWS)] for x in columns)
    titles = (columns[0], top - _TITLE_ROOM), (columns[1], top - _TITLE_ROOM)
    draft = Draft(now, next_, titles, scale)
    if seat is None:
        slots = _alike(seats, limit, left - _BESIDE, SIDE, HEAD)
    else:
        own = SIDE - (_DISCARD if may_discard else 0)
        others = [other for other in range(seats) if other != seat]
        room = top - _TITLE_ROOM - _GAP - HEAD
        side = min(room, (width - 8 * (len(others) - 1)) / len(others))
        found = {other: slot_of(left + (side + 8) * i, HEAD, side, limit) for i, other in enumerate(others)}
        found[seat] = slot_of(0, 0, own, limit)
        slots = [found[one] for one in range(seats)]
    return _arrangement(slots, draft, WIDTH, SIDE, MARGIN)


def _narrow(picture: Picture, seat: int | None, *, may_discard: bool) -> Arrangement:
    seats, limit = picture.num_seats, picture.limit
    if seat is None:
        side = (_PHONE - _GAP) / 2 if seats == 2 else 176.0
        height = side * (1 if seats == 2 else 2) + (0 if seats == 2 else _GAP)
        slots = _alike(seats, limit, _PHONE, height, 0)
    else:
        side = _PHONE - (_DISCARD * _PHONE / SIDE if may_discard else 0)
        height = _PHONE
        slots = [slot_of(0, 0, side, limit) if one == seat else Slot(0, 0, 0, limit) for one in range(seats)]
    scale = (_PHONE - 8 * (_ROWS - 1)) / _ROWS / DOMINO[0]
    step_x, step_y = DOMINO[0] * scale + 8, DOMINO[1] * scale + _TITLE_ROOM + 2
    tops = (height + 2, height + 2 + step_y)
    now, next_ = ([(step_x * place, top + _TITLE_ROOM - 3) for place in range(_ROWS)] for top in tops)
    draft = Draft(now, next_, ((0, tops[0]), (0, tops[1])), scale)
    return _arrangement(slots, draft, _PHONE, tops[1] + step_y, _PHONE_MARGIN)


def _alike(seats: int, limit: int, width: float, height: float, head: float) -> list[Slot]:
    """Kingdoms of one size, two in a row, in the middle of a room."""
    rows = -(-seats // 2)
    side = min((width - _GAP) / 2, (height - _GAP * (rows - 1)) / rows - head)
    left, top = (width - 2 * side - _GAP) / 2, (height - (side + head) * rows - _GAP * (rows - 1)) / 2
    return [
        slot_of(left + (side + _GAP) * (i % 2), top + head + (side + head + _GAP) * (i // 2), side, limit)
        for i in range(seats)
    ]


def _arrangement(slots: Sequence[Slot], draft: Draft, width: float, height: float, margin: float) -> Arrangement:
    box = (-margin, -margin, width + 2 * margin, height + 2 * margin)
    return Arrangement(slots, draft, (0, 0, 0), None, box)
