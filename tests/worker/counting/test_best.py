"""Bounds by integer programming, searches by annealing, and orders in which kingdoms can be laid."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games import rng
from tests.worker.counting.rules import points_when_laid
from worker.counting.annealing import ALL, Annealing, NoKingdomError
from worker.counting.board import Board
from worker.counting.bound import most_points
from worker.counting.laying_order import Kingdom, laying_order, number_dominoes
from worker.counting.packings import Layouts

BOUND_7 = (1, 10, 11, 12, 15, 16, 19, 20, 21, 22, 23, *range(36, 49))
"""Dominoes that bring 272 points if they can be fitted together."""
MEETS = 4
"""Seed of a search that meets it."""


def searched(size: int, steps: int, seed: int, numbers: Sequence[int] = ALL) -> tuple[Board, Kingdom]:
    board = Board(size, size, size * size // 2)
    layouts, luck = Layouts("tessellations", board), rng.new_stream(seed, rng.ANALYSIS)
    annealing = Annealing(board, numbers)
    return board, annealing.run(layouts[rng.below(luck, layouts.num)].slots, steps, luck)


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
    assert most_points(23).points == 262


@pytest.mark.long
def test_a_search_finds_the_best_kingdom_of_three_by_three() -> None:
    found = [searched(3, 20_000, seed) for seed in range(20)]
    assert max(kingdom.points for _, kingdom in found) == 24
    for board, kingdom in found:
        assert laying_order(board, kingdom.laid) == kingdom.laid


@pytest.mark.slow
def test_a_search_meets_the_bound_of_seven_by_seven() -> None:
    board, found = searched(7, 1_000_000, seed=MEETS, numbers=BOUND_7)
    assert sorted(number for number, *_ in found.laid) == sorted(BOUND_7)
    assert points_when_laid(board, list(found.laid)) == found.points == 272


@pytest.mark.long
def test_what_a_search_finds_is_legal_and_has_its_points() -> None:
    for seed in range(5):
        board, found = searched(5, 3_000, seed)
        assert len({number for number, *_ in found.laid}) == 12
        assert points_when_laid(board, list(found.laid)) == found.points > 40


@pytest.mark.long
def test_a_search_that_is_too_short_says_so() -> None:
    with pytest.raises(NoKingdomError, match="more steps"):
        searched(7, 1, seed=1)


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
