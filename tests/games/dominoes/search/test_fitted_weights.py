"""Numbers fitted to play."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games.dominoes import state as layout
from games.dominoes.search import fitted_weights, playout_policy, valuations, workspace
from games.dominoes.search.hands import DominoHands
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


def test_what_appeals_most_is_the_action_with_the_greatest_sum_of_weighed_terms() -> None:
    kernels = DominoHands().compile_searches(GAME.kernels())
    policy, compared = kernels.playout_policy, 0
    for state in minimax.rounds(12, 10, seed=3):
        seat = int(state[layout.PLAYER])
        actions = DominoHands().sorted_actions(GAME.legal_actions(state))
        view, at = GAME.view(state, seat), policy.TERMS * int(policy.phase_of(int(state[layout.COUNT + seat])))
        weights = fitted_weights.playout_policy()[at : at + policy.TERMS]
        wanted = actions[(playout_policy.terms(kernels, view, seat, actions) @ weights).argmax()]
        for seen in (view, state):
            assert playout_policy.most_appealing(kernels, seen, seat, actions) == wanted
        compared += len(actions) > 1
    assert compared
