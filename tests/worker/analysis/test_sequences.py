import math

import numpy as np
import pytest

from worker.analysis import sequences
from worker.analysis.running import running

NOT_WIDENED = 10.0
"""Skewness that widens the upper end only."""


def test_a_limit_is_where_the_bayes_factor_is_one_over_the_level():
    # Rouder et al. 2009, equation 1 with a normal prior of variance g on mean / deviation:
    # (1 + n g)^(-1/2) * ((1 + t^2 / v) / (1 + t^2 / ((1 + n g) v)))^(n / 2) with v = n - 1.
    planned, level = 400, 0.05
    below, _ = sequences.limits(np.full(400, NOT_WIDENED), planned, level)
    twice = -2 * math.log(level)
    g = (twice + math.log(twice) + 1) / 100
    for n in (20, 100, 400):
        t, v, spread = below[n - 1], n - 1, 1 + n * g
        factor = spread**-0.5 * ((1 + t * t / v) / (1 + t * t / (spread * v))) ** (n / 2)
        assert factor == pytest.approx(1 / level)


def test_a_skewed_side_is_wider():
    # At n = 96 the standard error of the skewness is 1/4; (2 c^2 + 1) / (6 sqrt(96)) for each unit of skewness.
    below, above = (row[-1] for row in sequences.limits(np.full(96, 0.75), 400, 0.05))
    limit = sequences.limits(np.full(96, NOT_WIDENED), 400, 0.05)[0][-1]
    assert below == limit
    assert above == pytest.approx(limit + (0.75 + 0.25) * (2 * limit**2 + 1) / (6 * math.sqrt(96)))


def test_a_sequence_of_points_surrounds_the_mean():
    values = np.random.default_rng(1).normal(7, 20, 300)
    found = sequences.mean_sequence(values, 300)
    interval = found.interval()
    assert interval.low < values.mean() < interval.high
    assert found.interval(100) == pytest.approx((found.low[99], found.high[99]))


def test_few_deals_and_equal_ones_say_nothing_of_points():
    values = np.random.default_rng(1).normal(7, 20, 300)
    assert sequences.mean_sequence(values, 300).interval(5) is None
    assert sequences.mean_sequence(np.full(300, 4.0), 300).interval() is None
    assert sequences.mean_sequence(np.empty(0), 300).interval() is None
    assert sequences.rate_sequence(np.empty(0), 300).interval(0) is None


def test_twenty_wins_of_twenty_leave_much_open():
    low, high = sequences.rate_sequence(np.ones(20), 20).interval()
    assert high == 1
    # The exact one-sided 97.5 % bound of 20 of 20 is 0.025^(1/20) = 0.832; a valid sequence lies below it.
    assert 0.7 < low < 0.832


def test_differences_of_rates_are_rates_on_another_scale():
    values = np.random.default_rng(2).integers(-2, 3, 150) / 2
    found, rate = sequences.difference_sequence(values, 150), sequences.rate_sequence((values + 1) / 2, 150)
    assert found.low == pytest.approx(2 * rate.low - 1)
    assert found.high == pytest.approx(2 * rate.high - 1)


def test_a_sequence_depends_on_the_deals_before_alone():
    values = np.random.default_rng(3).normal(0, 1, 200)
    for make in (sequences.mean_sequence, sequences.difference_sequence):
        sample = values if make is sequences.mean_sequence else np.clip(values, -1, 1)
        whole, part = make(sample, 200), make(sample[:77], 200)
        assert (part.low == whole.low[:77]).all()
        assert (part.high == whole.high[:77]).all()


def test_first_looks_outside_are_those_of_the_sequence():
    rng = np.random.default_rng(4)
    values = rng.normal(0.4, 1, 400)
    found = sequences.mean_sequence(values, 400, 0.99)
    assert sequences.first_outside(values, 400, 0.01) == (int((found.low > 0).argmax()) + 1, None)
    assert sequences.first_outside(-values, 400, 0.01) == (None, int((found.low > 0).argmax()) + 1)
    wins = rng.binomial(1, 0.7, 400) - rng.binomial(1, 0.4, 400).astype(float)
    above, below = sequences.first_outside_rates(wins, 400, 0.01)
    low = sequences.difference_sequence(wins, 400, 0.99).low
    assert below is None
    # ends are rounded outwards, so the sequence itself may be a few deals late
    assert low[above - 2] <= 0
    assert 0 <= (low > 0).argmax() + 1 - above <= 10


@pytest.mark.parametrize(
    ("values", "planned", "confidence", "message"),
    [
        ([1.5], 10, 0.95, "between 0 and 1"),
        ([-0.1], 10, 0.95, "between 0 and 1"),
        ([math.nan], 10, 0.95, "finite"),
        ([0.5], 0, 0.95, "planned must be at least 1"),
        ([0.5], 10, 1.0, "confidence must be between 0 and 1"),
    ],
)
def test_what_is_no_rate_or_no_plan_is_refused(values, planned, confidence, message):
    with pytest.raises(ValueError, match=message):
        sequences.rate_sequence(np.array(values), planned, confidence)


@pytest.mark.long
def test_the_truth_is_left_out_at_any_of_5000_looks_in_at_most_5_of_100_runs():
    rng, shape = np.random.default_rng(5), (150, 5000)
    worlds = {
        "normal": rng.normal(size=shape),
        "skewed": rng.exponential(size=shape) - 1,
        "pairs of margins": (np.round(rng.normal(6, 9, shape)) + np.round(rng.normal(-6, 9, shape))) / 2,
        "mostly equal": rng.choice([-5.0, 0.0, 5.0], p=[0.03, 0.94, 0.03], size=shape),
    }
    for name, values in worlds.items():
        moments = running(values)
        below, above = sequences.limits(moments.skewness, 500, 0.05)
        error = np.where(moments.spread > 0, moments.error, np.inf)
        ever = ((moments.mean > error * below) | (-moments.mean > error * above)).any(axis=1)
        # 2.4 to 3.0 % in 1,000 runs; three standard errors of 5 % in 150 runs are 5.3 %
        assert ever.mean() <= 0.05 + 0.053, name
