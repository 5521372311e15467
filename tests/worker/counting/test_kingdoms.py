"""End states of one kingdom: numbers of the research note, and the rule applied move by move."""

from __future__ import annotations

from dataclasses import astuple

import pytest

from tests.worker.counting import naive
from worker.counting import faces, kingdoms
from worker.counting.board import Board
from worker.counting.kingdoms import Tally, tally

CROWNS = {
    # ends and full ones: as they look, seams told apart, dominoes told apart
    0: (9_765_959, 9_588_923, 11_078_682, 10_898_452, 40_290_076, 39_820_200),
    1: (797_904, 0, 820_506, 0, 2_164_242, 0),
    4: (24_502_793, 22_826_009, 25_268_842, 23_592_058, 91_339_536, 86_907_600),
}
MOST_POINTS = {0: 36, 1: 21, 4: 24}
TERRAIN = {0: (208_773, 197_613), 1: (52_436, 0), 4: (732_865, 608_721)}


def whole(cell: int, *, with_crowns: bool) -> tuple[tuple[int, ...], int]:
    """All parts of 3 x 3 squares added, and the most points of any."""
    board, look = Board(3, 3, cell), faces.load(with_crowns=with_crowns)
    found = [tally(board, look, *part) for part in kingdoms.parts(board, look)]
    total = tuple(map(sum, zip(*(astuple(one) for one, _ in found), strict=True)))
    return total, max(best.points for _, best in found if best)


def test_faces_of_the_box() -> None:
    crowned, plain = faces.load(with_crowns=True), faces.load(with_crowns=False)
    assert (len(crowned), crowned.num_kinds, len(crowned.copies)) == (61, 16, 33)
    assert crowned.copies.sum() == plain.copies.sum() == 48
    assert plain.num_kinds == 6


@pytest.mark.long
@pytest.mark.parametrize("cell", [0, 1, 4])
def test_told_apart_by_terrain(cell: int) -> None:
    assert whole(cell, with_crowns=False)[0][:2] == TERRAIN[cell]


def test_terrain_is_what_the_rule_allows_move_by_move() -> None:
    for width, height, cell in ((1, 7, 2), (5, 1, 2), (3, 1, 0), (3, 1, 1)):
        board, look = Board(width, height, cell), faces.load(with_crowns=False)
        ends = sum(tally(board, look, *part)[0].ends for part in kingdoms.parts(board, look))
        assert ends == len(naive.kingdoms_by_terrain(width, height, board.place(cell)))


@pytest.mark.long
def test_the_edge_with_crowns() -> None:
    assert whole(1, with_crowns=True) == (CROWNS[1], MOST_POINTS[1])


@pytest.mark.slow
@pytest.mark.parametrize("cell", [0, 4])
def test_told_apart_by_terrain_and_crowns(cell: int) -> None:
    assert whole(cell, with_crowns=True) == (CROWNS[cell], MOST_POINTS[cell])


def test_a_part_without_kingdoms_is_empty() -> None:
    # from the edge three dominoes lie at most, so a corner may be empty; on three squares none may
    board, look = Board(3, 1, 0), faces.load(with_crowns=True)
    assert tally(board, look, 1, kingdoms.EMPTY) == (Tally(), None)
