"""Searches by a learned value, on the toys: what counts where, and what is refused."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engines import registry
from engines.protocol import Budget, Decision
from games import readiness, rng
from games.protocol import CHANCE, State
from games.values import loading
from tests.games import walks

GAME = walks.game_of("toy")
NAME = GAME.values[0]
CLOSE = 1e-9
"""Sums of a few products of small numbers, compiled and not."""


@pytest.fixture(autouse=True)
def plainly(request: pytest.FixtureRequest) -> Iterator[None]:
    """Undecorated kernels: every search has a variant for values, which nothing else of a usual run would compile."""
    with contextlib.nullcontext() if "compiled" in request.fixturenames else readiness.plainly():
        yield


@pytest.fixture
def compiled() -> None:
    """For a test that wants compiled kernels, too."""


def expected(state: State, seat: int) -> float:
    """Margin that the value expects, by the undecorated kernels."""
    kernels = loading.load(GAME.value, GAME.folder, False, "plain")
    out = np.zeros(kernels.ROOM)
    kernels.value(state, GAME.value.weights(NAME), out)
    others = [out[other] for other in range(GAME.num_seats(state)) if other != seat]
    return float(out[seat] - max(others))


def turn(place: int = 2, seats: int = 2) -> State:
    return walks.turns("toy", seats)[place]


def decide(engine_id: str, state: State, budget: Budget, game: Any = GAME, **options: Any) -> Decision:
    engine = registry.make(engine_id, {"value": NAME, **options})
    return engine.choose(game, state, game.current_player(state), budget, rng.new_stream(1, rng.SEARCH))


@pytest.mark.parametrize("seats", [2, 3])
def test_expectimax_to_depth_one_is_greedy_in_the_value(seats: int) -> None:
    for place in range(3):
        state = turn(place, seats)
        seat = GAME.current_player(state)
        found = decide("expectimax", state, Budget(depth=1), algorithm="expectimax", order="none")
        worth = [expected(GAME.apply(state, action), seat) for action in found.table.actions.tolist()]
        assert found.table.values == pytest.approx(worth, abs=CLOSE)
        assert found.action == found.table.actions[int(np.argmax(worth))]


def test_star_prunes_without_changing_the_value() -> None:
    state = turn(0)
    plain = decide("expectimax", state, Budget(depth=3), algorithm="expectimax")
    star = decide("expectimax", state, Budget(depth=3), bound=20.0)
    assert star.value == pytest.approx(plain.value, abs=CLOSE)
    assert star.nodes < plain.nodes


def next_worths(state: State, action: int, seat: int) -> list[float]:
    """What the value may say after an action and the draw behind it."""
    after = GAME.apply(state, action)
    if GAME.current_player(after) != CHANCE:
        return [expected(after, seat)]
    return [expected(GAME.apply(after, int(card)), seat) for card in GAME.chance_outcomes(after)[0]]


def test_playouts_of_no_plies_count_what_the_value_expects() -> None:
    state = turn()
    seat = GAME.current_player(state)
    for engine_id, budget in (("flat_mc", Budget(playouts=2)), ("uct", Budget(simulations=2))):
        found = decide(engine_id, state, budget)
        assert found.table.visits.tolist() == [1, 1]
        for action, value in zip(found.table.actions.tolist(), found.table.values.tolist(), strict=True):
            assert any(value == pytest.approx(worth, abs=CLOSE) for worth in next_worths(state, action, seat))


def test_playouts_that_stop_count_points_where_no_value_is_named() -> None:
    state = turn(0)
    whole = decide("flat_mc", state, Budget(playouts=40), value="none")
    cut = decide("flat_mc", state, Budget(playouts=40), value="none", playout_plies=1)
    assert cut.nodes < whole.nodes
    longer = decide("flat_mc", state, Budget(playouts=40), value="none", playout_plies=99)
    assert (longer.nodes, longer.table.values.tolist()) == (whole.nodes, whole.table.values.tolist())


def test_candidates_are_those_that_the_value_likes() -> None:
    for place in range(3):
        state = turn(place, 3)
        seat = GAME.current_player(state)
        found = decide("flat_mc", state, Budget(playouts=10), candidates=1)
        worth = [expected(GAME.apply(state, action), seat) for action in found.table.actions.tolist()]
        assert found.table.visits.nonzero()[0].tolist() == [int(np.argmax(worth))]


def test_what_an_action_gains_is_by_the_value() -> None:
    state = turn(1)
    seat = GAME.current_player(state)
    first = decide("uct", state, Budget(simulations=1), widening=0.5, widening_exponent=0.0)
    gains = [expected(GAME.apply(state, action), seat) for action in GAME.legal_actions(state).tolist()]
    assert first.action == GAME.legal_actions(state)[int(np.argmax(gains))]


def test_hidden_cards_stay_hidden_from_the_value() -> None:
    secret = walks.game_of("toy_secret")
    state = next(state for state in walks.turns("toy_secret") if len(secret.legal_actions(state)) > 1)
    seat = secret.current_player(state)
    view = secret.view(state, seat)
    others = [secret.determinize(view, rng.new_stream(k, rng.ANALYSIS)) for k in range(5)]
    for engine_id, options in (("flat_mc", {"candidates": 2}), ("uct", {"chance": "open_loop"})):
        budget = Budget(playouts=20) if engine_id == "flat_mc" else Budget(simulations=20)
        found = [
            decide(engine_id, secret.view(other, seat), budget, secret, **options).table.values.tolist()
            for other in (state, *others)
        ]
        assert all(values == found[0] for values in found)


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("game_id", ["toy", "toy_secret", "carcassonne"])
def test_compiled_searches_decide_as_undecorated_ones(game_id: str) -> None:
    game = walks.game_of(game_id)
    state = [state for state in walks.turns(game_id) if len(game.legal_actions(state)) > 1][-3]
    hides = {"chance": "open_loop"} if game.traits.has_hidden_information else {}
    searches: list[tuple[str, Budget, dict[str, Any]]] = [
        ("flat_mc", Budget(playouts=9), {"candidates": 2, "playout_plies": 2}),
        ("flat_mc", Budget(playouts=9), {"value_plies": 1, "playout_plies": 2}),
        ("uct", Budget(simulations=9), {"playout_plies": 1, **hides}),
        ("uct", Budget(simulations=9), {"bias": 1.0, "widening": 1.0, **hides}),
        *([] if hides else [("expectimax", Budget(depth=2), {"order": "none"})]),
    ]
    for engine_id, budget, options in searches:
        options["value"] = game.values[0]
        found = decide(engine_id, state, budget, game, **options)
        with readiness.plainly():
            plain = decide(engine_id, state, budget, game, **options)
        assert (found.action, found.nodes) == (plain.action, plain.nodes), engine_id
        assert found.table.values.tolist() == plain.table.values.tolist()


def test_refusals_name_the_values_that_there_are() -> None:
    other = walks.game_of("dominoes")
    for engine_id in ("flat_mc", "uct", "expectimax"):
        engine = registry.make(engine_id, {"value": "nobody"})
        assert f"has the learned values {NAME}, not 'nobody'" in str(engine.refuses(GAME))
        assert registry.make(engine_id, {}).refuses(GAME) is None
    if not other.values:
        assert "has no learned value" in str(registry.make("flat_mc", {"value": NAME}).refuses(other))
    assert registry.defaults("uct", GAME).get("value") is None
