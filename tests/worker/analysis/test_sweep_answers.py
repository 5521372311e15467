"""Trends, sets of best values and curves of sweeps: by hand, and how often they are right by simulation."""

import itertools

import numpy as np
import pytest
from scipy import stats

from worker.analysis import best_set, one_peak, trend
from worker.analysis.methods import FIXED, AlwaysValid

REPETITIONS = 250
"""Of a coverage of 0.95 these show 0.95 +- 0.014 (one deviation): bounds are three of them away."""
SPARE = 3 * (0.95 * 0.05 / REPETITIONS) ** 0.5


def test_a_trend_is_the_mean_of_the_slopes_of_deals():
    """Over values 1, 2, 3 a deal's slope is half of what the last has more than the first: 1, 2 and 3 here."""
    values = np.array([[0, 5, 2], [1, 9, 5], [2, 0, 8]], dtype=float)
    found = trend.trend(trend.slopes_of(values, np.array([1.0, 2, 3])), FIXED, 0.95)
    low, high = stats.t.interval(0.95, 2, 2, 1 / 3**0.5)
    assert (found.mean, found.blocks) == (2, 3)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))
    assert found.p == pytest.approx(stats.ttest_1samp([1, 2, 3], 0).pvalue)


def test_a_trend_over_crossed_values_is_averaged_over_the_others():
    values = np.array([[0, 2, 10, 14], [1, 3, 10, 14]], dtype=float)  # steps of 2 and of 4 along the axis
    found = trend.trend(trend.slopes_of(values, np.array([0.0, 1, 0, 1])), FIXED, 0.95)
    assert (found.mean, found.interval) == (3, None), "it never varies"


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([1, 2, 4, 8], trend.LOG),
        ([100, 316, 1000], trend.LOG),
        ([1, 2, 3, 4], trend.NATURAL),
        ([0, 0.5, 1], trend.NATURAL),
        ([0, 1, 2, 4, 8], trend.NATURAL),
        ([8, 1, 4, 2], trend.LOG),
        ([1, 1000], trend.NATURAL),
    ],
)
def test_the_scale_is_that_of_even_steps(values, scale):
    assert trend.scale_of(values) == scale


def test_a_doubling_is_a_step_on_the_logarithmic_scale():
    assert trend.places([1, 4, 16], trend.LOG) == pytest.approx([0, 2, 4])


def test_a_value_is_out_where_another_is_better_beyond_doubt():
    """Over 4 deals: a is 10 less than b, give or take; c is alike b on average."""
    b = np.array([0, 4, 8, 12], dtype=float)
    values = np.stack([b - [9, 10, 10, 11], b, b + np.array([3, -3, 3, -4])], axis=1)
    assert best_set.of_means(values, FIXED) == (1, 2)
    assert best_set.of_means(values[:1], FIXED) == (0, 1, 2), "one deal shows no error"
    assert best_set.of_means(values[:0], FIXED) == (0, 1, 2)


def test_a_set_takes_one_side_of_each_comparison():
    """With k arms each comparison may err with 0.05 / (k - 1) on one side: for two arms that is t at 0.95."""
    rng = np.random.default_rng(4)
    for scale in np.linspace(0.2, 0.8, 30):
        gaps = rng.standard_normal(20) + scale
        values = np.stack([np.zeros(20), gaps], axis=1)
        beaten = stats.ttest_1samp(gaps, 0, alternative="greater").pvalue < 0.05
        assert best_set.of_means(values, FIXED) == ((1,) if beaten else (0, 1))


def test_between_which_values_the_best_lies():
    values = [4.0, 0, 1, 2, 8]
    assert best_set.span([3], values) == (1, 4)
    assert best_set.span([1, 2], values) == (0, 2)
    assert best_set.span([4, 0], values) == (2, 8)


def _worlds(places):
    """Curves that a sweep may meet: level, one peak inside, at the end, levelling off, with a valley."""
    return {
        "level": 0 * places,
        "peak": -4 * (places - 0.4) ** 2,
        "edge": -2 * np.abs(places - 0.35),
        "rising": places,
        "levels off": 1 - np.exp(-4 * places),
        "plateau": np.minimum(places, 0.5) * 2,
        "valley": (places - 0.4) ** 2,
    }


@pytest.mark.parametrize("deals", [10, 50, 500])
def test_the_set_and_the_trend_hold_the_truth(deals):
    """Deals favour all arms alike, and have skewed luck of their own for each arm: exponential, deviation 1."""
    rng, places = np.random.default_rng(deals), np.linspace(0, 1, 6)
    luck = rng.exponential(size=(REPETITIONS, deals, 6)) + rng.standard_normal((REPETITIONS, deals, 1)) - 1
    for name, curve in _worlds(places).items():
        slope, best = np.polyfit(places, curve, 1)[0], int(curve.argmax())
        held = kept = 0
        for values in luck + curve / 2:
            interval = trend.trend(trend.slopes_of(values, places), FIXED, 0.95).interval
            held += interval.low <= slope / 2 <= interval.high
            kept += best in best_set.of_means(values, FIXED)
        least = 0.92 if deals == 10 else 0.95
        assert held / REPETITIONS >= least - SPARE, name
        assert held / REPETITIONS <= 0.97 + SPARE, name
        assert kept / REPETITIONS >= least - SPARE, name


@pytest.mark.parametrize("rate", [0.02, 0.5, 0.98])
def test_the_set_holds_the_highest_rate(rate):
    """Two matches a deal, half of whose luck all arms share; of equal rates each is a best one."""
    rng, arms, repetitions = np.random.default_rng(7), 4, 150
    for deals in (10, 50):
        shared = rng.random((repetitions, deals, 1, 2)) < rate
        own = rng.random((repetitions, deals, arms, 2)) < rate
        wins = np.where(rng.random((repetitions, deals, arms, 2)) < 0.5, shared, own).mean(axis=3)
        kept = sum(0 in best_set.of_rates(values, [2.0] * arms, FIXED) for values in wins)
        assert kept / repetitions >= 0.95 - 3 * (0.95 * 0.05 / repetitions) ** 0.5, deals


def test_a_set_may_be_looked_at_again_and_again():
    """In 40 looks at equal arms the set for every look loses the first one in at most 1 of 20 experiments."""
    rng, looks, runs = np.random.default_rng(3), range(10, 210, 5), 60
    method, lost, lost_at_one = AlwaysValid(200), 0, 0
    for values in rng.standard_normal((runs, 200, 3)):
        lost += any(0 not in best_set.of_means(values[:deals], method) for deals in looks)
        lost_at_one += any(0 not in best_set.of_means(values[:deals], FIXED) for deals in looks)
    assert lost <= 0.05 * runs
    assert lost_at_one > 0.1 * runs, "which is what the wider intervals are for"


def test_the_nearest_curve_with_one_peak_by_hand():
    """3, 1 fall before the peak and become 2, 2; 4, 6 rise after it and become 5, 5."""
    assert one_peak.fit(np.array([3.0, 1, 9, 4, 6])) == pytest.approx([2, 2, 9, 5, 5])
    assert one_peak.fit(np.array([1.0, 2, 4])) == pytest.approx([1, 2, 4])
    assert one_peak.fit(np.array([4.0, 2, 1])) == pytest.approx([4, 2, 1])


def test_no_other_curve_with_one_peak_is_nearer():
    """All curves over a fine grid of heights."""
    rng, grid = np.random.default_rng(1), np.linspace(0, 1, 7)
    for means in rng.choice(grid, (10, 4)):
        found = one_peak.fit(means)
        turns = np.sign(np.diff(found))
        assert (np.diff(turns[turns != 0]) <= 0).all(), "up, then down"
        others = [
            row
            for row in map(np.array, itertools.product(grid, repeat=4))
            if (np.diff([t for t in np.sign(np.diff(row)) if t]) <= 0).all()
        ]
        assert ((found - means) ** 2).sum() <= min(((row - means) ** 2).sum() for row in others) + 1e-12
