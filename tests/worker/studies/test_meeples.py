"""Guided paths down the tree of Carcassonne: without bias, against all matches of small boxes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from games import rng
from games.carcassonne import state as layout
from games.protocol import CHANCE, TERMINAL
from tests.games import walks
from tests.worker.studies.test_boards import box
from worker.studies import boards, meeples, populations


def leaves(game: Any, state: Any) -> int:
    """All ways in which a match can go on, one by one."""
    player = game.current_player(state)
    if player == TERMINAL:
        return 1
    numbers = game.chance_outcomes(state)[0] if player == CHANCE else game.legal_actions(state)
    return sum(leaves(game, game.apply(state, int(number))) for number in numbers)


@pytest.mark.long
@pytest.mark.parametrize(
    "copies",
    [{"C": 1, "V": 1}, *(pytest.param(box, marks=pytest.mark.slow) for box in ({"B": 1, "X": 1}, {"U": 2}))],
)
def test_leaves_of_small_boxes(copies: dict[str, int]) -> None:
    game, start = walks.game_of("carcassonne"), box(**copies)
    exact = leaves(game, start)
    step = lambda state, r: meeples.step(game, state, r)
    guess = lambda state: meeples.promise(game, state)
    counts = [
        populations.count(start, step, 60, rng.new_stream(seed, rng.ANALYSIS), promise=guess) for seed in range(20)
    ]
    found = np.array([10 ** (count.leaves or -math.inf) for count in counts])
    error = found.std(ddof=1) / math.sqrt(len(found))
    assert abs(found.mean() - exact) < 4 * error
    assert error < 0.06 * exact


def test_ways_to_use_meeples_by_hand() -> None:
    # one meeple, three plies: never, or at one of three with 2.5 claims for each action without
    assert meeples._ways(1, 3) == pytest.approx(math.log(1 + 3 * 2.5))
    assert meeples._ways(0, 3) == 0
    assert meeples._ways(7, 1) == pytest.approx(math.log(3.5))


def test_a_position_with_meeples_promises_more() -> None:
    game = walks.game_of("carcassonne")
    states = walks.turns("carcassonne")
    start = boards.start(game)
    spent = start.copy()
    spent[layout.HAND : layout.HAND + 2] = 0
    assert meeples.promise(game, start) > meeples.promise(game, spent) > 0
    assert meeples.promise(game, states[-1]) < meeples.promise(game, states[10])
