import math

import numpy as np
import pytest
from scipy import optimize, special, stats

from worker.analysis.heterogeneity import (
    estimates,
    heterogeneity,
    leave_one_out,
    next_run,
    odd_one_out,
    spread_mean,
)
from worker.analysis.moments import Moments

# Three runs of four deals: means 1, 3 and 8, squared errors 1, 1 and 4 (spread of the values 4, 4 and 16).
THREE = [Moments.of(row) for row in ([-1, 0, 2, 3], [1, 2, 4, 5], [4, 6, 10, 12])]


def of(mean, error, deals):
    """Moments with this mean and standard error."""
    variance = error**2 * deals
    return Moments(deals, deals * mean, (deals - 1) * variance + deals * mean**2)


def test_estimates_are_means_with_the_errors_of_their_deals():
    # Squared distances of the first: 4, 1, 1, 4, of three degrees: 10 / 3, over 4 deals.
    assert estimates(THREE)[0] == pytest.approx((1.0, 10 / 12, 4))
    assert estimates([Moments.of([2, 2, 2]), Moments.of([5]), Moments()]) == []


def test_heterogeneity_by_hand():
    """Means 1, 2, 6 with errors 1, 1, 2: weights 1, 1, .25, mean 2, so Q = 1 + 0 + 16 / 4 = 5 on 2 degrees."""
    found = heterogeneity([of(1, 1, 100), of(2, 1, 100), of(6, 2, 100)])
    assert (found.q, found.freedom, found.runs) == (pytest.approx(5.0), 2, 3)
    assert found.i_squared == pytest.approx(3 / 5)
    # Welch: (1 - 4/9)² twice and (1 - 1/9)², over 99: 1.40741 / 99; F = 2.5 / (1 + 2/8 of it), 8 / (3 of it) below.
    unsure = (2 * (5 / 9) ** 2 + (8 / 9) ** 2) / 99
    assert found.below == pytest.approx(8 / (3 * unsure))
    assert found.p == pytest.approx(stats.f.sf(2.5 / (1 + unsure / 4), 2, 8 / (3 * unsure)))
    # Q(t) = 2 where the spread is that of Paule and Mandel: squared distances over 1 + t, 1 + t, 4 + t.
    square = found.tau**2
    weights = np.array([1 / (1 + square), 1 / (1 + square), 1 / (4 + square)])
    mean = (weights * [1, 2, 6]).sum() / weights.sum()
    assert (weights * (np.array([1, 2, 6]) - mean) ** 2).sum() == pytest.approx(2.0)


def test_equal_errors_give_the_spread_in_closed_form():
    """Means 0, 4, 8 with error 1: the sample variance is 16, so tau² = 16 - 1, and Q = 32."""
    found = heterogeneity([of(0, 1, 50), of(4, 1, 50), of(8, 1, 50)])
    assert found.q == pytest.approx(32.0)
    assert found.tau == pytest.approx(math.sqrt(15))
    # Q(t) = 32 / (1 + t) is chi-square on 2 degrees, whose points are -2 log of the tail.
    ends = [math.sqrt(32 / (-2 * math.log(tail)) - 1) for tail in (0.025, 0.975)]
    assert found.tau_interval == pytest.approx(ends)
    known = spread_mean([of(0, 1, 50), of(4, 1, 50), of(8, 1, 50)])
    # Weights alike: mean 4, error sqrt(16 / 3), Student's on 2 degrees: 4.302653.
    assert (known.mean, known.error) == (pytest.approx(4.0), pytest.approx(math.sqrt(16 / 3)))
    assert known.interval == pytest.approx(4 + np.array([-1, 1]) * 4.302653 * math.sqrt(16 / 3), abs=1e-5)
    # One more run of 25 deals, each with spread 50: 15 + 16 / 3 + 2.
    half = 4.302653 * math.sqrt(15 + 16 / 3 + 2)
    assert next_run([of(0, 1, 50), of(4, 1, 50), of(8, 1, 50)], 25) == pytest.approx([4 - half, 4 + half], abs=1e-4)


def test_runs_that_agree_have_no_spread_and_no_narrower_mean():
    runs = [of(5, 1, 30), of(5, 1, 30), of(5.1, 1, 30)]
    found = heterogeneity(runs)
    assert (found.i_squared, found.tau, found.tau_interval.low) == (0, 0, 0)
    assert spread_mean(runs).error == pytest.approx(math.sqrt(1 / 3))
    assert next_run(runs[:2], 30) is None


def test_two_runs_are_compared_by_welchs_t():
    rng = np.random.default_rng(3)
    one, two = rng.normal(0, 1, 12), rng.normal(0.6, 3, 40)
    found = heterogeneity([Moments.of(one), Moments.of(two)])
    assert found.p == pytest.approx(stats.ttest_ind(one, two, equal_var=False).pvalue)
    assert heterogeneity([Moments.of(one)]) is None
    assert heterogeneity([Moments.of(one), Moments.of([1.0, 1.0])]) is None


def test_the_interval_of_the_spread_is_a_profile_of_q():
    """The lower end is where Q meets its 97.5 % point, sought here by another road: means 1, 3, 8."""
    rows = estimates(THREE)

    def q(square):
        weights = np.array([1 / (row.variance + square) for row in rows])
        values = np.array([row.value for row in rows])
        return (weights * (values - (weights * values).sum() / weights.sum()) ** 2).sum()

    found = heterogeneity(THREE)
    for end, tail in zip(found.tau_interval, (0.025, 0.975), strict=True):
        wanted = float(special.chdtri(2, tail))
        at = optimize.root_scalar(lambda root, wanted=wanted: q(root**2) - wanted, bracket=(0, 100), method="bisect")
        assert end == pytest.approx(at.root)


def test_the_odd_one_out_is_the_run_that_the_others_speak_against():
    runs = [of(0, 1, 200), of(0.5, 1, 200), of(-0.5, 1, 200), of(9, 1, 200)]
    found = leave_one_out(runs)
    assert odd_one_out(found) == 3
    assert odd_one_out(leave_one_out(runs[2:])) is None
    assert odd_one_out(leave_one_out(runs[:3])) is None
    # The others: mean 0; the squared error of their 600 deals is near 1 / 3, and theirs among them a little.
    assert found[3].rest.mean == pytest.approx(0.0)
    assert found[3].difference.mean == pytest.approx(9.0)
    assert found[3].z == pytest.approx(9 / math.sqrt(1 + found[3].rest.variance / 600))
    assert found[3].p == pytest.approx(4 * found[3].difference.p)
    assert leave_one_out([Moments.of([1.0, 1.0]), Moments.of([1.0, 1.0])])[0].z is None


def test_runs_alike_are_rarely_called_apart():
    """Four runs of 40 deals of one truth, 1,500 times: Q by Welch at 5 %, whose three standard errors are 1.7 points.

    So are odd ones out, together at most 5 % (Holm), and the next run falls beyond the interval in 5 %.
    """
    rng = np.random.default_rng(11)
    wrong, out, beyond = [], [], []
    for values in rng.normal(2, 3, (1500, 5, 40)):
        runs = [Moments.of(row) for row in values[:4]]
        wrong.append(heterogeneity(runs).p < 0.05)
        out.append(odd_one_out(leave_one_out(runs)) is not None)
        low, high = next_run(runs, 40)
        beyond.append(not low <= values[4].mean() <= high)
    assert np.mean(wrong) == pytest.approx(0.05, abs=0.017)
    assert np.mean(out) <= 0.05 + 0.017
    assert np.mean(beyond) <= 0.05 + 0.017
