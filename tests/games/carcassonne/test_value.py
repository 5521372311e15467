"""What the learned value knows of positions, against the rules' own final scoring and sums by hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from games import registry, rng
from games.carcassonne import state as layout
from games.carcassonne import tiles
from games.protocol import State
from games.values import loading
from tests.games import walks

GAME = registry.get("carcassonne")


@cache
def kernels() -> Any:
    assert GAME.value is not None
    return loading.load(GAME.value, GAME.folder, False, "plain")


def features(state: State, seat: int) -> np.ndarray:
    out = np.full(kernels().ROOM, np.nan)
    kernels().features(state, seat, out)
    return out[: kernels().NUM_FEATURES]


@pytest.mark.parametrize("seats", [2, 3])
def test_what_a_side_would_score_now_is_what_final_scoring_gives(seats: int) -> None:
    of = kernels().F
    claimed = 0
    for state in walks.some(walks.turns("carcassonne", seats), 12):
        for seat in range(seats):
            x, here = features(state, seat), of.OWN
            open_points = sum(x[here + kind] for kind in (of.CITY, of.ROAD, of.CLOISTER, of.FIELD))
            assert open_points == GAME.projected_scores(state)[seat] - GAME.scores(state)[seat]
            assert x[of.SCORES] == GAME.scores(state)[seat]
            claimed += open_points > 0
    assert claimed > 5


def test_two_seats_see_each_others_features() -> None:
    of = kernels().F
    for state in walks.some(walks.turns("carcassonne"), 8):
        one, other = features(state, 0), features(state, 1)
        assert one[of.OWN : of.OTHERS].tolist() == other[of.OTHERS :].tolist()
        assert one[of.SCORES : of.SCORES + 2].tolist() == other[of.SCORES : of.SCORES + 2][::-1].tolist()
        assert one[of.NEXT] + other[of.NEXT] == 1.0


def test_the_open_city_of_the_start_tile_is_likely_to_be_finished() -> None:
    of = kernels().F
    state = GAME.initial_state(GAME.options(), 2)
    assert features(state, 0)[of.UNCLAIMED] == pytest.approx(1.0 - 0.5**of.MOST_FITS, abs=1e-12)  # one sum
    assert features(state, 0)[of.LEFT] == (layout.NUM_TILES - 1) / layout.NUM_TILES


def test_a_city_that_no_tile_of_the_bag_fits_has_no_chance() -> None:
    of = kernels().F
    state = GAME.initial_state(GAME.options(), 2)
    table = tiles.load()
    cities = [t for t in range(layout.NUM_TYPES) if table.num_cities[t]]
    for t in cities:
        state[layout.POOL + t] = 0
        state[layout.POOL_TYPES] &= ~(1 << t)
    assert features(state, 0)[of.UNCLAIMED] == 0.0
    state[layout.POOL + cities[0]], state[layout.POOL_TYPES] = 2, state[layout.POOL_TYPES] | 1 << cities[0]
    assert features(state, 0)[of.UNCLAIMED] == 0.75  # one of two tiles is the seat's, or both


def test_compiled_values_are_those_of_the_undecorated_kernels() -> None:
    value = GAME.value
    assert value is not None
    weights, compiled = value.weights("learned"), loading.load(value, GAME.folder, True, "jit")
    state = GAME.initial_state(GAME.options(), 2)
    r = rng.new_stream(3, rng.ANALYSIS)
    for _ in range(60):
        number = GAME.sample_chance(state, r) if GAME.current_player(state) < 0 else GAME.legal_actions(state)[-1]
        state = GAME.apply(state, int(number))
    plain, found = np.zeros(kernels().ROOM), np.zeros(compiled.ROOM)
    kernels().value(state, weights, plain)
    compiled.value(state, weights, found)
    assert found[:2].tolist() == plain[:2].tolist(), "byte for byte, on any machine"
