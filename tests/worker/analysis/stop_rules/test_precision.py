import numpy as np
import pytest

from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import rate_interval
from worker.analysis.stop_rules import model
from worker.analysis.stop_rules.model import Expected, Stop, Truth
from worker.analysis.stop_rules.precision import Precision


def half(interval):
    return (interval.high - interval.low) / 2


def test_half_widths_of_rates_are_those_of_pages():
    wins = np.random.default_rng(1).binomial(2, 0.7, 60)
    wins[:5] = 2
    (curve,) = Precision("rate", 1e-6).course(wins[None] / 2, 60).curves
    assert curve.values[0] is None
    for deals in (2, 5, 6, 7, 40, 60):
        blocks = BlockMoments.of([Moments.of([won > 0, won > 1]) for won in wins[:deals]])
        assert curve.values[deals - 1] == pytest.approx(half(rate_interval(blocks))), deals


def test_a_deal_that_everybody_splits_counts_as_one_success_more_or_less():
    (curve,) = Precision("rate", 1e-6).course(np.full((1, 40), 0.5), 40).curves
    assert curve.values[-1] == pytest.approx(half(rate_interval(BlockMoments.of([Moments.of([0, 1])] * 40))))


def test_half_widths_of_margins_and_differences_are_students():
    values = np.random.default_rng(2).normal(0, 10, (3, 50))
    margins = Precision("margin", 1e-6).course(values, 50)
    assert [curve.values[-1] for curve in margins.curves] == pytest.approx(
        [half(Moments.of(v).interval()) for v in values]
    )
    differences = Precision("difference", 1e-6).course(values, 50)
    assert [curve.arm for curve in differences.curves] == [1, 2]
    expected = [half(Moments.of(values[arm] - values[0]).interval(0.975)) for arm in (1, 2)]
    assert [curve.values[-1] for curve in differences.curves] == pytest.approx(expected)


def test_the_end_is_the_first_deal_at_which_all_are_narrow():
    values = np.random.default_rng(3).normal(0, [[4], [10]], (2, 900))
    rule = Precision("margin", 1.0)
    stop = rule.first_stop(values, 900)
    assert stop.reason == model.PRECISE
    curves = rule.course(values, 900).curves
    assert max(curve.values[-1] for curve in curves) <= 1.0 < max(curve.values[-2] for curve in curves)
    assert rule.first_stop(values[:, : stop.deals], 900) == stop
    assert rule.first_stop(values[:, : stop.deals - 1], 900) is None
    assert rule.first_stop(values, 200) == Stop(200, model.AT_PLANNED)


def test_few_deals_and_equal_ones_are_never_precise():
    assert Precision("margin", 1e9).first_stop(np.random.default_rng(4).normal(0, 1, (1, 99)), 99).deals == model.LEAST
    assert Precision("margin", 1.0).first_stop(np.full((1, 90), 3.0), 99) is None
    with pytest.raises(ValueError, match="at least two arms"):
        Precision("difference", 1.0).first_stop(np.zeros((1, 9)), 9)
    with pytest.raises(ValueError, match="between 0 and 1"):
        Precision("rate", 1.0).first_stop(np.full((1, 9), 2.0), 9)


def test_a_plan_has_the_deals_of_the_normal_interval():
    # (1.96 * 0.5 / 0.05)^2 = 384.1; the 97.5 % interval of a difference of 3 arms: (2.2414 * 10 / 2)^2 = 125.6
    assert Precision("rate", 0.05).expected(Truth((0.5,), 0.5), 1000) == Expected(385, 385, 385, 385)
    assert Precision("rate", 0.05).expected(Truth((0.5,), 0.5), 200) == Expected(200, 200, 385, 385)
    assert Precision("difference", 2.0).expected(Truth((0, 1, 2), 10.0), 500) == Expected(126, 378, 126, 378)


@pytest.mark.long
def test_intervals_at_the_end_hold_the_truth():
    rng, runs, held = np.random.default_rng(5), 400, {"rate": 0, "margin": 0}
    for _ in range(runs):
        wins = rng.binomial(2, 0.3, 90)
        stop = Precision("rate", 0.08).first_stop(wins[None] / 2, 90)
        low, high = rate_interval(BlockMoments.of([Moments(2, float(won)) for won in wins[: stop.deals]]))
        held["rate"] += low <= 0.3 <= high
        margins = rng.normal(3, 10, 400)
        stop = Precision("margin", 2.0).first_stop(margins[None], 400)
        low, high = Moments.of(margins[: stop.deals]).interval()
        held["margin"] += low <= 3 <= high
    # 95 % less the 1 % that stopping may cost, and three standard errors in 400 runs, 3.3 %
    assert min(held.values()) / runs >= 0.94 - 0.033, held
