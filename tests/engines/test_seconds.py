"""What engines say that a decision takes them, by hand, and beside what was measured."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from engines import registry
from engines.protocol import Budget
from games import registry as game_registry
from games.costs import Costs
from tests.looping import looped

COSTS = Costs(plies=60, legal_actions=10, playout_s=1e-4, action_s=1e-6, ply_s=1e-3)


def seconds(engine: str, options: dict[str, Any] | None = None, costs: Costs = COSTS, **budget: Any) -> float:
    return registry.make(engine, options or {}).seconds(costs, Budget.from_json(budget), 2)


@looped(
    "engine, budget, expected",
    [
        ("flat_mc", {"playouts": 500}, 0.05),
        ("flat_mc", {"playouts_per_action": 20}, 0.02),
        ("flat_ucb", {"simulations": 500}, 0.05),
        ("uct", {"simulations": 500}, 0.05),
        ("expectimax", {"nodes": 1_000}, 0.001),
        ("uct", {"seconds_per_ply": 0.5}, 0.5),
        ("uct", {"seconds_per_match": 6.0}, 0.2),
        ("flat_mc", {"playouts": 500, "seconds_per_ply": 0.01}, 0.01),
    ],
)
def test_the_tightest_limit_says_how_long_a_ply_takes(engine: str, budget: dict[str, Any], expected: float) -> None:
    assert seconds(engine, **budget) == pytest.approx(expected)


def test_a_tree_grows_with_outcomes_and_pruning_keeps_part_of_it() -> None:
    # 10 actions, then 4 outcomes with 10 actions each: 400 nodes; of the deeper ply Star2 sees two in five,
    # half as many with killers
    costs = dataclasses.replace(COSTS, outcomes=4)
    assert seconds("expectimax", {"algorithm": "expectimax"}, costs, depth=2) == pytest.approx(400e-6)
    assert seconds("expectimax", {"algorithm": "star2"}, costs, depth=2) == pytest.approx(160e-6)
    assert seconds("expectimax", {"algorithm": "star2", "killers": True}, costs, depth=2) == pytest.approx(80e-6)
    assert seconds("expectimax", {"algorithm": "star2"}, costs, depth=1) == pytest.approx(10e-6)
    limited = seconds("expectimax", {"algorithm": "expectimax"}, costs, depth=2, nodes=100)
    assert limited == pytest.approx(100e-6)


def test_a_policy_weighs_its_actions_and_random_does_not() -> None:
    assert seconds("scripted", {"policy": "greedy"}) == pytest.approx(1e-5)
    assert seconds("random") == 0


def test_playouts_by_a_policy_cost_its_weighing_on_half_of_the_plies() -> None:
    # A playout of 0.1 ms and 30 plies of 10 actions at 1 microsecond: 0.4 ms.
    for engine, key in (("flat_mc", "playouts"), ("flat_ucb", "simulations"), ("uct", "simulations")):
        assert seconds(engine, {"policy": "greedy"}, **{key: 100}) == pytest.approx(0.04)
        assert seconds(engine, {"policy": "random"}, **{key: 100}) == pytest.approx(0.01)
    measured = dataclasses.replace(COSTS, policies={"greedy": 3e-6})
    # 100 playouts of 0.1 ms, and 30 plies of 3 microseconds in each
    assert seconds("flat_mc", {"policy": "greedy"}, measured, playouts=100) == pytest.approx(0.019)


def test_short_playouts_cost_their_share_and_listed_ones_their_actions() -> None:
    # 6 plies of 30: a fifth of 0.1 ms, and 6 times 10 actions at 1 microsecond if a policy weighs them
    assert seconds("uct", {"playout_plies": 6}, simulations=100) == pytest.approx(0.002)
    assert seconds("uct", {"playout_plies": 6, "policy": "greedy"}, simulations=100) == pytest.approx(0.008)
    assert seconds("uct", {"playout_plies": 99}, simulations=100) == pytest.approx(0.01)
    assert seconds("uct", {"mast": 1.0}, simulations=100) == pytest.approx(0.01 + 100 * 30 * 10 * 6e-8)


def over_hands(engine: str, **options: Any) -> float:
    budget = Budget.from_json({"simulations": 100} if registry.get(engine).budgets else {})
    return registry.make(engine, options).seconds(game_registry.get("dominoes").costs, budget, 4)


@looped(
    "engine, options, measured",
    [
        ("ims", {}, 1.2e-4),
        ("ims", {"alpha": 6.0, "beta": 0.5}, 2.5e-3),
        ("oracle", {}, 6e-5),
        ("shrewd", {}, 6e-5),
        ("double_dummy", {}, 2.5e-3),
        ("pimc", {}, 100 * 1.2e-5),
        ("pimc", {"postponed": True}, 100 * 7e-5),
        ("pimc", {"inner": "playouts"}, 100 * 7e-6),
        ("ismcts", {}, 100 * 4e-6),
    ],
)
def test_searches_over_hands_take_what_was_measured(engine: str, options: dict[str, Any], measured: float) -> None:
    assert measured / 3 < over_hands(engine, **options) < measured * 3


def test_searches_over_hands_cost_by_their_depth_and_by_what_is_done_in_a_world() -> None:
    assert over_hands("ims", alpha=20.0, beta=6.0) > 500 * over_hands("ims")
    assert over_hands("ims", alpha=20.0, beta=6.0) < 1.0
    assert over_hands("oracle", alpha=20.0) > 5 * over_hands("oracle")
    usual = over_hands("pimc", inner="playouts")
    assert over_hands("pimc", inner="playouts", playouts=1000) == pytest.approx(1000 * usual)
    assert over_hands("pimc", inner="playouts", all_below=100_000) == pytest.approx(100 * usual)
    for engine in ("pimc", "ismcts"):
        weighed = {depth: over_hands(engine, inference="flat", level_depth=depth) for depth in (0, 6)}
        assert weighed[6] > 3 * over_hands(engine)
        assert weighed[6] - over_hands(engine) == pytest.approx(1.9**6 * (weighed[0] - over_hands(engine)))
    assert over_hands("pimc", full_from=0) > 20 * over_hands("pimc")


def test_searches_over_hands_that_nobody_measured_weigh_every_action() -> None:
    for engine in ("ims", "shrewd", "oracle", "double_dummy"):
        assert seconds(engine) == pytest.approx(1e-5)
    assert seconds("pimc", simulations=50) == pytest.approx(1e-5)


@pytest.mark.parametrize("game_id", game_registry.ids())
def test_every_engine_says_how_long_it_takes_in_every_game_that_it_plays(game_id: str) -> None:
    game = game_registry.get(game_id)
    for engine_id in registry.suitable(game):
        cls = registry.get(engine_id)
        budget = Budget.from_json(cls.default_budget)
        taken = registry.make_for(game, engine_id).seconds(game.costs, budget, game.traits.min_seats)
        assert 0 <= taken < 60
        assert taken > 0 or not cls.budgets
        for key in set(cls.budgets) & {"seconds_per_ply"}:
            assert registry.make_for(game, engine_id).seconds(game.costs, Budget.from_json({key: 0.5}), 2) == 0.5
