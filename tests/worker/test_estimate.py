import dataclasses

import pytest

from engines.protocol import Budget
from games import registry
from worker import estimate as estimates
from worker import spec as specs
from worker.estimate import GAME_COSTS, GameCost, estimate, thinking_s
from worker.spec import SeatSpec

COST = GameCost(plies=60, legal_actions=10, playout_s=1e-4, action_s=1e-6, ply_s=1e-3)


@pytest.fixture
def spec(dice, monkeypatch):
    """Return a function that makes a spec of dice, with known costs."""
    monkeypatch.setitem(GAME_COSTS, "dice", COST)
    return lambda *arms, **changes: specs.from_json(dice(*arms, **changes))


def seat(engine="weigher", options=None, **budget):
    return SeatSpec(engine, options or {}, Budget.from_json(budget))


@pytest.mark.parametrize(
    ("budget", "seconds"),
    [
        ({"playouts": 500}, 0.05),
        ({"simulations": 500}, 0.05),
        ({"playouts_per_action": 20}, 0.02),
        ({"nodes": 1_000}, 0.001),
        ({"depth": 3}, 0.001),
        ({"seconds_per_ply": 0.5}, 0.5),
        ({"seconds_per_match": 6.0}, 0.2),
        ({"playouts": 500, "seconds_per_ply": 0.01}, 0.01),
    ],
)
def test_a_budget_says_how_long_a_ply_takes(budget, seconds):
    assert thinking_s(COST, seat(**budget), num_seats=2) == pytest.approx(seconds)


def test_a_tree_grows_with_outcomes_and_pruning_keeps_part_of_it():
    # 10 actions, then 4 outcomes with 10 actions each: 400 nodes; of the deeper ply Star2 sees two in five,
    # half as many with killers
    cost = dataclasses.replace(COST, outcomes=4)
    assert thinking_s(cost, seat(depth=2), 2) == pytest.approx(400e-6)
    assert thinking_s(cost, seat(options={"algorithm": "star2"}, depth=2), 2) == pytest.approx(160e-6)
    killers = seat(options={"algorithm": "star2", "killers": True}, depth=2)
    assert thinking_s(cost, killers, 2) == pytest.approx(80e-6)
    assert thinking_s(cost, seat(options={"algorithm": "star2"}, depth=1), 2) == pytest.approx(10e-6)


def test_a_policy_weighs_its_actions_and_random_does_not():
    assert thinking_s(COST, seat("scripted", {"policy": "greedy"}), 2) == pytest.approx(1e-5)
    assert thinking_s(COST, seat("random"), 2) == 0


def test_a_policy_that_was_measured_costs_what_it_takes():
    cost = dataclasses.replace(COST, policies={"greedy": 3e-6})
    assert thinking_s(cost, seat("scripted", {"policy": "greedy"}), 2) == pytest.approx(3e-6)
    assert thinking_s(cost, seat("scripted", {"policy": "careful"}), 2) == pytest.approx(1e-5)
    # 100 playouts of 0.1 ms, and 30 plies of 3 microseconds in each
    assert thinking_s(cost, seat("flat_mc", {"policy": "greedy"}, playouts=100), 2) == pytest.approx(0.019)


def test_every_policy_of_a_measured_game_was_measured():
    for game_id in registry.ids():
        if game_id in GAME_COSTS:
            assert set(GAME_COSTS[game_id].policies) == set(registry.get(game_id).policies) - {"random"}


def test_playouts_by_a_policy_cost_its_weighing_on_half_of_the_plies():
    # A playout of 0.1 ms and 30 plies of 10 actions at 1 microsecond: 0.4 ms.
    policy = seat("flat_mc", {"policy": "greedy"}, playouts=100)
    assert thinking_s(COST, policy, 2) == pytest.approx(0.04)
    assert thinking_s(COST, seat("flat_mc", {"policy": "random"}, playouts=100), 2) == pytest.approx(0.01)


def test_short_playouts_cost_their_share_and_listed_ones_their_actions():
    # 6 plies of 30: a fifth of 0.1 ms, and 6 times 10 actions at 1 microsecond if a policy weighs them
    assert thinking_s(COST, seat("uct", {"playout_plies": 6}, simulations=100), 2) == pytest.approx(0.002)
    weighed = seat("uct", {"playout_plies": 6, "policy": "greedy"}, simulations=100)
    assert thinking_s(COST, weighed, 2) == pytest.approx(0.008)
    assert thinking_s(COST, seat("uct", {"playout_plies": 99}, simulations=100), 2) == pytest.approx(0.01)
    listed = seat("uct", {"mast": 1.0, "playout_plies": 0}, simulations=100)
    assert thinking_s(COST, listed, 2) == pytest.approx(0.01 + 100 * 30 * 10 * 6e-8)


def test_seconds_rows_and_bytes_by_hand(spec):
    weigher = {"engine": "weigher", "budget": {"playouts": 100}}
    result = estimate(spec((weigher, "dicer"), ("dicer", "dicer"), deals=50))
    # Rules 60 * 1 ms; the weigher's 30 plies of 100 * 0.1 ms.
    assert result.seconds_per_match == pytest.approx((0.36, 0.06))
    assert result.seconds == pytest.approx(100 * 0.42)
    assert result.matches == 200
    assert result.rows == 200 * (1 + 2 + 60)
    match_bytes = estimates.MATCH_BYTES + 2 * estimates.SEAT_BYTES
    # A quarter of the plies carry weighed actions.
    plies_bytes = 60 * (estimates.PLY_BYTES + 0.25 * estimates.BEST_BYTES)
    assert result.bytes == round(200 * (match_bytes + plies_bytes))


def test_matches_alone_store_no_plies_and_full_tables_cost_more(spec):
    arm = ("weigher", "weigher")
    rows = {record: estimate(spec(arm, record=record)) for record in ("matches", "standard", "full")}
    assert rows["matches"].rows == 8 * 3
    assert rows["matches"].bytes < rows["standard"].bytes < rows["full"].bytes


def test_processes_share_the_time_but_not_one_match(spec):
    many = spec(("weigher", "dicer"), deals=50)
    assert estimate(many, processes=4).seconds == pytest.approx(estimate(many).seconds / 4)
    single = spec(("weigher", "dicer"), deals=1, rotation="none")
    assert estimate(single, processes=4).seconds == estimate(single).seconds


def test_no_processes_are_refused(spec):
    with pytest.raises(ValueError, match="processes must be at least 1"):
        estimate(spec(), processes=0)


def test_a_game_nobody_measured_is_guessed_from_its_bounds(dice):
    cost = estimates.game_cost("dice")
    assert cost.plies == registry.get("dice").traits.max_plies / 2
    assert estimate(specs.from_json(dice())).seconds > 0


def test_what_is_ahead_in_words():
    assert estimates.words(1, "piece", "pieces", 0.1) == "1 piece, a second or so"
    assert estimates.words(20, "match", "matches", 12.3) == "20 matches, about 12 s"


@pytest.mark.parametrize(
    ("options", "plies"),
    [({"length": "round"}, 26), ({}, 286), ({"target": 200, "out_points": "all"}, 286), ({"target": 5}, 26)],
)
def test_a_dominoes_match_is_as_long_as_its_rules_make_it(options, plies):
    assert GAME_COSTS["dominoes"].of(options, 4).plies == plies


def thinking(engine, **options):
    budget = {"simulations": 100} if engine in ("pimc", "ismcts") else {}
    return thinking_s(GAME_COSTS["dominoes"], seat(engine, options, **budget), 4)


@pytest.mark.parametrize(
    ("engine", "options", "measured"),
    [
        ("ims", {}, 1.2e-4),
        ("ims", {"alpha": 6.0, "beta": 0.5}, 2.5e-3),
        ("oracle", {}, 6e-5),
        ("pimc", {}, 100 * 1.2e-5),
        ("pimc", {"postponed": True}, 100 * 7e-5),
        ("pimc", {"inner": "playouts"}, 100 * 7e-6),
    ],
)
def test_searches_over_hands_take_what_was_measured(engine, options, measured):
    assert measured / 3 < thinking(engine, **options) < measured * 3


def test_searches_over_hands_cost_by_their_depth_and_by_what_is_done_in_a_world():
    assert thinking("ims", alpha=20.0, beta=6.0) > 500 * thinking("ims")
    assert thinking("ims", alpha=20.0, beta=6.0) < 1.0
    assert thinking("oracle", alpha=20.0) > 5 * thinking("oracle")
    usual = thinking("pimc", inner="playouts")
    assert thinking("pimc", inner="playouts", playouts=1000) == pytest.approx(1000 * usual)
    assert thinking("pimc", inner="playouts", all_below=100_000) == pytest.approx(100 * usual)
    for engine in ("pimc", "ismcts"):
        weighed = {depth: thinking(engine, inference="flat", level_depth=depth) for depth in (0, 6)}
        assert weighed[6] > 3 * thinking(engine)
        assert weighed[6] - thinking(engine) == pytest.approx(1.9**6 * (weighed[0] - thinking(engine)))
    assert thinking("pimc", full_from=0) > 20 * thinking("pimc")
