"""Beliefs beside the truth: chances add up, and levels that say nothing change nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest

from games.dominoes import state as layout
from games.dominoes.belief import beliefs, quality
from games.dominoes.belief.quality import Model
from games.dominoes.search import compilation
from tests.games.dominoes import minimax
from tests.games.dominoes.tables import GAME


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    compilation.compile_searches(GAME.kernels())


@pytest.mark.parametrize("seed", [1, 2])
def test_chances_of_all_deals_add_up_to_one(seed: int) -> None:
    state = next(
        one
        for one in minimax.rounds(12, 15, seed=seed)
        if 5 < beliefs.consistent_deals(GAME.kernels(), one, int(one[layout.PLAYER])) <= 200
    )
    deals = beliefs.all_deals(GAME.kernels(), state, int(state[layout.PLAYER]), 200)
    assert deals is not None
    total = dict.fromkeys(quality.BELIEFS, 0.0)
    mean = np.zeros((28, 4))
    for deal in deals:
        state[layout.HAND : layout.COUNT] = deal
        found = quality.judge(GAME.kernels(), state, Model(level=0.7, worlds=200), 1)
        for name, log in found.log_chances.items():
            total[name] += math.exp(log)
        held = deal[None, :] >> np.arange(28)[:, None] & 1
        mean += math.exp(found.log_chances["manner"]) * held
    assert {name: total[name] for name in quality.BELIEFS[1:]} == pytest.approx(dict.fromkeys(quality.BELIEFS[1:], 1.0))
    assert total["paper"] <= 1.0
    # the belief about tiles is that about deals, added up
    assert np.abs(found.beliefs["manner"] - mean).max() < 1e-9


def test_a_level_of_nothing_leaves_the_exact_belief() -> None:
    state = minimax.rounds(1, 8, seed=3)[0]
    found = quality.judge(GAME.kernels(), state, Model(level=0.0, worlds=300), 1)
    for name in ("flat", "manner"):
        assert found.log_chances[name] == pytest.approx(found.log_chances["exact"])
        assert found.effective[name] == pytest.approx(1.0)
        assert np.abs(found.beliefs[name] - found.beliefs["exact"]).max() < 0.15  # 300 worlds: five errors


def test_beliefs_do_not_look_at_hidden_hands() -> None:
    state = minimax.rounds(1, 10, seed=4)[0]
    seat = int(state[layout.PLAYER])
    one = quality.judge(GAME.kernels(), state, Model(worlds=50), 7)
    deal = beliefs.sample(GAME.kernels(), state, seat, 1, np.array([1, 2, 3, 4], np.uint64))[0]
    assert deal.tolist() != state[layout.HAND : layout.COUNT].tolist()
    state[layout.HAND : layout.COUNT] = deal
    other = quality.judge(GAME.kernels(), state, Model(worlds=50), 7)
    for name in quality.BELIEFS:
        assert np.array_equal(one.beliefs[name], other.beliefs[name])
