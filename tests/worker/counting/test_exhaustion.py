"""Kingdoms of 5 x 5 squares with more than 124 points: what dominoes allow, and what fits together."""

from __future__ import annotations

from itertools import chain, combinations
from math import comb

import numpy as np
import pytest

from games.kingdomino import dominoes
from tests.worker.counting.rules import points_when_laid
from worker.counting import exhaustion
from worker.counting.board import Board
from worker.counting.bound import most_points
from worker.counting.packings import Layouts

ANNEALED = (
    # found by annealing: 126 points with the castle in the corner
    *((46, 1, 6), (12, 2, 7), (44, 3, 8), (39, 4, 9), (38, 13, 14), (43, 18, 19)),
    *((22, 23, 24), (45, 17, 22), (40, 16, 21), (23, 20, 15), (47, 12, 11), (48, 5, 10)),
)


def test_a_kingdom_meets_the_bound() -> None:
    board = Board(5, 5, 0)
    found = exhaustion.best(board, Layouts("tessellations", board)[101].slots)
    assert found is not None
    assert points_when_laid(board, found.laid) == found.points == 128


def test_it_finds_no_less_than_annealing_did() -> None:
    board = Board(5, 5, 0)
    assert points_when_laid(board, ANNEALED) == 126
    found = exhaustion.best(board, [(min(a, b), max(a, b)) for _, a, b in ANNEALED])
    assert found is not None
    assert found.points >= 126


def test_a_tessellation_without_such_a_kingdom() -> None:
    board = Board(5, 5, 12)
    layouts = Layouts("tessellations", board)
    assert exhaustion.best(board, layouts[0].slots) is None


@pytest.mark.slow
def test_fewer_dominoes_or_mines_bring_less() -> None:
    assert most_points(11).points == 116
    assert most_points(12, exhaustion.MINES).points == 120


@pytest.mark.slow
def test_the_sets_are_all_that_bring_more_than_124_points() -> None:
    tables = dominoes.load()
    terrain, crowns = tables.terrain.reshape(-1, 2), tables.crowns.reshape(-1, 2)
    others = [number for number in range(1, 49) if number not in exhaustion.MINES]
    assert all(exhaustion.MINE not in terrain[number - 1] for number in others)
    chosen = np.fromiter(chain.from_iterable(combinations(range(42), 6)), np.int8, count=6 * comb(42, 6)).reshape(-1, 6)
    points = np.zeros(len(chosen), np.int32)
    for kind in range(6):
        squares = np.array([(row == kind).sum() for row in terrain])
        crowned = np.array([row_crowns[row == kind].sum() for row, row_crowns in zip(terrain, crowns, strict=True)])
        total = [np.full(len(chosen), each[[n - 1 for n in exhaustion.MINES]].sum()) for each in (squares, crowned)]
        for column in range(6):
            for each, numbers in zip(total, (squares, crowned), strict=True):
                each += numbers[[n - 1 for n in others]][chosen[:, column]]
        points += (total[0] * total[1]).astype(np.int32)
    found = {
        (int(points[i]), tuple(others[k] for k in chosen[i])) for i in np.flatnonzero(points >= exhaustion.WORTHWHILE)
    }
    assert found == set(exhaustion.SETS)
