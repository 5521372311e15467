"""Imperfect Minimax against the paper's algorithm."""

from __future__ import annotations

import numpy as np
import pytest

from games.dominoes import state as layout
from games.dominoes.search import compilation, imperfect_minimax
from games.hands import Valuation
from tests.games.dominoes import minimax
from tests.games.dominoes.tables import GAME


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    compilation.compile_searches(GAME.kernels())


@pytest.mark.parametrize("depth", [0, 2, 4])
def test_imperfect_minimax_is_the_papers_algorithm(depth: int) -> None:
    for state in minimax.rounds(8, 15, seed=8):
        actions = np.array(minimax.legal(state), np.int32)
        view = GAME.view(state, int(state[layout.PLAYER]))
        exact = imperfect_minimax.values(GAME.kernels(), view, actions, depth, Valuation(), is_exact=True).values
        assert exact.tolist() == pytest.approx(minimax.imperfect(state, depth).tolist())
        pruned = imperfect_minimax.values(GAME.kernels(), view, actions, depth, Valuation()).values
        assert pruned.argmax() == exact.argmax()
        assert pruned.max() == pytest.approx(exact.max())


def test_the_authors_pruning_loses_values() -> None:
    differ = 0
    for state in minimax.rounds(30, 12, seed=9):
        actions = np.array(minimax.legal(state), np.int32)
        sound, unsound = (
            imperfect_minimax.values(GAME.kernels(), state, actions, 4, Valuation(), is_unsound=is_unsound).values.max()
            for is_unsound in (False, True)
        )
        differ += abs(sound - unsound) > 1e-9
    assert differ > 0
