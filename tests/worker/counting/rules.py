"""Lays kingdoms by the rules of the game itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from games import registry
from games.kingdomino import dominoes, reading
from games.kingdomino import state as layout
from worker.counting.board import Board
from worker.counting.laying_order import Laid

_NO_JOURNAL = np.zeros(1, np.int32)


def points_when_laid(board: Board, laid: Sequence[Laid], **options: str) -> int:
    """Lay the dominoes in this order in the first kingdom of a match; its points. Fails where one is not legal.

    Bonuses are off unless options say otherwise. Boards of 5 x 5 or 7 x 7 squares.
    """
    game = registry.get("kingdomino")
    rules = game.kernels(mode="plain")
    asked = {"size": str(board.width), "middle": "off", "harmony": "off", **options}
    state = game.initial_state(game.options(**asked), 2)
    assert board.castle is not None
    left, top = board.place(board.castle)
    for number, *squares in laid:
        ends = tuple((column - left, row - top) for column, row in map(board.place, squares))
        if dominoes.load().is_equal[number - 1]:
            ends = tuple(sorted(ends))
        placement = reading.placement_of((ends[0], ends[1]))
        with np.errstate(over="ignore"):
            legal = rules.placements(state, 0, number - 1)[placement & 3]
            assert int(legal) >> (placement >> 2) & 1, f"domino {number} may not lie on {ends}"
            rules.placing.place(state, 0, number - 1, placement, _NO_JOURNAL)
    points = np.zeros(layout.MAX_SEATS, np.int64)
    with np.errstate(over="ignore"):
        rules.scores(state, points)
    return int(points[0])
