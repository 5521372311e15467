"""Bounds by integer programming, searches by annealing, and orders in which kingdoms can be laid."""

from __future__ import annotations

import numpy as np
import pytest

from tests.worker.counting.rules import points_when_laid
from worker.counting.annealing import Annealing
from worker.counting.board import Board
from worker.counting.bound import most_points
from worker.counting.laying_order import laying_order, number_dominoes
from worker.counting.packings import Layouts


def searched(size: int, boards: int, steps: int, seed: int) -> tuple[Board, int, tuple[tuple[int, int, int], ...]]:
    board = Board(size, size, size * size // 2)
    layouts, rng = Layouts("tessellations", board), np.random.default_rng(seed)
    tilings = [layouts[int(rng.integers(layouts.num))].slots for _ in range(boards)]
    found = Annealing(board, tilings, rng).run(steps)
    return board, found.points, found.laid


def test_bounds_of_small_kingdoms() -> None:
    bound = most_points(4)
    assert (bound.points, bound.areas, bound.numbers) == (36, {"mine": (4, 9)}, (45, 46, 47, 48))
    assert most_points(1).points == 3
    with pytest.raises(ValueError, match="not 49"):
        most_points(49)


@pytest.mark.slow  # the bounds above, of four and one
@pytest.mark.long
def test_the_bound_of_five_by_five() -> None:
    bound = most_points(12)
    assert bound.points == 128
    assert bound.areas == {"mine": (6, 10), "swamp": (9, 6), "wheat": (7, 2)}


@pytest.mark.slow
def test_the_bound_of_seven_by_seven() -> None:
    assert most_points(24).points == 272


@pytest.mark.long
def test_a_search_finds_the_best_kingdom_of_three_by_three() -> None:
    board, points, laid = searched(3, 400, 500, seed=1)
    assert points == 24
    assert laying_order(board, laid) == laid


@pytest.mark.long
@pytest.mark.parametrize("size", [5, pytest.param(7, marks=pytest.mark.slow)])
def test_what_a_search_finds_is_legal_and_has_its_points(size: int) -> None:
    board, points, laid = searched(size, 20, 300, seed=2)
    assert len({number for number, *_ in laid}) == size * size // 2
    assert points_when_laid(board, laid) == points > 40


def test_dominoes_that_touch_nothing_have_no_order() -> None:
    board = Board(5, 5, 12)
    with pytest.raises(ValueError, match="domino 1 touches nothing"):
        laying_order(board, [(1, 0, 1)])
    # wheat beside the castle, then forest that touches wheat alone
    with pytest.raises(ValueError, match="domino 3 touches nothing"):
        laying_order(board, [(1, 11, 10), (3, 5, 6)])


def test_dominoes_are_found_for_squares() -> None:
    board = Board(3, 3, 4)
    # terrain and crowns: 48 is wheat and mine with three crowns
    assert number_dominoes(board, [(1, 2)], [((5, 3), (0, 0))]) == ((48, 2, 1),)
    with pytest.raises(ValueError, match="no domino is left"):
        number_dominoes(board, [(1, 2), (3, 6)], [((5, 3), (0, 0)), ((0, 0), (5, 3))])
