"""What every engine promises, on every game that it fits."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from engines import driver, registry
from engines.protocol import BUDGET_LABELS, Budget, Decision
from games import options as option_tools
from games import rng
from games.loader import FRAME
from games.options import OptionError
from tests.engines import deciding
from tests.games import walks
from tests.looping import looped

PAIRS = deciding.pairs()
DETERMINISTIC = ("expectimax",)
"""Searches that draw nothing."""
COUNTS = ("playouts", "playouts_per_action", "simulations", "nodes")
DEADLINE_S = 300
SECONDS = 0.05
"""What a decision is given where its time counts."""
GRACE_S = 0.25
"""What a decision may take beyond its seconds: one slice, and first use of compiled code."""


def engines(game_id: str) -> list[str]:
    """Those that fit a game."""
    return [engine_id for engine_id, fitting in PAIRS if fitting == game_id]


def searches(game_id: str) -> list[str]:
    return [engine_id for engine_id in engines(game_id) if registry.get(engine_id).budgets]


def honest(game_id: str) -> list[str]:
    """Engines that do not declare that they peek."""
    return [engine_id for engine_id in engines(game_id) if not registry.get(engine_id).peeks]


def options_of(engine_id: str) -> list[dict[str, Any]]:
    return option_tools.schema(registry.get(engine_id).options_class)


every_game = pytest.mark.parametrize("game_id", walks.GAME_IDS)


@cache
def turns(game_id: str, count: int = 4) -> tuple[Any, ...]:
    return tuple(walks.some(walks.turns(game_id, walks.game_of(game_id).traits.max_seats), count))


@cache
def decided(engine_id: str, game_id: str) -> tuple[Decision, ...]:
    """What an engine does at each of `turns`, remembered: several promises are checked on it."""
    return tuple(deciding.decide(engine_id, game_id, state) for state in turns(game_id))


def rows(engine_id: str, game_id: str) -> list[dict[str, Any]]:
    return [deciding.row(decision) for decision in decided(engine_id, game_id)]


def test_every_engine_fits_some_game_and_every_game_has_an_engine() -> None:
    assert {engine_id for engine_id, _ in PAIRS} == set(registry.ids())
    assert {game_id for _, game_id in PAIRS} == set(walks.GAME_IDS)


@pytest.mark.slow
def test_same_seed_and_counts_give_the_same_decisions_in_another_process() -> None:
    command = [sys.executable, "-m", "tests.engines.deciding"]
    answer = subprocess.run(command, cwd=FRAME.parent, check=True, capture_output=True, text=True, timeout=DEADLINE_S)
    assert json.loads(answer.stdout) == json.loads(json.dumps(deciding.all_rows()))


@pytest.mark.long
@every_game
@looped("engine_id", searches)
def test_another_seed_gives_other_searches(engine_id: str, game_id: str) -> None:
    other = deciding.row(deciding.decide(engine_id, game_id, turns(game_id)[1], seed=1))
    assert (rows(engine_id, game_id)[1]["table"] == other["table"]) == (engine_id in DETERMINISTIC)


@every_game
@looped("engine_id", searches)
def test_slices_do_not_change_the_decision(engine_id: str, game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = rows(engine_id, game_id)
    for most in (1, 7):
        with monkeypatch.context() as patch:
            patch.setattr(driver, "MAX_SLICE", most)
            sliced = [deciding.row(deciding.decide(engine_id, game_id, state)) for state in turns(game_id)]
        assert sliced == expected


@every_game
@looped("engine_id", honest)
def test_only_the_information_set_matters(engine_id: str, game_id: str) -> None:
    """Two states that the seat cannot tell apart: same generator and budget, same decision."""
    game = walks.game_of(game_id)
    differed = 0
    for state, expected in zip(turns(game_id), rows(engine_id, game_id), strict=True):
        seat = game.current_player(state)
        drawn = [game.determinize(game.view(state, seat), rng.new_stream(k, rng.ANALYSIS)) for k in range(6)]
        others = {other.tobytes(): other for other in drawn if other.tobytes() != state.tobytes()}
        differed += len(others)
        for alike in (state, *others.values()):
            assert deciding.row(deciding.decide(engine_id, game_id, alike)) == expected
    assert (differed > 0) == game.traits.has_hidden_information


@every_game
@looped("engine_id", engines)
def test_the_view_stays_as_it_was_and_the_action_is_legal(engine_id: str, game_id: str) -> None:
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


@every_game
@looped("engine_id", searches)
def test_a_table_covers_the_legal_actions_and_holds_the_value(engine_id: str, game_id: str) -> None:
    game = walks.game_of(game_id)
    for state, decision in zip(turns(game_id), decided(engine_id, game_id), strict=True):
        if len(game.legal_actions(state)) == 1:
            continue
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


@every_game
@looped("engine_id", engines)
def test_a_single_legal_action_costs_nothing(engine_id: str, game_id: str) -> None:
    game = walks.game_of(game_id)
    forced = [state for state in walks.turns(game_id) if len(game.legal_actions(state)) == 1]
    if game_id in walks.TOYS:
        assert forced, "the last card has to be kept"
    for state in forced:
        decision = deciding.decide(engine_id, game_id, state)
        assert decision.action == game.legal_actions(state)[0]
        assert decision.playouts == decision.nodes == 0


@every_game
@looped("engine_id", searches)
def test_counts_are_kept_exactly(engine_id: str, game_id: str) -> None:
    engine = registry.make(engine_id, {})
    state = turns(game_id)[1]
    n = len(walks.game_of(game_id).legal_actions(state))
    for key in set(engine.budgets) & set(COUNTS):
        for amount in (1, 50, 101):
            decision = deciding.decide(engine_id, game_id, state, Budget.from_json({key: amount}))
            spent = {"nodes": decision.nodes}.get(key, decision.playouts)
            assert spent == amount * (n if key == "playouts_per_action" else 1), key


@pytest.mark.long
@pytest.mark.parametrize(
    "game_id",
    [pytest.param(id_, marks=() if id_ in ("carcassonne", "dominoes") else pytest.mark.slow) for id_ in walks.GAME_IDS],
)
@looped("engine_id", searches)
@looped("cpu_clock", [True, False])
def test_seconds_are_kept(engine_id: str, game_id: str, cpu_clock: bool) -> None:
    engine = registry.make(engine_id, {})
    game, state = walks.game_of(game_id), turns(game_id)[1]
    left = game.plies_left(state, game.current_player(state))
    for key, share in (("seconds_per_ply", 1), ("seconds_per_match", left)):
        if key in engine.budgets:
            decided(engine_id, game_id)  # compiled by now
            budget = replace(Budget.from_json({key: SECONDS * share}), cpu_clock=cpu_clock)
            decision = deciding.decide(engine_id, game_id, state, budget)
            spent = decision.cpu_s if cpu_clock else decision.elapsed_s
            # another process may hold the processor while the wall clock runs
            assert spent < SECONDS + (GRACE_S if cpu_clock else 10 * GRACE_S)
            plies = sum(game.plies_left(state, seat) for seat in range(game.num_seats(state)))
            if decision.depth < plies:  # a search to the end of the match has nothing left to do
                assert spent >= SECONDS * (driver.LAST_SHARE if decision.depth else 1.0)


@every_game
@looped("engine_id", engines)
def test_illegal_states_are_refused(engine_id: str, game_id: str) -> None:
    game = walks.game_of(game_id)
    engine = registry.make_for(game, engine_id)
    state = walks.turns(game_id)[0]
    wrong = (game.current_player(state) + 1) % game.num_seats(state)
    for refused, seat in [(state, wrong), (walks.end(game_id), 0), *((draw, 0) for draw in walks.draws(game_id)[:1])]:
        with pytest.raises(ValueError, match=f"seat {seat} is not on turn"):
            engine.choose(game, refused, seat, deciding.small_budget(engine), rng.new_stream(1, rng.SEARCH))


@every_game
@looped("engine_id", searches)
def test_a_search_without_a_budget_says_which_it_takes(engine_id: str, game_id: str) -> None:
    with pytest.raises(ValueError, match=registry.get(engine_id).budgets[0]):
        deciding.decide(engine_id, game_id, turns(game_id)[1], Budget())


@looped("engine_id", registry.ids())
def test_an_engine_describes_itself(engine_id: str) -> None:
    cls = registry.get(engine_id)
    assert cls.id == engine_id
    assert cls.label
    assert cls.summary.endswith(".")
    assert set(cls.budgets) <= set(BUDGET_LABELS)
    assert set(cls.default_budget) <= set(cls.budgets)
    assert bool(cls.budgets) == bool(cls.default_budget)
    assert all(row["label"] for row in options_of(engine_id))


@looped("engine_id", registry.ids())
def test_bad_options_are_refused_by_name(engine_id: str) -> None:
    with pytest.raises(OptionError, match="no_such_option: unknown option"):
        registry.make(engine_id, {"no_such_option": 1})
    for row in options_of(engine_id):
        with pytest.raises(OptionError) as caught:
            registry.make(engine_id, {row["name"]: []})
        assert caught.value.field == row["name"]


@pytest.mark.parametrize("engine_id", list(filter(options_of, registry.ids())))
@looped("option", options_of)
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


def check_on(engine_id: str, game_id: str) -> None:
    """What any engine promises on a game, search or not: for engines and games that tests write."""
    for promise in (
        test_only_the_information_set_matters,
        test_the_view_stays_as_it_was_and_the_action_is_legal,
        test_a_single_legal_action_costs_nothing,
        test_illegal_states_are_refused,
    ):
        inspect.unwrap(promise)(engine_id, game_id)


def check_description(engine_id: str) -> None:
    """What any engine says of itself, and which options it refuses."""
    for promise in (test_an_engine_describes_itself, test_bad_options_are_refused_by_name):
        inspect.unwrap(promise)(engine_id)
