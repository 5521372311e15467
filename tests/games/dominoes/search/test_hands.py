"""What engines over hands ask of dominoes beside searches."""

from __future__ import annotations

import numpy as np

from games.dominoes import state as layout
from games.dominoes.search.hands import DominoHands

HANDS = DominoHands()


def test_equal_values_go_to_the_tile_with_the_most_pips() -> None:
    actions = np.array([2 * 3, 2 * 27 + 1, 2 * 5, 2 * 5 + 1, layout.PASS], np.int32)
    assert HANDS.sorted_actions(actions).tolist() == [55, 10, 11, 6, layout.PASS]


def test_what_searches_cannot_follow_is_not_weighed() -> None:
    said = np.array([2 * 3, layout.PASS, layout.CALL + 1, layout.CALL + 3], np.int32)
    assert HANDS.sorted_actions(said).tolist() == [6, layout.PASS]
    assert HANDS.sorted_actions(np.array([2 * 3, layout.HAND_OVER], np.int32)).tolist() == [6]
