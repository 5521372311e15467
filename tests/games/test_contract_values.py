"""What the learned value of every game promises."""

from __future__ import annotations

import numpy as np
import pytest

from games.values import loading
from tests.games import walks

WITH_VALUE = [game_id for game_id in walks.GAME_IDS if walks.game_of(game_id).value]


@pytest.mark.parametrize("game_id", WITH_VALUE)
def test_a_value_is_finite_leaves_no_trace_and_is_exact_at_the_end(game_id: str) -> None:
    game = walks.game_of(game_id)
    kernels = loading.load(game.value, game.folder, False, "plain")
    weights = game.value.weights(game.values[0])
    seats = game.traits.max_seats
    out = np.full(kernels.ROOM, np.nan)
    for state in walks.some(walks.turns(game_id, seats), 6):
        before = state.tobytes()
        kernels.value(state, weights, out)
        assert np.isfinite(out[:seats]).all()
        assert state.tobytes() == before
        again = np.zeros(kernels.ROOM)
        kernels.value(state, weights, again)
        assert again[:seats].tolist() == out[:seats].tolist(), "what the buffer held before shows"
        features = np.full(kernels.ROOM, np.nan)
        for seat in range(seats):
            kernels.features(state, seat, features)
            assert np.isfinite(features[: kernels.NUM_FEATURES]).all()
    over = walks.end(game_id, seats)
    kernels.value(over, weights, out)
    assert tuple(out[: game.num_seats(over)]) == game.scores(over)
