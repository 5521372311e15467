import dataclasses
import json
import logging

import numpy as np
import pytest

from engines.protocol import Decision, Table
from games import registry
from tests.worker import fakes
from worker import schedule
from worker import spec as specs
from worker.course import replay
from worker.engine_decision import ply_info
from worker.runner import play_match, results


@pytest.fixture
def match(dice):
    """Return a function that makes one match of dice from engines and changes to the spec."""

    def make(*seats, ordinal=0, **changes):
        return schedule.match_spec(specs.from_json(dice(seats, **changes)), 0, ordinal)

    return make


def without_times(record):
    plies = tuple(dataclasses.replace(ply, elapsed_s=0.0, cpu_s=0.0) for ply in record.plies)
    return dataclasses.replace(record, elapsed_s=0.0, cpu_s=0.0, plies=plies)


def test_a_finished_match(match):
    record = play_match(match("taker", {"engine": "taker", "options": {"share": 0.0}}, options={"bonus": 2}))
    assert (record.status, record.failure, record.num_plies) == ("finished", None, 6)
    taken = sum(ply.action for ply in record.plies)
    assert record.scores == (2 + taken, 2)
    assert record.ranks == (1, 2)
    assert record.results == ("win", "loss")
    assert record.metrics == ({"taken": 2.0 + taken}, {"taken": 2.0})
    assert record.versions == {"dice": "3", "taker": "7"}
    assert record.digest == record.plies[-1].digest
    assert record.elapsed_s > 0
    assert record.cpu_s > 0


def test_seconds_are_floats_whatever_an_engine_returns(match, monkeypatch):
    monkeypatch.setattr(fakes.Liar, "answer", Decision(0, elapsed_s=np.float32(0.5), cpu_s=1))
    record = play_match(match("liar", "taker"))
    assert record.status == "finished"
    assert {type(seconds) for ply in record.plies for seconds in (ply.elapsed_s, ply.cpu_s)} == {float}


def test_identity_comes_from_the_schedule(match):
    given = match("taker", "dicer", ordinal=3)
    record = play_match(given)
    assert (record.arm, record.deal, record.rotation, record.lineup) == (0, 1, 1, (1, 0))
    assert (record.seed, record.deal_seed) == (given.seed, given.deal_seed)


def test_plies_say_what_happened(match):
    given = match("taker", "dicer")
    record = play_match(given)
    walk = replay("dice", {}, 2, given.deal_seed, [ply.action for ply in record.plies])
    before = next(walk)
    die, seat = int(before.state[3]), before.player
    for number, (ply, course) in enumerate(zip(record.plies, walk, strict=True)):
        assert (ply.ply, ply.seat, ply.legal_count) == (number, seat, die + 1)
        assert ply.notation == f"take {ply.action} of {die}"
        assert ply.scores == course.game.scores(course.state)
        assert ply.digest == course.digest
        assert (ply.value, ply.info) == (None, None)
        die, seat = int(course.state[3]), course.player


def test_the_same_spec_gives_the_same_record(match):
    first, second = (play_match(match("dicer", "weigher", record="full")) for _ in range(2))
    assert without_times(first) == without_times(second)


def test_rotations_of_equal_engines_are_two_matches(match):
    actions = {
        tuple(ply.action for ply in play_match(match("dicer", "dicer", ordinal=ordinal)).plies) for ordinal in (0, 1)
    }
    assert len(actions) == 2


def test_thinking_longer_never_changes_the_deal(match):
    dice = []
    for draws in (0, 50):
        seat = {"engine": "taker", "options": {"draws": draws}}
        record = play_match(match(seat, seat))
        dice.append([ply.action for ply in record.plies])
    assert dice[0] == dice[1]


def test_one_seats_thinking_never_changes_the_others_choice(match):
    found = []
    for draws in (0, 50):
        record = play_match(match({"engine": "taker", "options": {"draws": draws}}, "dicer"))
        found.append([ply.action for ply in record.plies if ply.seat == 1])
    assert found[0] == found[1]


def test_matches_alone_keep_no_plies(match):
    record = play_match(match("dicer", "weigher", record="matches"))
    standard = play_match(match("dicer", "weigher", record="standard"))
    assert record.plies == ()
    assert without_times(record) == dataclasses.replace(without_times(standard), plies=())


def test_standard_keeps_the_best_five_and_the_chosen_one(match):
    record = play_match(match("weigher", "weigher"))
    ply = next(ply for ply in record.plies if ply.legal_count == 7)
    # Values are -action; action 0 was never visited, action 6 was chosen.
    assert set(ply.info) == {"best"}
    assert [row[0] for row in ply.info["best"]] == [1, 2, 3, 4, 6]
    assert ply.info["best"][1] == [2, "take 2 of 6", -2.0, 2, pytest.approx(3 / 2**0.5, rel=1e-5)]
    assert ply.info["best"][0] == [1, "take 1 of 6", -1.0, 1, None]
    assert (ply.value, ply.playouts) == (-6.0, 40)


def test_full_keeps_the_whole_table(match):
    record = play_match(match("weigher", "weigher", record="full"))
    ply = next(ply for ply in record.plies if ply.legal_count == 7)
    assert [row[0] for row in ply.info["table"]] == [1, 2, 3, 4, 5, 6, 0]
    assert ply.info["table"][-1] == [0, "take 0 of 6", None, 0, None]
    json.dumps(ply.info, allow_nan=False)


def test_equal_values_are_ordered_by_visits_then_action(dice):
    table = Table(
        np.array([3, 1, 2], np.int32), np.array([0.5, 0.5, 0.5]), np.array([4, 4, 9], np.int64), np.full(3, np.nan)
    )
    game = registry.get("dice")
    info = ply_info(game, np.array([2, 0, 1, 6, 0, 0], np.int32), Decision(3, table=table), "standard")
    assert [row[0] for row in info["best"]] == [2, 1, 3]


def test_an_empty_table_is_no_information(dice):
    empty = Table(np.empty(0, np.int32), np.empty(0), np.empty(0, np.int64), np.empty(0))
    assert ply_info(registry.get("dice"), np.zeros(6, np.int32), Decision(0, table=empty), "full") is None


def test_a_win_is_the_sole_best_rank(subtests):
    for ranks, expected in [
        ((1, 2), ("win", "loss")),
        ((1, 1), ("draw", "draw")),
        ((3, 1, 1), ("loss", "draw", "draw")),
        ((2, 1, 2), ("loss", "win", "loss")),
        ((1, 1, 1), ("draw", "draw", "draw")),
    ]:
        with subtests.test(ranks=ranks, expected=expected):
            assert results(ranks) == expected


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ((1, 3, 1, 3), ("win", "loss", "win", "loss")),
        ((3, 1, 3, 1), ("loss", "win", "loss", "win")),
        ((1, 1, 1, 1), ("draw", "draw", "draw", "draw")),
    ],
)
def test_partners_win_together(ranks, expected):
    assert results(ranks, has_teams=True) == expected


def test_an_engine_that_raises_fails_its_match(match, caplog):
    with caplog.at_level(logging.WARNING):
        record = play_match(match("taker", "raiser"))
    assert record.status == "failed"
    assert (record.failure.seat, record.failure.kind) == (1, "exception")
    line = fakes.Raiser.choose.__code__.co_firstlineno + 2
    assert record.failure.message == f"RuntimeError: no idea (tests.worker.fakes:{line})"
    assert (record.scores, record.ranks, record.results, record.metrics) == ((), (), (), ())
    assert (record.num_plies, len(record.plies)) == (3, 3)
    assert record.digest == record.plies[-1].digest
    assert record.versions == {"dice": "3", "taker": "7", "raiser": "7"}
    assert "no idea" in caplog.text


@pytest.mark.parametrize("action", [99, -1, 2**40, 10**30, 1.0, "1", None, np.float64(1)])
def test_an_illegal_action_fails_the_match(match, monkeypatch, action):
    monkeypatch.setattr(fakes.Liar, "answer", Decision(action))
    record = play_match(match("liar", "taker"))
    assert (record.failure.seat, record.failure.kind) == (0, "illegal_action")
    assert record.failure.message == f"{action!r} is not legal at ply 0"
    assert (record.num_plies, record.digest, record.plies) == (0, 0, ())


def test_a_numpy_integer_is_an_action(match, monkeypatch):
    monkeypatch.setattr(fakes.Liar, "answer", Decision(np.int32(1), value=float("nan"), nodes=np.int64(3)))
    record = play_match(match("liar", "taker"))
    assert record.status == "finished"
    ply = record.plies[0]
    assert (type(ply.action), ply.action, ply.value, type(ply.nodes)) == (int, 1, None, int)


def test_an_answer_that_is_no_decision_fails_the_match(match, monkeypatch):
    monkeypatch.setattr(fakes.Liar, "answer", 1)
    record = play_match(match("taker", "liar"))
    assert (record.failure.seat, record.failure.kind) == (1, "exception")
    assert "1 instead of a decision" in record.failure.message


def test_a_fault_of_the_rules_fails_the_match_without_blaming_a_seat(match, monkeypatch):
    monkeypatch.setattr(fakes.Dice, "metrics", lambda self, state: 1 // 0)
    record = play_match(match("taker", "taker"))
    assert (record.status, record.scores, record.num_plies) == ("failed", (), 6)
    assert (record.failure.seat, record.failure.kind) == (None, "exception")


def test_a_fault_before_the_first_ply_fails_the_match(match, monkeypatch):
    monkeypatch.setattr(fakes.Dice, "initial_state", lambda self, options, seats: 1 // 0)
    record = play_match(match("taker", "taker"))
    assert (record.status, record.num_plies, record.failure.seat) == ("failed", 0, None)


def test_an_interruption_passes_through(match):
    given = match("quitter", "taker")
    with pytest.raises(KeyboardInterrupt):
        play_match(given)


def test_engines_that_peek_get_a_copy_of_the_true_state(match, monkeypatch):
    monkeypatch.setattr(fakes.Peeker, "seen", [])
    record = play_match(match("peeker", "taker"))
    assert fakes.Peeker.seen == [6, 4, 2]
    assert record.status == "finished"


def test_other_engines_get_their_view(match, monkeypatch):
    seen = []
    monkeypatch.setattr(fakes.Peeker, "peeks", False)
    monkeypatch.setattr(fakes.Peeker, "seen", seen)
    play_match(match("peeker", "taker"))
    assert seen == [-1, -1, -1]


def test_a_match_clock_runs_down_and_its_engine_fails_when_over(match, monkeypatch):
    monkeypatch.setattr(fakes.Clocked, "offered", [])
    record = play_match(match("clocked", "taker", deals=1))
    assert record.status == "finished"
    assert [budget.seconds_per_match for budget in fakes.Clocked.offered] == [10.0, 7.0, 4.0]

    monkeypatch.setattr(fakes.Clocked, "spends", 4.0)
    fakes.Clocked.offered.clear()
    record = play_match(match("clocked", "taker"))
    # 12 s are as much as the grace allows: 10 s, a tenth of it and one second.
    assert record.status == "finished"

    monkeypatch.setattr(fakes.Clocked, "spends", 4.1)
    record = play_match(match("clocked", "taker"))
    assert (record.failure.seat, record.failure.kind) == (0, "over_time")
    assert record.failure.message == "took 12.3 s at ply 4; 10 s are allowed for the match"


def test_a_clock_that_has_run_out_still_offers_a_moment(match, monkeypatch):
    monkeypatch.setattr(fakes.Clocked, "offered", [])
    monkeypatch.setattr(fakes.Clocked, "spends", 5.5)
    play_match(match("clocked", "taker"))
    assert [budget.seconds_per_match for budget in fakes.Clocked.offered] == [10.0, 4.5, 1e-3]


def test_a_ply_clock_is_kept_too(match, monkeypatch):
    monkeypatch.setattr(fakes.Clocked, "spends", 1.66)
    seat = {"engine": "clocked", "budget": {"seconds_per_ply": 0.5}}
    record = play_match(match("taker", seat))
    assert (record.failure.seat, record.failure.kind) == (1, "over_time")
    assert record.failure.message == "took 1.7 s at ply 1; 0.5 s are allowed for a ply"


def test_a_wall_clock_counts_elapsed_seconds(match):
    given = match("clocked", "taker")
    clocked, taker = given.seats
    wall = dataclasses.replace(clocked, budget=dataclasses.replace(clocked.budget, cpu_clock=False))
    record = play_match(dataclasses.replace(given, seats=(wall, taker)))
    assert record.failure.message == "took 100.0 s at ply 0; 10 s are allowed for the match"


def test_a_match_that_takes_too_long_fails_without_blame(match):
    record = play_match(match("taker", "taker"), most_s=0.0)
    assert (record.status, record.failure.seat, record.failure.kind) == ("failed", None, "too_long")
    assert record.num_plies == 1


def test_counts_by_ply_are_asked_for_ply_by_ply(match):
    budget = {"playouts": {"by": "ply", "counts": [3, 5, 7, 9]}}
    record = play_match(match({"engine": "weigher", "budget": budget}, "taker"))
    assert [ply.playouts for ply in record.plies if ply.seat == 0] == [3, 7, 9]
    with pytest.raises(specs.SpecError, match=r"arms\[0\].seats\[0\].budget.playouts.by: Dice has no rounds"):
        match({"engine": "weigher", "budget": {"playouts": {"by": "round", "counts": [3]}}}, "taker")
