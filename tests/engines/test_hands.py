"""Engines that search hidden hands: what each promises beyond the contract, on dominoes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines import hands, registry
from engines.driver import Clock
from engines.hands import SearchRequest
from engines.protocol import Budget, Decision
from games import options as option_tools
from games import rng
from games.dominoes import state as layout
from games.hands import ActionValues
from games.protocol import State
from tests.games import walks
from tests.looping import looped

GAME = walks.game_of("dominoes")
ENGINES = ("shrewd", "ims", "pimc", "ismcts", "oracle", "double_dummy")
PEEKING = ("oracle", "double_dummy")


def turns(count: int = 6, seed: int = 2) -> list[State]:
    """Turns with a choice."""
    found = [state for state in walks.turns("dominoes", seed=seed) if len(GAME.legal_actions(state)) > 1]
    return walks.some(found, count)


def decide(
    engine_id: str, state: State, seed: int = 1, budget: dict[str, Any] | None = None, **options: Any
) -> Decision:
    engine = registry.make(engine_id, options)
    seat = GAME.current_player(state)
    shown = state.copy() if engine.peeks else GAME.view(state, seat)
    spent = Budget.from_json({"simulations": 6} if budget is None and engine.budgets else budget or {})
    return engine.choose(GAME, shown, seat, spent, rng.new_stream(seed, rng.SEARCH))


@looped("engine_id", ENGINES)
def test_only_oracles_peek_and_only_hands_are_searched(engine_id: str) -> None:
    engine = registry.make(engine_id, {})
    assert engine.peeks == (engine_id in PEEKING)
    assert engine.refuses(GAME) is None
    refusal = engine.refuses(walks.game_of("kingdomino"))
    assert refusal is not None
    assert "Kingdomino" in refusal


@pytest.mark.long
@looped("engine_id", ENGINES)
def test_every_choice_of_every_option_decides(engine_id: str) -> None:
    state = turns()[2]
    for row in option_tools.schema(registry.get(engine_id).options_class):
        values = [choice["value"] for choice in row["choices"]]
        values += [True, False] if row["type"] == "bool" else []
        for value in values:
            decision = decide(engine_id, state, **{row["name"]: value})
            assert decision.action in GAME.legal_actions(state)


@pytest.mark.parametrize("engine_id", PEEKING)
def test_an_oracle_that_is_shown_a_view_says_so(engine_id: str) -> None:
    state = turns()[0]
    seat = GAME.current_player(state)
    with pytest.raises(ValueError, match="hands must be known"):
        registry.make(engine_id, {}).choose(GAME, GAME.view(state, seat), seat, Budget(), rng.new_stream(1, rng.SEARCH))


def test_postponed_choices_need_worlds_in_common() -> None:
    for options in ({"inner": "playouts"}, {"common": False}):
        engine = registry.make("pimc", {"postponed": True, **options})
        assert "share" in str(engine.refuses(GAME))
        with pytest.raises(ValueError, match="share"):
            decide("pimc", turns()[0], postponed=True, **options)


def test_tables_say_which_values_are_bounds() -> None:
    for state in turns():
        decision = decide("ims", state)
        table = decision.table
        assert table is not None
        assert table.is_bound is not None
        best = int(np.argmax(table.values))
        assert not table.is_bound[best]
        assert decision.action == table.actions[best]
        assert (table.values[table.is_bound] <= decision.value).all()
        assert decision.depth == registry.make("ims", {}).options.alpha or state[layout.NUM_TURNS] >= 4


def test_a_greedy_first_tile_is_the_one_with_most_pips() -> None:
    first = next(s for s in turns(20) if s[layout.COUNT + GAME.current_player(s)] == 7 and s[layout.NUM_LAID])
    greedy = registry.make("scripted", {"policy": "greedy"})
    seat = GAME.current_player(first)
    wanted = greedy.choose(GAME, first, seat, Budget(), rng.new_stream(1, rng.SEARCH)).action
    decision = decide("ims", first, greedy_first=True)
    assert decision.action >> 1 == wanted >> 1
    assert decision.table is None


def test_double_dummy_values_are_those_of_a_deep_oracle_by_points() -> None:
    for state in turns():
        exact = decide("double_dummy", state)
        deep = decide("oracle", state, payoff="points", alpha=20.0, beta=6.0, evaluation="pips")
        if state[layout.NUM_TURNS] >= 4:
            assert exact.table is not None
            assert deep.table is not None
            assert exact.table.values.tolist() == deep.table.values.tolist()


def test_all_worlds_take_no_budget() -> None:
    late = [state for state in turns(30) if state[layout.NUM_LAID] >= 18]
    assert late
    for state in late[:3]:
        decision = decide("pimc", state, all_below=100_000, budget={"simulations": 1})
        assert decision.playouts >= 1
        assert decision.table is not None
        assert (decision.table.visits == decision.playouts).all()
        again = decide("pimc", state, seed=9, all_below=100_000, budget={"simulations": 1})
        assert again.table is not None
        assert again.table.values.tolist() == decision.table.values.tolist()


def test_all_worlds_are_taken_as_far_as_there_is_time() -> None:
    state = next(state for state in turns(30) if state[layout.NUM_LAID] >= 18)
    every = decide("pimc", state, all_below=100_000, budget={"simulations": 1}).playouts
    assert every > 1
    assert decide("pimc", state, all_below=100_000, budget={"seconds_per_ply": 60.0}).playouts == every
    assert decide("pimc", state, all_below=100_000, budget={"seconds_per_ply": 1e-9}).playouts == 1


def test_playouts_of_all_worlds_are_bounded() -> None:
    engine = registry.make("pimc", {"inner": "playouts", "all_below": 100_000, "playouts": 2})
    assert "100,000 playouts" in str(engine.refuses(GAME))
    assert registry.make("pimc", {"all_below": 100_000, "playouts": 2}).refuses(GAME) is None


@pytest.mark.long
def test_the_deepest_search_takes_its_time_and_no_more() -> None:
    first = turns(2, seed=3)[0]
    decision = decide("ims", first, alpha=20.0, beta=6.0)
    assert decision.table is not None
    assert decision.table.visits.sum() < decision.nodes < 16_000_000
    assert 5 < decision.depth < 20
    assert decision.cpu_s < 10.0


@pytest.mark.long
def test_rounds_are_searched_to_their_end_from_a_turn_on() -> None:
    state = turns(20)[10]
    turn = int(state[layout.NUM_TURNS])
    assert decide("pimc", state, full_from=turn).depth == 0
    assert decide("pimc", state, full_from=turn + 1).depth > 0
    assert decide("pimc", state, inner="playouts").depth == 0


def test_depths_are_those_that_the_papers_logs_print() -> None:
    def depths(alpha: float, beta: float) -> list[int]:
        return [hands.depth_after(turns, alpha, beta) for turns in range(0, 28, 4)]

    assert depths(5, 1 / 3) == depths(5, 0.333333) == [5, 6, 7, 10, 12, 15, 20]
    assert depths(6, 0.5) == [6, 8, 12, 16, 24, 33, 48]
    assert depths(4, 1 / 3) == [4, 5, 6, 8, 10, 12, 16]
    assert depths(5, 3)[:2] == [5, 40]
    assert hands.depth_after(40, 20.0, 6.0) == hands.MOST_TURNS_AHEAD


def test_what_only_equals_the_best_before_it_is_a_bound() -> None:
    state = next(state for state in walks.turns("dominoes", seed=2) if len(GAME.legal_actions(state)) > 3)
    actions = GAME.legal_actions(state).copy()[:4]
    found = ActionValues(np.array([[1.0, 1.0, 3.0, 2.0], [5.0] * 4]), 20, 2)
    seat, r = GAME.current_player(state), rng.new_stream(1, rng.SEARCH)
    assert GAME.hands is not None
    asked = SearchRequest(GAME, GAME.hands, GAME.kernels(), state, seat, actions, Budget(), r, Clock())
    table = hands.decision(asked, found, bounds=True).table
    assert table is not None
    assert table.is_bound is not None
    assert table.is_bound.tolist() == [False, True, False, True]
