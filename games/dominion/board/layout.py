"""Layout of the table, in drawing units, in two arrangements.

``WIDE``    seats above, the supply in a grid, the turn, then cards in play beside the hand;
``NARROW``  the same from top to bottom for a phone: the hand lies at the thumb.

A row of cards never grows: cards come to overlap, then to lie in two rows of smaller ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.dominion.board.symbols import CARD, MINI, PALM, TILE, Form

TRASH = -1
"""Stands for the trash among the piles."""
_BASIC_ROWS = 3
_NUM_BASIC = 7
_MOST_COLUMNS = 7


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

    pile: form of a card of the supply, and of those of a row that needs two; least_seen: width of a
    card that others cover; label: height of the words over a row of cards.
    """

    name: str
    width: float
    gap: float
    seat_height: float
    turn_height: float
    pile: Form
    least_seen: float
    label: float


WIDE = Style("wide", 1020, 8, 42, 42, TILE, 86, 20)
NARROW = Style("narrow", 390, 4, 31, 32, MINI, 62, 13)
_MARGIN = {"wide": 10, "narrow": 4}
_PLAYED_SCALE = 0.8
_HEAP = (54, 72)
_HAND_SHARE, _HAND_SHARE_BESIDE_MORE = 0.56, 0.4
"""Least part of the width for a hand, with one group of cards on the table and with more."""
_BETWEEN = 18
"""Space between what lies on the table and the hand."""


@dataclass(frozen=True)
class Arrangement:
    """Places that stay through a match.

    seats: by seat; piles: by number of the card, and TRASH; played, hand: rooms of these cards, below
    their labels; deck, heap: own deck and discard pile (None: not drawn); box: what is in view.
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


def arrange(style: Style, num_seats: int, order: Sequence[int], *, has_deck: bool = True) -> Arrangement:
    """Lay out a table.

    order: numbers of the piles, the basic ones first; has_deck: whether somebody's own deck and
    discard pile lie beside the hand, where there is room.
    """
    gap, width = style.gap, style.width
    each = (width - gap * (num_seats - 1)) / num_seats
    seats = [Box((each + gap) * seat, 0, each, style.seat_height) for seat in range(num_seats)]
    top = style.seat_height + gap
    places = _grid(style, order)
    pile, columns = style.pile, 1 + max(column for column, _ in places.values())
    step_x = min(width / columns, 1.15 * pile.width)
    scale = (step_x - gap * 0.75) / pile.width if columns > 3 else 1.0
    step_y = pile.height * scale + gap * 0.8
    left = (width - step_x * columns + step_x - pile.width * scale) / 2
    piles = {
        number: Spot(left + step_x * column, top + step_y * row, pile, scale, pile.width * scale)
        for number, (column, row) in places.items()
    }
    y = top + step_y * (1 + max(row for _, row in places.values())) + gap * 0.5
    turn = Box(0, y, width, style.turn_height)
    y = turn.bottom + gap
    return _with_table(style, seats, piles, turn, y, has_deck)


def _with_table(
    style: Style, seats: Sequence[Box], piles: dict[int, Spot], turn: Box, y: float, has_deck: bool
) -> Arrangement:
    margin, deck, heap = _MARGIN[style.name], None, None
    high = 2 * style.label + MINI.height + style.gap + PALM.height + 4 if style is NARROW else style.label + CARD.height
    table = Box(0, y, style.width, high)
    if style is WIDE and has_deck:
        x = style.width - _HEAP[0]
        table = table._replace(width=x - 2 * style.gap)
        deck = Box(x, y + 4, *_HEAP)
        heap = Box(x, deck.bottom + 20, *_HEAP)
    box = Box(-margin, -margin, style.width + 2 * margin, table.bottom + 2 * margin)
    return Arrangement(style, seats, piles, turn, table, deck, heap, box)


def _grid(style: Style, order: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Column and row of every pile, and of the trash."""
    slots = [*order, TRASH]
    if style is NARROW:
        return {number: (place % 4, place // 4) for place, number in enumerate(slots)}
    basic, rest = slots[:_NUM_BASIC], slots[_NUM_BASIC:]
    rows = max(_BASIC_ROWS, -(-len(slots) // _MOST_COLUMNS))
    found = {number: (place // _BASIC_ROWS, place % _BASIC_ROWS) for place, number in enumerate(basic[:6])}
    queue = [*rest[:-1], basic[6], TRASH]
    free = [(column, row) for row in range(rows) for column in range(_columns(len(queue), rows) + 2)]
    taken = set(found.values())
    return found | dict(zip(queue, [place for place in free if place not in taken], strict=False))


def _columns(count: int, rows: int) -> int:
    """Columns beside the two of basic cards."""
    spare = 2 * (rows - _BASIC_ROWS)
    return max(1, -(-(count - spare) // rows))


class Rooms(NamedTuple):
    """Rooms below the turn: of groups of cards on the table, and of the hand; labels stand above them."""

    groups: Sequence[Box]
    hand: Box


def rooms(arranged: Arrangement, groups: Sequence[int], in_hand: int) -> Rooms:
    """Share the room below the turn. groups: kinds of cards in each group on the table; in_hand: in the hand."""
    style, table = arranged.style, arranged.table
    top = table.y + style.label
    if style is NARROW:
        row = Box(table.x, top, table.width, MINI.height)
        return Rooms(
            split(style, row, groups), Box(table.x, row.bottom + style.gap + style.label + 4, table.width, PALM.height)
        )
    needed = max(2, in_hand) * style.least_seen + CARD.width - style.least_seen
    share = _HAND_SHARE if len(groups) == 1 else _HAND_SHARE_BESIDE_MORE
    most = max(table.width - needed - _BETWEEN, table.width * (1 - share))
    row = Box(table.x, top, min(_wanted(style, groups), most), CARD.height)
    x = row.right + _BETWEEN
    return Rooms(split(style, row, groups), Box(x, top, table.right - x, CARD.height))


def _columns_of(style: Style, kinds: int) -> int:
    """Cards side by side: on a phone all of a group, else half of them."""
    return max(1, kinds if style is NARROW else -(-kinds // 2))


def _card_width(style: Style) -> float:
    """Width of a card on the table."""
    return MINI.width if style is NARROW else TILE.width * _PLAYED_SCALE


def _wanted(style: Style, groups: Sequence[int]) -> float:
    """Width in which no card of the groups is covered."""
    columns = sum(_columns_of(style, kinds) for kinds in groups)
    return columns * (_card_width(style) + style.gap) - style.gap + style.gap * (len(groups) - 1)


def split(style: Style, room: Box, groups: Sequence[int]) -> list[Box]:
    """Share the room of the table among groups of so many kinds of cards, one whole card each at least."""
    between, card = style.gap * 2, _card_width(style)
    columns = [_columns_of(style, kinds) for kinds in groups]
    spare = room.width - between * (len(groups) - 1) - card * len(groups)
    step = min(card + style.gap, spare / max(sum(columns) - len(groups), 1))
    x, found = room.x, []
    for count in columns:
        width = card + step * (count - 1)
        found.append(Box(x, room.y, width, room.height))
        x += width + between
    return found


def played_spots(style: Style, room: Box, kinds: int) -> list[Spot]:
    """Spots of cards on the table: two rows where the table is wide, one on a phone."""
    if style is NARROW:
        return _row(MINI, 1, room, kinds, style.gap)
    scale, count = _PLAYED_SCALE, -(-kinds // 2)
    low = Box(room.x, room.bottom - TILE.height * scale, room.width, TILE.height * scale)
    upper = room._replace(height=low.height)
    return _row(TILE, scale, upper, count, style.gap) + _row(TILE, scale, low, kinds - count, style.gap, count)


def hand(style: Style, room: Box, kinds: int) -> list[Spot]:
    """Spots of the hand: one row, or two of smaller cards where too little of each could be seen."""
    form = PALM if style is NARROW else CARD
    if kinds < 2 or (room.width - form.width) / (kinds - 1) >= style.least_seen:
        return _row(form, 1, room, kinds, style.gap)
    small, count = style.pile, -(-kinds // 2)
    scale = (room.height - style.gap / 2) / 2 / small.height
    upper = room._replace(height=small.height * scale)
    low = upper._replace(y=room.bottom - upper.height)
    rows = _row(small, scale, upper, count, style.gap) + _row(small, scale, low, kinds - count, style.gap, count)
    return rows


def _row(form: Form, scale: float, room: Box, kinds: int, gap: float, alike: int | None = None) -> list[Spot]:
    """Cards side by side, overlapping where they must. alike: step as in a row of so many."""
    width, steps = form.width * scale, (kinds if alike is None else alike) - 1
    step = min(width + gap, (room.width - width) / max(steps, 1))
    last = kinds - 1
    return [
        Spot(room.x + step * place, room.y, form, scale, width if place == last else min(width, step))
        for place in range(kinds)
    ]
