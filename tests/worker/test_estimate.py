from dataclasses import replace

import pytest

from engines.protocol import Budget
from games import registry as game_registry
from tests.worker.fakes import Dice
from worker import estimate as estimates
from worker import spec as specs
from worker.estimate import Keeping, estimate, match_costs, match_s, thinking_s
from worker.spec import SeatSpec
from worker.whole_matches import registry as whole_matches

NOWHERE = Keeping(0.0, 0.0, 0.0)


@pytest.fixture
def spec(dice):
    """Return a function that makes a spec of dice."""
    return lambda *arms, **changes: specs.from_json(dice(*arms, **changes))


def test_seconds_rows_and_bytes_by_hand(spec):
    weigher = {"engine": "weigher", "budget": {"playouts": 100}}
    result = estimate(spec((weigher, "dicer"), ("taker", "dicer"), deals=50), keeping=NOWHERE)
    # Rules 60 * 1 ms; the weigher's 30 plies of 100 * 0.1 ms.
    assert result.seconds_per_match == pytest.approx((0.36, 0.06))
    assert result.seconds == pytest.approx(100 * 0.42)
    assert result.matches == 200
    assert result.rows == 200 * (1 + 2 + 60)
    match_bytes = estimates.MATCH_BYTES + 2 * estimates.SEAT_BYTES
    # A quarter of the plies carry weighed actions.
    plies_bytes = 60 * (estimates.PLY_BYTES + 0.25 * estimates.BEST_BYTES)
    assert result.bytes == round(200 * (match_bytes + plies_bytes))


def test_equal_engines_play_a_deal_once(spec):
    weigher = {"engine": "weigher", "budget": {"playouts": 100}}
    result = estimate(spec((weigher, "dicer"), (weigher, weigher), deals=50), keeping=NOWHERE)
    # 100 matches of 0.36 s, and 50 in which both think: 0.66 s.
    assert result.seconds_per_match == pytest.approx((0.36, 0.66))
    assert (result.matches, result.seconds) == (150, pytest.approx(100 * 0.36 + 50 * 0.66))


def test_what_is_kept_of_plies_and_seats_is_added(spec):
    arm, keeping = ({"engine": "weigher", "budget": {"playouts": 100}}, "dicer"), Keeping(1e-3, 1e-2, 0.1)
    seconds = [estimate(spec(arm, record=record), keeping=keeping).seconds_per_match for record in ("matches", "full")]
    # 0.36 s played; two seats; 60 plies, half of them with best actions
    assert seconds[0] == pytest.approx((0.36 + 0.2,))
    assert seconds[1] == pytest.approx((0.36 + 0.2 + 60 * (1e-3 + 0.5 * 1e-2),))


def test_plies_cost_as_they_are_played():
    costs = replace(Dice.costs, between_ply_s=1e-4, whole_ply_s=1e-5)
    policy = SeatSpec("random", {}, Budget())
    searching = SeatSpec("flat_mc", {}, Budget(playouts=100))
    agent = SeatSpec("agent:rook", {}, Budget())
    assert match_s(costs, "dominoes", (policy, policy)) == pytest.approx(60 * 1e-5)
    assert match_s(costs, "dominoes", (searching, policy)) == pytest.approx(60 * 1e-4 + 30 * 100 * costs.playout_s)
    assert match_s(costs, "dominoes", (agent, policy)) == pytest.approx(60 * 1e-3)
    # where no kernel plays
    assert match_s(Dice.costs, "dominoes", (policy, policy)) == pytest.approx(60 * 1e-3)


@pytest.mark.parametrize("game_id", sorted(whole_matches.COURSES))
def test_kernels_were_measured_where_they_play(game_id):
    costs = game_registry.get(game_id).costs
    assert 0 < costs.whole_ply_s < costs.between_ply_s
    assert costs.whole_ply_s < costs.ply_s / 5


def test_matches_alone_store_no_plies_and_full_tables_cost_more(spec):
    arm = ("weigher", "dicer")
    rows = {record: estimate(spec(arm, record=record)) for record in ("matches", "standard", "full")}
    assert rows["matches"].rows == 8 * 3
    assert rows["matches"].bytes < rows["standard"].bytes < rows["full"].bytes


def test_processes_share_the_time_but_not_one_match(spec):
    many = spec(("weigher", "dicer"), deals=50)
    assert estimate(many, processes=4).seconds == pytest.approx(estimate(many).seconds / 4)
    single = spec(("weigher", "dicer"), deals=1, rotation="none")
    assert estimate(single, processes=4).seconds == estimate(single).seconds


def test_no_processes_are_refused(spec):
    with pytest.raises(ValueError, match="processes must be above 0, not 0"):
        estimate(spec(), processes=0)


def test_matches_are_as_long_as_their_rules_make_them():
    usual, big = (match_costs("kingdomino", options, 2) for options in ({}, {"size": "7"}))
    assert (usual.plies, big.plies) == (28, 52)
    assert big.playout_s == pytest.approx(52 / 28 * usual.playout_s)


def test_an_agent_takes_no_time_of_ours():
    assert thinking_s(Dice.costs, SeatSpec("agent:rook", {}, Budget()), 2) == 0


def test_the_slowest_seat_thinks_most(spec):
    quick, slow = ({"engine": "weigher", "budget": {"playouts": playouts}} for playouts in (10, 11))
    assert estimates.slowest_seat(spec((quick, slow)), 0) == 1


def test_what_is_ahead_in_words():
    assert estimates.words(1, "piece", "pieces", 0.1) == "1 piece, a second or so"
    assert estimates.words(20, "match", "matches", 12.3) == "20 matches, about 12 s"
