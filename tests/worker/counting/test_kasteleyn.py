"""The determinant counts what the walk counts, also with a castle inside."""

from __future__ import annotations

import pytest

from worker.counting.board import Board
from worker.counting.kasteleyn import determinant, tessellations
from worker.counting.packings import number_of


def test_even_boards() -> None:
    known = [2, 36, 6728, 12_988_816, 258_584_046_368, 53_060_477_521_960_000]
    assert [tessellations(Board(size, size)) for size in range(2, 13, 2)] == known


def test_every_castle(subtests: pytest.Subtests) -> None:
    for width, height in [(3, 3), (5, 5), (7, 5), (3, 7), (1, 5), (5, 1), (2, 5), (6, 3)]:
        with subtests.test(width=width, height=height):
            for castle in (None, *range(width * height)):
                board = Board(width, height, castle)
                assert tessellations(board) == number_of("tessellations", board)


def test_determinants_are_exact() -> None:
    assert determinant([]) == 1
    assert determinant([[0, 2], [3, 5]]) == -6
    assert determinant([[2, 4], [1, 2]]) == 0
    huge = 10**30
    assert determinant([[huge, 1, 0], [1, huge, 1], [0, 1, huge]]) == huge**3 - 2 * huge
