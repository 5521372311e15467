"""Players without search."""

from __future__ import annotations

from typing import Any

import pytest

from engines import registry
from engines.protocol import Budget
from games import rng
from tests import chances
from tests.games import walks
from tests.looping import looped

LEVEL = 1e-6
"""A chi-square test with a fixed seed fails a right engine with this chance, once and for all."""


def choices(engine_id: str, options: dict[str, Any], game_id: str, state: Any, count: int) -> list[int]:
    game, engine = walks.game_of(game_id), registry.make(engine_id, options)
    seat, r = game.current_player(state), rng.new_stream(1, rng.SEARCH)
    return [engine.choose(game, state, seat, Budget(), r).action for _ in range(count)]


@pytest.mark.long
@looped("game_id", walks.GAME_IDS)
def test_random_is_uniform_over_the_legal_actions(game_id: str) -> None:
    state = walks.turns(game_id)[1]
    actions = walks.game_of(game_id).legal_actions(state).tolist()
    drawn = choices("random", {}, game_id, state, 40 * len(actions))
    assert chances.of_counts([drawn.count(action) for action in actions]) > LEVEL


def test_random_has_no_options_and_no_budget() -> None:
    assert registry.get("random").budgets == ()
    assert choices("scripted", {"policy": "random"}, "toy", walks.turns("toy")[0], 20) == choices(
        "random", {}, "toy", walks.turns("toy")[0], 20
    )


@pytest.mark.parametrize("seats", [2, 3])
def test_greedy_keeps_every_card(toy: Any, seats: int) -> None:
    for state in walks.turns("toy", seats):
        assert choices("scripted", {}, "toy", state, 5) == [toy.current_player(state)] * 5


def best_actions(game: Any, state: Any) -> set[int]:
    """Actions after which the projected score difference is best, for two seats."""
    seat, worth = game.current_player(state), {}
    for action in game.legal_actions(state).tolist():
        points = game.projected_scores(game.apply(state, action))
        worth[action] = points[seat] - points[1 - seat]
    return {action for action, value in worth.items() if value == max(worth.values())}


def test_greedy_takes_a_best_projected_difference(carcassonne: Any) -> None:
    for state in walks.some(walks.turns("carcassonne"), 10):
        assert set(choices("scripted", {}, "carcassonne", state, 12)) <= best_actions(carcassonne, state)


def test_greedy_breaks_ties_at_random(carcassonne: Any) -> None:
    state = next(state for state in walks.turns("carcassonne") if len(best_actions(carcassonne, state)) > 1)
    tied = best_actions(carcassonne, state)
    drawn = choices("scripted", {}, "carcassonne", state, 100 * len(tied))
    assert chances.of_counts([drawn.count(action) for action in tied]) > LEVEL


def test_a_policy_that_the_game_does_not_have_is_refused(carcassonne: Any) -> None:
    engine = registry.make("scripted", {"policy": "timid"})
    assert "not 'timid'" in str(engine.refuses(carcassonne))
    with pytest.raises(ValueError, match=r"random, greedy, .*not 'timid'"):
        engine.choose(carcassonne, walks.turns("carcassonne")[0], 0, Budget(), rng.new_stream(1, rng.SEARCH))
