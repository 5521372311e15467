import itertools
from collections import Counter

import pytest

from games.dominion import cards
from games.dominion.board import layout
from games.dominion.board.layout import NARROW, TRASH, WIDE, Box
from games.dominion.board.symbols import CHIP
from tests.looping import looped

KINGDOM = [card.number for card in cards.table() if card.is_kingdom]
BASIC = [card.number for card in cards.table() if not card.is_kingdom]
STYLES = pytest.mark.parametrize("style", [WIDE, NARROW], ids=["wide", "narrow"])


def arrange(style, seats=2, kingdom=10):
    return layout.arrange(style, seats, [*BASIC, *KINGDOM[:kingdom]])


def boxes(arranged):
    yield from arranged.seats
    yield from (spot.box for spot in arranged.piles.values())
    yield arranged.turn
    yield arranged.table
    yield from (box for box in (arranged.deck, arranged.heap) if box)


@STYLES
@looped("seats", [1, 2, 4])
@looped("kingdom", [0, 3, 10, 11, 18, 25])
def test_nothing_lies_on_anything_else_or_outside_the_box(style, seats, kingdom):
    arranged = arrange(style, seats, kingdom)
    assert set(arranged.piles) == {*BASIC, *KINGDOM[:kingdom], TRASH}
    room = arranged.box
    for a, b in itertools.combinations(boxes(arranged), 2):
        assert a.right <= b.x + 0.01 or b.right <= a.x + 0.01 or a.bottom <= b.y + 0.01 or b.bottom <= a.y + 0.01
    for a in boxes(arranged):
        assert room.x < a.x
        assert room.y < a.y
        assert a.right < room.right
        assert a.bottom < room.bottom


def test_basic_cards_are_one_row_and_the_kingdom_rows_of_equal_cards():
    piles = arrange(WIDE).piles
    assert len({piles[number].y for number in BASIC}) == 1
    assert len({(piles[number].scale, piles[number].form) for number in KINGDOM[:10]}) == 1
    assert sorted(Counter(piles[number].y for number in KINGDOM[:10]).values()) == [5, 5]


@STYLES
def test_the_table_has_the_shape_of_its_stage(style):
    """About 16:10 beside a panel; on a phone no wider than it is."""
    box = layout.arrange(style, 2, [*BASIC, *KINGDOM[:10]], has_seats=False).box
    assert (1.55 < box.width / box.height < 1.75) if style is WIDE else (box.width <= 374 and box.height < 510)


@looped("kingdom", [10, 13, 15, 25])
def test_a_large_kingdom_makes_no_card_smaller_and_the_table_hardly_higher(kingdom):
    """Its cards are lower instead, so that a stage of 944 x 600 pixels shows all of them as they are drawn."""
    arranged = layout.arrange(WIDE, 2, [*BASIC, *KINGDOM[:kingdom]], has_seats=False)
    assert all(spot.scale > 0.99 for number, spot in arranged.piles.items() if number != TRASH)
    assert arranged.box.height <= 600.2


@STYLES
@looped("groups", [[0], [3], [8], [2, 2, 1], [6, 3, 2]])
@looped("in_hand", [0, 1, 4, 7, 15])
def test_cards_stay_in_their_rooms(style, groups, in_hand):
    arranged = arrange(style)
    rooms = layout.rooms(arranged, groups, in_hand)
    for a, b in itertools.pairwise([*rooms.groups, rooms.hand] if style is WIDE else rooms.groups):
        assert a.right < b.x
    for room, kinds in zip(rooms.groups, groups, strict=True):
        inside(layout.played_spots(style, room, kinds), kinds, room, arranged)
    inside(layout.hand(style, rooms.hand, in_hand), in_hand, rooms.hand, arranged)


def inside(spots, kinds, room, arranged):
    assert len(spots) == kinds
    for spot in spots:
        assert room.x - 0.01 <= spot.x
        assert spot.box.right <= max(room.right, spot.box.width + room.x) + 0.01
        assert spot.box.bottom <= arranged.table.bottom + 0.01
        assert 10 < spot.seen <= spot.box.width + 0.01


@STYLES
def test_large_hands_lie_in_rows_of_chips(style):
    room = layout.rooms(arrange(style), [2], 12).hand
    assert len({spot.y for spot in layout.hand(style, room, 3)}) == 1
    many = layout.hand(style, room, 12)
    assert {spot.form for spot in many} == {CHIP}
    for a, b in itertools.combinations(many, 2):
        assert a.y == b.y or abs(a.y - b.y) >= CHIP.height


def test_cards_overlap_only_where_they_must():
    few, many = (layout.played_spots(NARROW, Box(0, 0, 370, 46), kinds) for kinds in (3, 6))
    assert all(spot.seen == spot.box.width for spot in few)
    assert all(spot.seen < spot.box.width for spot in many[:-1])
