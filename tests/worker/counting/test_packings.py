"""Tessellations, end positions and grown ones against layouts written out, and known numbers."""

from __future__ import annotations

import pytest

from tests.worker.counting import naive
from worker.counting.board import Board, start_classes
from worker.counting.packings import ANYWHERE, RULES, Layouts, number_of

SMALL = [(w, h, c) for w, h in ((1, 5), (3, 3), (5, 3), (2, 4), (4, 3)) for c in (None, *range(w * h))]
REPRESENTATIVES = {
    # the note's table: any packing, grown, tessellations by start cell of 5 x 5
    0: (13930, 12690, 192),
    1: (12135, 11715, 0),
    2: (10239, 10199, 192),
    6: (9658, 9658, 112),
    7: (10666, 10662, 0),
    12: (9210, 9208, 196),
}


@pytest.mark.long
def test_counts_are_those_of_layouts_written_out(subtests: pytest.Subtests) -> None:
    for width, height, castle in SMALL:
        with subtests.test(width=width, height=height, castle=castle):
            board = Board(width, height, castle)
            cell = None if castle is None else board.place(castle)
            found = naive.end_positions(width, height, cell)
            assert number_of("packings", board) == len(found)
            assert number_of("tessellations", board) == sum(naive.is_full(one, width, height, cell) for one in found)
            if cell is not None:
                assert number_of("grown", board) == sum(naive.is_grown(one, cell) for one in found)


@pytest.mark.parametrize(("width", "height", "castle"), [(3, 3, 4), (5, 3, 2), (3, 5, 4), (2, 4, None)])
def test_layouts_by_number_are_all_layouts_once(width: int, height: int, castle: int | None) -> None:
    board = Board(width, height, castle)
    layouts = Layouts("packings", board)
    shown = {
        frozenset(frozenset(board.place(cell) for cell in slot) for slot in layouts[i].slots)
        for i in range(layouts.num)
    }
    assert shown == naive.end_positions(width, height, None if castle is None else board.place(castle))
    assert all(layouts[i].castle == castle for i in range(layouts.num))
    with pytest.raises(IndexError):
        layouts[layouts.num]


@pytest.mark.long
def test_a_castle_anywhere_is_every_castle_in_turn() -> None:
    for rule in RULES:
        each = [number_of(rule, Board(5, 3, cell)) for cell in range(15)]
        assert number_of(rule, Board(5, 3, ANYWHERE)) == sum(each)
        layouts = Layouts(rule, Board(5, 3, ANYWHERE))
        castles = [layouts[i].castle for i in range(layouts.num)]
        assert [castles.count(cell) for cell in range(15)] == each


def test_three_by_three() -> None:
    for cell, ends, full in ((0, 12, 4), (1, 14, 0), (4, 10, 2)):
        board = Board(3, 3, cell)
        assert [number_of(rule, board) for rule in ("packings", "grown", "tessellations")] == [ends, ends, full]
    assert number_of("packings", Board(4, 4)) == 400


def test_five_by_five() -> None:
    for cell, numbers in REPRESENTATIVES.items():
        board = Board(5, 5, cell)
        assert tuple(number_of(rule, board) for rule in ("packings", "grown", "tessellations")) == numbers
    totals = {"packings": 284_262, "grown": 275_764, "tessellations": 2_180}
    assert {rule: number_of(rule, Board(5, 5, ANYWHERE)) for rule in totals} == totals


@pytest.mark.long
def test_odd_boards(subtests: pytest.Subtests) -> None:
    for size, anywhere, middle, corner in [
        (3, 18, 2, 4),
        (7, 2_200_776, 75_272, 100_352),
        (9, 20_355_006_224, 599_466_256, 557_568_000),
        (11, 1_801_272_981_919_008, 28_838_245_503_008, 32_565_539_635_200),
        (13, 1_560_858_753_560_238_398_528, 22_463_213_552_677_201_984, 19_872_369_301_840_986_112),
    ]:
        with subtests.test(size=size, anywhere=anywhere, middle=middle, corner=corner):
            assert number_of("tessellations", Board(size, size, ANYWHERE)) == anywhere
            assert number_of("tessellations", Board(size, size, size * size // 2)) == middle
            assert number_of("tessellations", Board(size, size, 0)) == corner


def test_the_board_of_seven_by_seven_as_the_report_would_sum_it() -> None:
    rotations = start_classes(7, 7, reflect=False)
    assert 4 * sum(number_of("tessellations", Board(7, 7, one.cell)) for one in rotations) == 2_426_592
