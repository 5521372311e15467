"""What engines over hands ask of dominoes beside searches."""

from __future__ import annotations

import numpy as np

from games.dominoes import state as layout
from games.dominoes.search.hands import DominoHands

HANDS = DominoHands()


def test_depths_are_those_that_the_papers_logs_print() -> None:
    def depths(alpha: float, beta: float) -> list[int]:
        state = np.zeros(layout.SIZE, np.int32)
        found = []
        for turns in range(0, 28, 4):
            state[layout.NUM_TURNS] = turns
            found.append(HANDS.depth_at(state, alpha, beta))
        return found

    assert depths(5, 1 / 3) == depths(5, 0.333333) == [5, 6, 7, 10, 12, 15, 20]
    assert depths(6, 0.5) == [6, 8, 12, 16, 24, 33, 48]
    assert depths(4, 1 / 3) == [4, 5, 6, 8, 10, 12, 16]
    assert depths(5, 3)[:2] == [5, 40]


def test_equal_values_go_to_the_tile_with_the_most_pips() -> None:
    actions = np.array([2 * 3, 2 * 27 + 1, 2 * 5, 2 * 5 + 1, layout.PASS], np.int32)
    assert HANDS.sorted_actions(actions).tolist() == [55, 10, 11, 6, layout.PASS]
