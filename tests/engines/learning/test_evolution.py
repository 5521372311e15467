"""Evolution of weights, and the matches that it counts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engines.learning import duels
from engines.learning.evolution import Strategy
from games import readiness
from tests.games import walks

GAME = walks.game_of("toy")


@pytest.fixture(autouse=True)
def plainly() -> Iterator[None]:
    """Undecorated kernels: compiling those of learning would cost more than all matches here."""
    with readiness.plainly():
        yield


def test_the_strategy_finds_the_bottom_of_a_narrow_valley() -> None:
    strategy = Strategy(4, 12, np.random.default_rng(1))
    goal, narrow = np.array([1.0, -2.0, 0.5, 3.0]), np.array([1.0, 10.0, 1.0, 30.0])
    for _ in range(120):
        candidates = strategy.ask()
        strategy.tell(candidates, -(((candidates - goal) * narrow) ** 2).sum(axis=1))
    assert np.abs(strategy.mean - goal).max() < 1e-3
    assert strategy.sigma < 0.1


def test_a_side_against_itself_has_what_the_seats_give() -> None:
    played = duels.Duels(GAME, None)
    margins = played.play(np.ones(1), np.ones(1), 5, 0, 30)
    assert (margins[:, 0] == -margins[:, 1]).all()
    found = duels.tally(margins)
    assert (found.share, found.margin) == (0.5, 0.0)
    assert played.play(np.ones(1), np.ones(1), 5, 10, 20).tolist() == margins[10:].tolist()


def test_who_wants_points_beats_who_gives_them_away() -> None:
    found = duels.tally(duels.Duels(GAME, None).play(np.ones(1), -np.ones(1), 5, 0, 20))
    assert (found.wins, found.losses) == (40, 0)
    assert found.share_error == 0.0
    by_value = duels.Duels(GAME, GAME.value)
    weights = GAME.value.weights(GAME.values[0])
    assert duels.tally(by_value.play(weights, -weights, 5, 0, 20)).wins > 30
