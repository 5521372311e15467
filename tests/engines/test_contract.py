"""What every engine promises, on every game that it fits."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines import driver, registry
from engines.protocol import BUDGET_LABELS, Budget
from games import options as option_tools
from games import rng
from games.loader import FRAME
from games.options import OptionError
from tests.engines import deciding
from tests.games import walks

PAIRS = deciding.pairs()
SEARCHES = [pair for pair in PAIRS if registry.get(pair[0]).budgets]
DETERMINISTIC = ("expectimax",)
"""Searches that draw nothing."""
COUNTS = ("playouts", "playouts_per_action", "simulations", "nodes")
DEADLINE_S = 300
GRACE_S = 0.25
"""What a decision may take beyond its seconds: one slice, and first use of compiled code."""


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def pair(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(params=SEARCHES, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def search(request: pytest.FixtureRequest) -> Any:
    return request.param


def turns(game_id: str, count: int = 4) -> list[Any]:
    return walks.some(walks.turns(game_id, walks.game_of(game_id).traits.max_seats), count)


def test_every_engine_fits_some_game_and_every_game_has_an_engine() -> None:
    assert {engine_id for engine_id, _ in PAIRS} == set(registry.ids())
    assert {game_id for _, game_id in PAIRS} == set(walks.GAME_IDS)


@pytest.mark.slow
def test_same_seed_and_counts_give_the_same_decisions_in_another_process() -> None:
    command = [sys.executable, "-m", "tests.engines.deciding"]
    answer = subprocess.run(command, cwd=FRAME.parent, check=True, capture_output=True, text=True, timeout=DEADLINE_S)
    assert json.loads(answer.stdout) == json.loads(json.dumps(deciding.all_rows()))


def test_another_seed_gives_other_searches(search: Any) -> None:
    engine_id, game_id = search
    state = turns(game_id)[1]
    first, second = (deciding.row(deciding.decide(engine_id, game_id, state, seed=seed)) for seed in (1, 2))
    assert (first["table"] == second["table"]) == (engine_id in DETERMINISTIC)


def test_slices_do_not_change_the_decision(search: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine_id, game_id = search
    states = turns(game_id)
    expected = [deciding.row(deciding.decide(engine_id, game_id, state)) for state in states]
    for most in (1, 7):
        monkeypatch.setattr(driver, "MAX_SLICE", most)
        assert [deciding.row(deciding.decide(engine_id, game_id, state)) for state in states] == expected


def test_only_the_information_set_matters(pair: Any) -> None:
    """Two states that the seat cannot tell apart: same generator and budget, same decision."""
    engine_id, game_id = pair
    game = walks.game_of(game_id)
    if registry.get(engine_id).peeks:
        pytest.skip("declares that it peeks")
    differed = 0
    for state in turns(game_id):
        seat = game.current_player(state)
        others = [game.determinize(game.view(state, seat), rng.new_stream(k, rng.ANALYSIS)) for k in range(6)]
        differed += sum(other.tobytes() != state.tobytes() for other in others)
        rows = [deciding.row(deciding.decide(engine_id, game_id, other)) for other in (state, *others)]
        assert rows == rows[:1] * 7
    assert (differed > 0) == game.traits.has_hidden_information


def test_the_view_stays_as_it_was_and_the_action_is_legal(pair: Any) -> None:
    engine_id, game_id = pair
    game = walks.game_of(game_id)
    engine = registry.make_for(game, engine_id)
    for state in turns(game_id, 8):
        seat = game.current_player(state)
        view = state.copy() if engine.peeks else game.view(state, seat)
        before = view.tobytes()
        decision = engine.choose(game, view, seat, deciding.small_budget(engine), rng.new_stream(1, rng.SEARCH))
        assert view.tobytes() == before
        assert decision.action in game.legal_actions(state)
        assert isinstance(decision.action, int)
        assert decision.elapsed_s >= 0.0
        assert decision.cpu_s >= 0.0


def test_a_table_covers_the_legal_actions_and_holds_the_value(search: Any) -> None:
    engine_id, game_id = search
    game = walks.game_of(game_id)
    for state in turns(game_id):
        if len(game.legal_actions(state)) == 1:
            continue
        decision = deciding.decide(engine_id, game_id, state)
        table = decision.table
        assert table is not None
        n = len(game.legal_actions(state))
        assert sorted(table.actions.tolist()) == sorted(game.legal_actions(state).tolist())
        assert [len(table.values), len(table.visits), len(table.deviations)] == [n] * 3
        assert [str(column.dtype) for column in (table.actions, table.visits)] == ["int32", "int64"]
        chosen = table.actions.tolist().index(decision.action)
        assert table.values[chosen] == decision.value
        assert np.isnan(table.values).tolist() == (table.visits == 0).tolist()
        sampled = table.visits >= 2 if engine_id not in DETERMINISTIC else np.zeros(n, np.bool_)
        assert np.isnan(table.deviations).tolist() == (~sampled).tolist()


def test_a_single_legal_action_costs_nothing(pair: Any) -> None:
    engine_id, game_id = pair
    game = walks.game_of(game_id)
    forced = [state for state in walks.turns(game_id) if len(game.legal_actions(state)) == 1]
    if game_id in walks.TOYS:
        assert forced, "the last card has to be kept"
    for state in forced:
        decision = deciding.decide(engine_id, game_id, state)
        assert decision.action == game.legal_actions(state)[0]
        assert decision.playouts == decision.nodes == 0


def test_counts_are_kept_exactly(search: Any) -> None:
    engine_id, game_id = search
    engine = registry.make(engine_id, {})
    state = turns(game_id)[1]
    n = len(walks.game_of(game_id).legal_actions(state))
    for key in set(engine.budgets) & set(COUNTS):
        for amount in (1, 50, 101):
            decision = deciding.decide(engine_id, game_id, state, Budget.from_json({key: amount}))
            spent = {"nodes": decision.nodes}.get(key, decision.playouts)
            assert spent == amount * (n if key == "playouts_per_action" else 1), key


@pytest.mark.parametrize("cpu_clock", [True, False])
def test_seconds_are_kept(search: Any, cpu_clock: bool) -> None:
    engine_id, game_id = search
    engine = registry.make(engine_id, {})
    game, state = walks.game_of(game_id), turns(game_id)[1]
    left = game.plies_left(state, game.current_player(state))
    for key, share in (("seconds_per_ply", 1), ("seconds_per_match", left)):
        if key in engine.budgets:
            deciding.decide(engine_id, game_id, state)  # compiled by now
            budget = replace(Budget.from_json({key: 0.1 * share}), cpu_clock=cpu_clock)
            decision = deciding.decide(engine_id, game_id, state, budget)
            spent = decision.cpu_s if cpu_clock else decision.elapsed_s
            # another process may hold the processor while the wall clock runs
            assert spent < 0.1 + (GRACE_S if cpu_clock else 10 * GRACE_S)
            plies = sum(game.plies_left(state, seat) for seat in range(game.num_seats(state)))
            if decision.depth < plies:  # a search to the end of the match has nothing left to do
                assert spent >= 0.1 * (driver.LAST_SHARE if decision.depth else 1.0)


def test_illegal_states_are_refused(pair: Any) -> None:
    engine_id, game_id = pair
    game = walks.game_of(game_id)
    engine = registry.make_for(game, engine_id)
    state = walks.turns(game_id)[0]
    wrong = (game.current_player(state) + 1) % game.num_seats(state)
    for refused, seat in [(state, wrong), (walks.end(game_id), 0), *((draw, 0) for draw in walks.draws(game_id)[:1])]:
        with pytest.raises(ValueError, match=f"seat {seat} is not on turn"):
            engine.choose(game, refused, seat, deciding.small_budget(engine), rng.new_stream(1, rng.SEARCH))


def test_a_search_without_a_budget_says_which_it_takes(search: Any) -> None:
    engine_id, game_id = search
    with pytest.raises(ValueError, match=registry.get(engine_id).budgets[0]):
        deciding.decide(engine_id, game_id, turns(game_id)[1], Budget())


@pytest.mark.parametrize("engine_id", registry.ids())
def test_an_engine_describes_itself(engine_id: str) -> None:
    cls = registry.get(engine_id)
    assert cls.id == engine_id
    assert cls.label
    assert cls.summary.endswith(".")
    assert set(cls.budgets) <= set(BUDGET_LABELS)
    assert set(cls.default_budget) <= set(cls.budgets)
    assert bool(cls.budgets) == bool(cls.default_budget)
    assert all(row["label"] for row in option_tools.schema(cls.options_class))


@pytest.mark.parametrize("engine_id", registry.ids())
def test_bad_options_are_refused_by_name(engine_id: str) -> None:
    with pytest.raises(OptionError, match="no_such_option: unknown option"):
        registry.make(engine_id, {"no_such_option": 1})
    for row in option_tools.schema(registry.get(engine_id).options_class):
        with pytest.raises(OptionError) as caught:
            registry.make(engine_id, {row["name"]: []})
        assert caught.value.field == row["name"]


@pytest.mark.parametrize(
    ("engine_id", "option"),
    [(e, row) for e in registry.ids() for row in option_tools.schema(registry.get(e).options_class)],
)
def test_every_choice_of_every_option_decides(engine_id: str, option: dict[str, Any]) -> None:
    for choice in option["choices"]:
        engine = registry.make(engine_id, {option["name"]: choice["value"]})
        for game_id in ("toy", "carcassonne"):
            game, state = walks.game_of(game_id), turns(game_id)[1]
            if engine.refuses(game) is None:
                seat = game.current_player(state)
                r = rng.new_stream(1, rng.SEARCH)
                decision = engine.choose(game, game.view(state, seat), seat, deciding.small_budget(engine), r)
                assert decision.action in game.legal_actions(state)


def test_unknown_engines_are_unknown() -> None:
    with pytest.raises(KeyError, match="chess_master"):
        registry.make("chess_master", {})
