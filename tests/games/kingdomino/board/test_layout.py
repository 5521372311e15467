import itertools

import pytest

from games.kingdomino import reading
from games.kingdomino.board import layout, picture
from games.kingdomino.board.layout import DOMINO, HEAD
from tests.games import walks
from tests.games.kingdomino.matches import GAME, turns

TABLES = [(2, "5"), (2, "7"), (3, "5"), (4, "5")]


def pictures(seats, size, count=8):
    return [picture.build_picture(GAME.kernels(), state) for state in walks.some(turns(seats, size=size), count)]


def rectangles(shown, arranged):
    """Everything that lies on the table: left, top, right, bottom."""
    for slot in arranged.slots:
        yield slot.x, slot.y - HEAD, slot.x + slot.side, slot.y + slot.side
    width, height = (side * arranged.draft.scale for side in DOMINO)
    for x, y in (*arranged.draft.now, *arranged.draft.next):
        yield x, y, x + width, y + height
    x, y, width = arranged.points
    yield x, y, x + width, y + layout.points_height(shown)


@pytest.mark.parametrize(("seats", "size"), TABLES)
def test_nothing_lies_on_anything_else_or_outside_the_box(seats, size):
    shown = pictures(seats, size)[0]
    for arranged in (layout.for_all(shown), *(layout.for_seat(shown, seat) for seat in range(seats))):
        left, top, width, height = arranged.box
        for a, b in itertools.combinations(rectangles(shown, arranged), 2):
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        for a in rectangles(shown, arranged):
            assert left < a[0] < a[2] < left + width
            assert top < a[1] < a[3] < top + height


@pytest.mark.parametrize(("seats", "size"), TABLES)
def test_an_own_kingdom_has_room_for_all_that_may_be_placed(seats, size):
    for state in turns(seats, size=size):
        shown, seat = picture.build_picture(GAME.kernels(), state), GAME.current_player(state)
        near = layout.reach(shown.of_seat(seat), shown.limit)
        moves = (reading.move(state, int(action)) for action in GAME.legal_actions(state))
        assert {cell for move in moves if move.squares for cell in move.squares} <= set(near)
        slot = layout.fit_slot(layout.for_seat(shown, seat).slots[seat], near)
        window = layout.centre_window(near, slot.cells)
        assert all(0 <= x - window.left <= slot.cells - 1 for x, _ in near)
        assert all(0 <= y - window.top <= slot.cells - 1 for _, y in near)


@pytest.mark.parametrize(("seats", "size"), TABLES)
def test_a_window_holds_its_kingdom_and_the_castle(seats, size):
    for shown in pictures(seats, size):
        for seat in range(seats):
            cells = [cell for one in shown.of_seat(seat) for cell in one.ends]
            window = layout.window(cells, shown.limit)
            for x, y in [(0, 0), *cells]:
                assert window.left <= x < window.left + shown.limit
                assert window.top <= y < window.top + shown.limit


def test_the_castle_is_in_the_middle_until_it_cannot_be():
    assert layout.window([], 5) == (-2, -2)
    assert layout.window([(1, 0), (2, 0)], 5) == (-2, -2)
    assert layout.window([(3, 0), (4, -1)], 5) == (0, -2)


def test_squares_shrink_where_more_has_to_fit():
    slot = layout.Slot(10, 20, 0.8, 5)
    assert layout.fit_slot(slot, [(-2, 0), (2, 0)]) is slot
    wide = layout.fit_slot(slot, [(-3, 0), (4, 0)])
    assert (wide.cells, wide.side) == (8, slot.side)
