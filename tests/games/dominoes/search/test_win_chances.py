"""What points do for winning the match."""

from __future__ import annotations

import numpy as np
import pytest

from games.dominoes import state as layout
from games.dominoes.search import win_chances as chances
from games.protocol import State
from tests.games.dominoes.tables import GAME


def scored(credit: tuple[int, int], opener: int = 0, **options: object) -> State:
    state = GAME.initial_state(GAME.options(**options), 4)
    state[layout.CREDIT : layout.CREDIT + 2] = credit
    state[layout.OPENER], state[layout.COMING_OPENER] = opener, (opener + 1) % 4
    return state


def test_chances_of_both_teams_add_up() -> None:
    for credit in ((0, 0), (90, 20), (37, 64)):
        for opener in range(4):
            own = chances.chance_to_win(GAME.kernels(), scored(credit, opener), 0)
            other = chances.chance_to_win(GAME.kernels(), scored(credit, opener), 1)
            mirrored = chances.chance_to_win(GAME.kernels(), scored(credit[::-1], opener + 1), 1)
            assert own + other == pytest.approx(1.0)
            assert own == pytest.approx(mirrored, abs=1e-9)


def test_the_leader_wins_more_often() -> None:
    found = [chances.chance_to_win(GAME.kernels(), scored((lead, 40)), 0) for lead in (0, 30, 40, 60, 99)]
    assert found == sorted(found)
    assert 0.45 < found[2] < 0.55
    assert found[0] < 0.35
    assert found[-1] > 0.85


def test_points_count_about_as_many_in_the_middle_and_not_beyond_the_target() -> None:
    even = chances.worths(GAME.kernels(), scored((40, 40)))
    assert even[0, 0] == pytest.approx(0.0, abs=3.0)
    assert even[0, 10] - even[0, 0] == pytest.approx(10.0, rel=0.35)
    assert (np.diff(even[0, :60]) > -1e-9).all()
    assert (np.diff(even[1, :60]) < 1e-9).all()
    close = chances.worths(GAME.kernels(), scored((95, 40)))
    assert close[0, 5] == close[0, 60]
    assert close[0, 5] > 3 * close[0, 2]


def test_a_single_round_is_won_whatever_its_points() -> None:
    found = chances.worths(GAME.kernels(), scored((0, 0), length="round"))
    assert found[:, [1, 50]].tolist() == [[chances.WON, chances.WON], [-chances.WON, -chances.WON]]


def test_longer_matches_and_winners_that_open_have_their_table() -> None:
    for options in ({"target": 500}, {"target": 200, "next_opener": "winner", "direction": "winners"}):
        found = chances.chance_to_win(GAME.kernels(), scored((options["target"] // 2,) * 2, **options), 0)
        assert 0.4 < found < 0.6
