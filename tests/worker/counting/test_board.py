from __future__ import annotations

import pytest

from worker.counting.board import Board, start_classes


def test_classes_of_start_cells(subtests: pytest.Subtests) -> None:
    for width, height, both, rotations in [(3, 3, 3, 3), (5, 5, 6, 7), (7, 7, 10, 13), (5, 3, 6, 8), (4, 4, 3, 4)]:
        with subtests.test(width=width, height=height, both=both, rotations=rotations):
            for reflect, number in ((True, both), (False, rotations)):
                classes = start_classes(width, height, reflect=reflect)
                assert len(classes) == number
                assert sum(one.weight for one in classes) == width * height


def test_neighbours_stay_on_the_board() -> None:
    board = Board(3, 2)
    assert [board.neighbours(cell) for cell in range(6)] == [[1, 3], [0, 2, 4], [1, 5], [0, 4], [1, 3, 5], [2, 4]]
    assert board.pairs() == [(0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (4, 5)]
    assert [board.is_odd(cell) for cell in range(6)] == [False, True, False, True, False, True]
