"""Layout of the table, in drawing units, in two arrangements.

``WIDE``    the supply in rows, own deck, discard pile and trash beside it; the turn; cards in play beside the hand;
``NARROW``  the same from top to bottom for a phone: piles are chips, the hand lies at the thumb.

Seats lie above it where nothing else on the page shows them. A row of cards never grows: cards come to
overlap, then to lie in two rows of chips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from games.dominion.board.symbols import BASIC, CARD, CHIP, LOW, Form

TRASH = -1
"""Stands for the trash among the piles."""
_NUM_BASIC = 7
_KINGDOMS = ((10, CARD, 5), (15, LOW, 5), (30, CHIP, 6))
"""Form of kingdom cards and how many lie side by side, in kingdoms of at most so many: none is made smaller."""
_CHIPS = 3
"""Chips side by side on a phone."""


class Box(NamedTuple):
    """A place: corner, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.y + self.height


class Spot(NamedTuple):
    """Place of a card: corner, form, scale, and how much of its width is not covered by the next one."""

    x: float
    y: float
    form: Form
    scale: float
    seen: float

    @property
    def box(self) -> Box:
        """The whole card."""
        return Box(self.x, self.y, self.form.width * self.scale, self.form.height * self.scale)


@dataclass(frozen=True)
class Style:
    """Measures of an arrangement, in pixels.

    least_seen: width of a card that others cover; label: height of the words over a row of cards; aside:
    width of the column of own piles and trash (0: none).
    """

    name: str
    width: float
    gap: float
    margin: float
    seat_height: float
    turn_height: float
    least_seen: float
    label: float
    aside: float


WIDE = Style("wide", 936, 6, 4, 42, 34, 86, 21, 100)
NARROW = Style("narrow", 370, 4, 1, 31, 25, 62, 15, 0)
_DECK = (78, 104)
_HAND_SHARE, _HAND_SHARE_BESIDE_MORE = 0.56, 0.4
"""Least part of the width for a hand, with one group of cards on the table and with more."""
_LEAST_COVERED = 22
"""Width of a card on the table that is always seen."""
_BETWEEN = 18
"""Space between what lies on the table and the hand."""


@dataclass(frozen=True)
class Arrangement:
    """Places that stay through a match.

    seats: by seat (empty: not drawn); piles: by number of the card, and TRASH; turn: what is left of it; table:
    room of cards in play and of the hand; deck, heap: own deck and discard pile (None: not drawn); box: what
    is in view.
    """

    style: Style
    seats: Sequence[Box]
    piles: dict[int, Spot]
    turn: Box
    table: Box
    deck: Box | None
    heap: Box | None
    box: Box

    @property
    def key(self) -> str:
        """``wide`` or ``narrow``."""
        return self.style.name

    @cached_property
    def supply(self) -> Box:
        """Room of all piles."""
        boxes = [spot.box for number, spot in self.piles.items() if number != TRASH]
        x, y = min(box.x for box in boxes), min(box.y for box in boxes)
        return Box(x, y, max(box.right for box in boxes) - x, max(box.bottom for box in boxes) - y)


def arrange(
    style: Style, num_seats: int, order: Sequence[int], *, has_deck: bool = True, has_seats: bool = True
) -> Arrangement:
    """Lay out a table.

    order: numbers of the piles, the basic ones first; has_deck: whether somebody's own deck and
    discard pile lie beside the supply, where there is room; has_seats: whether plates of the seats lie above.
    """
    gap, top, seats = style.gap, 0.0, list[Box]()
    if has_seats:
        each = (style.width - gap * (num_seats - 1)) / num_seats
        seats = [Box((each + gap) * seat, 0, each, style.seat_height) for seat in range(num_seats)]
        top = style.seat_height + gap
    piles = _chips(style, order, top) if style is NARROW else _cards(style, order, top)
    deck = heap = None
    y = max(spot.box.bottom for spot in piles.values()) + gap
    if style is WIDE and has_deck:
        trash = piles[TRASH].box
        deck = Box(trash.x + (trash.width - _DECK[0]) / 2, trash.bottom + 14, *_DECK)
        heap = Box(trash.x, deck.bottom + 26, trash.width, 78)
        y = max(y, heap.bottom + style.label)
    turn = Box(0, y, style.width, style.turn_height)
    high = style.label + CARD.height + (style.label + CHIP.height + gap if style is NARROW else 0)
    table = Box(0, turn.bottom + gap, style.width, high)
    margin = style.margin
    box = Box(-margin, -margin, style.width + 2 * margin, table.bottom + 2 * margin)
    return Arrangement(style, seats, piles, turn, table, deck, heap, box)


def _chips(style: Style, order: Sequence[int], top: float) -> dict[int, Spot]:
    """Chips in rows of three, the trash at their end."""
    step = (style.width + style.gap) / _CHIPS
    return {
        number: Spot(step * (place % _CHIPS), top + (CHIP.height + style.gap) * (place // _CHIPS), CHIP, 1, CHIP.width)
        for place, number in enumerate([*order, TRASH])
    }


def _cards(style: Style, order: Sequence[int], top: float) -> dict[int, Spot]:
    """A row of basic cards, then the kingdom in rows of equal cards; the trash in the column beside."""
    room, gap = style.width - style.aside - 2 * style.gap, style.gap
    basic, kingdom = order[:_NUM_BASIC], order[_NUM_BASIC:]
    found = _lay(basic, BASIC, Box(0, top, room, 0), _NUM_BASIC, gap)
    y = top + found[basic[0]].box.height + gap
    form, columns = next((form, columns) for most, form, columns in _KINGDOMS if len(kingdom) <= most)
    found |= _lay(kingdom, form, Box(0, y, room, 0), columns, gap)
    trash = Spot(style.width - style.aside, top, BASIC, style.aside / BASIC.width, style.aside)
    return found | {TRASH: trash}


def _lay(numbers: Sequence[int], form: Form, room: Box, columns: int, gap: float) -> dict[int, Spot]:
    """Cards in rows that are as wide as the room."""
    width = (room.width - gap * (columns - 1)) / columns
    scale = width / form.width
    step_x, step_y = width + gap, form.height * scale + gap
    return {
        number: Spot(room.x + step_x * (place % columns), room.y + step_y * (place // columns), form, scale, width)
        for place, number in enumerate(numbers)
    }


class Rooms(NamedTuple):
    """Rooms below the turn: of groups of cards on the table, and of the hand; labels stand above them."""

    groups: Sequence[Box]
    hand: Box


def rooms(arranged: Arrangement, groups: Sequence[int], in_hand: int) -> Rooms:
    """Share the room below the turn. groups: kinds of cards in each group on the table; in_hand: in the hand."""
    style, table = arranged.style, arranged.table
    if style is NARROW:
        row = Box(table.x, table.y + style.label, table.width, CHIP.height)
        hand_ = Box(table.x, row.bottom + style.gap + style.label, table.width, CARD.height)
        return Rooms(split(style, row, groups), hand_)
    top = table.y + style.label
    needed = max(2, in_hand) * style.least_seen + CARD.width - style.least_seen
    share = _HAND_SHARE if len(groups) == 1 else _HAND_SHARE_BESIDE_MORE
    most = max(table.width - needed - _BETWEEN, table.width * (1 - share))
    row = Box(table.x, top, min(_wanted(style, groups), most), CARD.height)
    x = row.right + _BETWEEN
    return Rooms(split(style, row, groups), Box(x, top, table.right - x, CARD.height))


def _form(style: Style) -> Form:
    """Form of a card on the table."""
    return CHIP if style is NARROW else CARD


def _wanted(style: Style, groups: Sequence[int]) -> float:
    """Width in which no card of the groups is covered."""
    columns = sum(max(1, kinds) for kinds in groups)
    return columns * (_form(style).width + style.gap) - style.gap + style.gap * (len(groups) - 1)


def split(style: Style, room: Box, groups: Sequence[int]) -> list[Box]:
    """Share the room of the table among groups of so many kinds of cards, one whole card each at least."""
    between, columns = style.gap * 2, [max(1, kinds) for kinds in groups]
    covered = _LEAST_COVERED * (sum(columns) - len(groups))
    card = min(_form(style).width, (room.width - between * (len(groups) - 1) - covered) / len(groups))
    spare = room.width - between * (len(groups) - 1) - card * len(groups)
    step = min(card + style.gap, spare / max(sum(columns) - len(groups), 1))
    x, found = room.x, []
    for count in columns:
        width = card + step * (count - 1)
        found.append(Box(x, room.y, width, room.height))
        x += width + between
    return found


def played_spots(style: Style, room: Box, kinds: int) -> list[Spot]:
    """Spots of cards on the table."""
    if style is NARROW:
        most = room.width - _LEAST_COVERED * max(kinds - 1, 0)
        return _row(CHIP, min(1, most / CHIP.width), room, kinds, style.gap)
    return hand(style, room, kinds)


def hand(style: Style, room: Box, kinds: int) -> list[Spot]:
    """Spots of the hand: one row, or rows of chips where too little of each could be seen."""
    if kinds < 2 or (room.width - CARD.width) / (kinds - 1) >= style.least_seen:
        return _row(CARD, min(1, room.width / CARD.width), room, kinds, style.gap)
    rows = 2 if kinds <= 2 * _fitting(style, room) else 3
    count, step = -(-kinds // rows), (room.height - CHIP.height) / (rows - 1)
    found: list[Spot] = []
    for row in range(rows):
        lower = room._replace(y=room.y + step * row, height=CHIP.height)
        found += _row(CHIP, 1, lower, min(count, kinds - len(found)), style.gap, count)
    return found


def _fitting(style: Style, room: Box) -> int:
    """Chips that lie side by side in a room."""
    return max(1, int((room.width + style.gap) // (CHIP.width + style.gap)))


def _row(form: Form, scale: float, room: Box, kinds: int, gap: float, alike: int | None = None) -> list[Spot]:
    """Cards side by side, overlapping where they must. alike: step as in a row of so many."""
    width, steps = form.width * scale, (kinds if alike is None else alike) - 1
    step = min(width + gap, (room.width - width) / max(steps, 1))
    last = kinds - 1
    return [
        Spot(room.x + step * place, room.y, form, scale, width if place == last else min(width, step))
        for place in range(kinds)
    ]
