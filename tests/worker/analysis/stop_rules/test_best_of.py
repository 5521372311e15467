import numpy as np
import pytest

from worker.analysis import sequences
from worker.analysis.stop_rules import model
from worker.analysis.stop_rules.best_of import BestOf
from worker.analysis.stop_rules.model import BEST, Drop, Stop, Truth

RULE = BestOf("margin")


def arms(*means, deals=800, deviation=5.0, seed=1):
    rng = np.random.default_rng(seed)
    return np.array(means)[:, None] + rng.normal(0, deviation, (len(means), deals)).round()


def test_the_clearly_worse_are_dropped_first_and_the_best_is_left():
    stop = RULE.first_stop(arms(0, 3, -9, 1), 800)
    assert (stop.reason, stop.arm) == (BEST, 1)
    assert [drop.arm for drop in stop.drops] == [2, 3]
    assert stop.drops[0].deals < stop.drops[1].deals <= stop.deals
    assert RULE.drops(arms(0, 3, -9, 1), 800) == stop.drops


def test_a_drop_is_where_the_sequence_of_a_pair_leaves_out_0():
    values = arms(0, -3, deals=300)
    stop = RULE.first_stop(values, 300)
    found = sequences.mean_sequence(values[1] - values[0], 300, 0.95)
    assert stop == Stop(int((found.high < 0).argmax()) + 1, BEST, 0, (Drop(1, 0, stop.deals),))


def test_all_pairs_share_the_error():
    values = arms(0, -3, -3, deals=300)
    drop = RULE.drops(values, 300)[0]
    found = sequences.mean_sequence(values[drop.arm] - values[drop.by], 300, 1 - 0.05 / 3)
    assert drop.deals == int((found.high < 0).argmax()) + 1


def test_the_baseline_plays_on_when_it_is_beaten():
    values = arms(-9, 0, 0.5, deals=300)
    assert RULE.first_stop(values[:, :200], 300) is None
    assert RULE.drops(values, 300) == ()
    assert RULE.first_stop(values, 300) == Stop(300, model.AT_PLANNED)


def test_the_only_variant_left_must_beat_the_baseline():
    values = arms(0, 0, -9, deals=300)
    stop = RULE.first_stop(values, 300)
    assert (stop.reason, [drop.arm for drop in stop.drops]) == (model.AT_PLANNED, [2])


def test_the_end_is_the_same_whatever_was_played_beyond_it():
    values = arms(0, 2, -8, 1, -8)
    stop = RULE.first_stop(values, 800)
    cut = values.copy()
    for drop in stop.drops:
        cut[drop.arm, drop.deals :] = np.nan
    for rows in (values, cut, values[:, : stop.deals], cut[:, : stop.deals]):
        assert RULE.first_stop(rows, 800) == stop
    assert RULE.first_stop(cut[:, : stop.deals - 1], 800) is None


def test_drops_wait_for_the_deals_of_all_that_play():
    values = arms(0, 2, -8, 1)
    drops = RULE.first_stop(values, 800).drops
    late = values.copy()
    late[3, drops[0].deals - 1 :] = np.nan  # an arm whose matches of that deal are not finished yet
    assert RULE.drops(late, 800) == ()
    late[3, drops[0].deals - 1] = values[3, drops[0].deals - 1]
    assert RULE.drops(late, 800) == drops[:1]


def test_an_arm_may_be_beaten_by_one_that_is_dropped_with_it():
    # win rates 1, 0.5 and 0 differ without any luck: all claims come at nearly the same deals
    values = np.stack([np.ones(200), np.tile([0.0, 1.0], 100), np.zeros(200)])
    stop = BestOf("win_rate").first_stop(values, 200)
    assert (stop.arm, {drop.arm for drop in stop.drops}) == (0, {1, 2})


def test_a_course_has_the_differences_to_the_baseline_until_they_end():
    values = arms(0, 2, -8, 1)
    stop, course = RULE.first_stop(values, 800), RULE.course(values, 800)
    assert course.deals[-1] == stop.deals
    curves = {(curve.name, curve.arm): curve.values for curve in course.curves}
    assert set(curves) == {(name, arm) for name in ("low", "high") for arm in (1, 2, 3)}
    assert curves["low", 2][-1] is None
    assert curves["low", 1][-1] < (values[1] - values[0])[: stop.deals].mean() < curves["high", 1][-1]


def test_what_is_no_race_is_refused():
    with pytest.raises(ValueError, match="two arms or more"):
        RULE.first_stop(np.zeros((1, 5)), 10)
    with pytest.raises(ValueError, match="between 0 and 1"):
        BestOf("win_rate").first_stop(np.full((2, 5), 1.5), 10)
    with pytest.raises(ValueError, match="finite"):
        RULE.first_stop(np.full((2, 5), np.inf), 10)
    with pytest.raises(ValueError, match="planned"):
        RULE.first_stop(np.zeros((2, 5)), 0)


@pytest.mark.long
def test_a_plan_costs_less_than_playing_all_to_the_end():
    truth = Truth((0.0, 1.0, -3.0, -3.0, 0.0), 7.0)
    expected = RULE.expected(truth, 3000)
    assert expected == RULE.expected(truth, 3000)
    # Bonferroni's 0.05 / 10 and power 0.9: ((2.8070 + 1.2816) * 7 / 1)^2 = 819.1
    assert (expected.fixed, expected.fixed_arm_deals) == (820, 4100)
    assert expected.arm_deals < expected.fixed_arm_deals
    assert expected.arm_deals < 5 * expected.deals
    assert RULE.expected(Truth((0.0, 0.0), 7.0), 100).fixed is None


@pytest.mark.long
def test_equal_arms_are_told_apart_in_at_most_5_of_100_experiments():
    rng, runs, wrong = np.random.default_rng(2), 150, {"margin": 0, "win_rate": 0}
    for _ in range(runs):
        luck = rng.normal(0, 3, 500)
        margins = luck + rng.normal(0, 5, (4, 500)).round()
        wrong["margin"] += bool(RULE.drops(margins, 500))
        wrong["win_rate"] += bool(BestOf("win_rate").drops((margins > 2).astype(float), 500))
    # 5 %, and three standard errors of it in 150 runs, 5.3 %
    assert max(wrong.values()) / runs <= 0.05 + 0.053


def test_any_arm_may_be_the_baseline():
    """It plays on where it is beaten, and what is dropped does not hang on where it stands."""
    values = arms(0, 3, -9, 1)
    last = BestOf("margin", baseline=2)
    assert 2 not in [drop.arm for drop in last.drops(values, 800)]
    moved = BestOf("margin", baseline=3).first_stop(values[[1, 2, 3, 0]], 800)
    first = RULE.first_stop(values, 800)
    place = {0: 3, 1: 0, 2: 1, 3: 2}
    assert (moved.deals, moved.reason, moved.arm) == (first.deals, first.reason, place[first.arm])
    assert [(d.arm, d.deals) for d in moved.drops] == [(place[d.arm], d.deals) for d in first.drops]
    assert {curve.arm for curve in last.course(values, 800).curves} == {0, 1, 3}
