"""Numbers fitted to play."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games.dominoes import state as layout
from games.dominoes.search import fitted_weights, valuations, workspace
from games.hands import Valuation
from tests.games.dominoes import minimax
from tests.games.dominoes.tables import GAME


def test_the_fitted_value_weighs_what_it_says() -> None:
    state = minimax.rounds(1, 10, seed=7)[0]
    worlds = GAME.kernels().worlds
    w, row = workspace.words(GAME.kernels(), state, Valuation("fitted")), np.zeros(4 * worlds.TERMS)
    worlds.begin(state, w, *(int(word) for word in state[layout.HAND : layout.COUNT]))
    seat, left, right = (int(state[word]) for word in (layout.PLAYER, layout.LEFT, layout.RIGHT))
    worlds.list_terms(w, seat, left, right, row)
    wanted = float(np.append(row, 1.0) @ fitted_weights.value())
    found = GAME.kernels().worlds.evaluate(w, seat, left, right) / valuations.FINE
    assert found == pytest.approx(wanted, abs=0.01 * row.sum())
    assert row[0] == sum(minimax.tiles.PIPS[t] for t in minimax.tiles.tile_indices(int(state[layout.HAND + seat])))
    assert [row[k * worlds.TERMS + 3 : (k + 1) * worlds.TERMS].argmax() for k in range(4)] == [
        state[layout.COUNT + (seat + k) % 4] for k in range(4)
    ]


def test_the_fit_says_how_it_holds_on_play_that_it_has_not_seen() -> None:
    data = fitted_weights.data()
    assert data["value"]["rms_error_fitted"] < data["value"]["rms_error_pips_scaled"]
    assert data["value"]["rms_error_pips_scaled"] < data["value"]["rms_error_nothing"]
    assert data["manner"]["log_loss"] < 0.9 * data["manner"]["log_loss_by_chance"]
    assert len(fitted_weights.value()) == 4 * GAME.kernels().worlds.TERMS + 1
    assert Path(fitted_weights.FILE).name == "fitted.json"
