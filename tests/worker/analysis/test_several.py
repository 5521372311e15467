import math

import numpy as np
import pytest
from scipy import special, stats

from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.several import Estimates, homogeneity


def test_means_have_the_errors_of_their_deals_and_what_these_share():
    """Two kinds, three deals of one value each: 1, 2, 3 and 3, 5, 7. Variances 1 / 3 and 4 / 3, covariance 2 / 3."""
    found = Estimates.of_deals([{0: (1, 1.0), 1: (1, 2.0), 2: (1, 3.0)}, {0: (1, 3.0), 1: (1, 5.0), 2: (1, 7.0)}])
    assert found.values.tolist() == [2.0, 5.0]
    assert found.covariance == pytest.approx(np.array([[1, 2], [2, 4]]) / 3)
    mean = found.mean()
    # (1 + 4 + 2 * 2) / 3 = 3, by 2 ** 2: an error of .866 with two degrees.
    assert (mean.value, mean.error, mean.freedom) == (3.5, pytest.approx(math.sqrt(0.75)), 2)
    assert mean.interval() == pytest.approx(3.5 + np.array([-1, 1]) * 4.302653 * math.sqrt(0.75), abs=1e-5)
    assert Estimates.of_deals([{0: (1, 1.0)}, {}]) is None


def test_the_error_of_one_kind_is_that_of_its_blocks():
    deals = {0: (2, 3.0), 1: (1, 1.0), 2: (2, 0.0), 3: (2, 4.0)}
    found = Estimates.of_deals([deals])
    blocks = BlockMoments.of([Moments(n, total) for n, total in deals.values()])
    assert found.mean().interval() == pytest.approx(blocks.interval())


def test_runs_with_deals_of_their_own_add_up_by_size():
    one, other = (Estimates.of_deals([{d: (1, float(v)) for d, v in enumerate(row)}]) for row in ((0, 2), (5, 7, 9, 7)))
    both = one + other
    assert both.values[0] == pytest.approx(30 / 6)
    assert both.covariance[0, 0] == pytest.approx(one.covariance[0, 0] / 9 + 4 * other.covariance[0, 0] / 9)
    assert (both.deals, both.sizes.tolist()) == (6, [6])


def test_without_common_deals_homogeneity_is_cochrans_q():
    # Values 1, 2, 6 with variances 1, 1, 4: weights 1, 1, .25, mean 2; Q = 1 + 0 + 16 / 4 = 5 on 2 degrees.
    found = homogeneity(Estimates.independent([1.0, 2.0, 6.0], [1.0, 1.0, 4.0]))
    assert (found.q, found.freedom) == (pytest.approx(5.0), pytest.approx(2.0))
    assert found.p == pytest.approx(math.exp(-2.5))
    assert homogeneity(Estimates.independent([1.0], [1.0])) is None
    assert homogeneity(Estimates.independent([1.0, 2.0], [1.0, 0.0])) is None


def test_two_means_of_the_same_deals_are_compared_as_pairs():
    """With two kinds the test is the paired one: its p is that of Student's t of the differences."""
    values = np.random.default_rng(4).normal(0, 1, (2, 30)) + np.linspace(0, 3, 30)
    kinds = [{deal: (1, float(value)) for deal, value in enumerate(row)} for row in values]
    found = homogeneity(Estimates.of_deals(kinds))
    assert found.freedom == pytest.approx(1.0)
    assert found.p == pytest.approx(stats.ttest_rel(*values).pvalue)


@pytest.mark.parametrize("luck", [0.0, 1.5])
def test_arms_alike_are_rarely_called_different(luck):
    """Seven arms that win alike on 40 common deals of two matches, with or without luck of the deal: 1,000 runs.

    A level of 5 %, whose three standard errors are 2.1 points; that the mean covers its truth likewise.
    """
    rng, runs, arms, deals = np.random.default_rng(7), 1000, 7, 40
    chances = special.expit(luck * rng.normal(0, 1, (runs, 1, deals)) + 0.3)
    wins = rng.binomial(2, np.broadcast_to(chances, (runs, arms, deals)))
    truth, found = 0.0, []
    truth = float(special.expit(luck * np.random.default_rng(1).normal(0, 1, 400_000) + 0.3).mean())
    for run in wins.astype(float):
        kinds = [dict(enumerate(zip([2.0] * deals, arm.tolist(), strict=True))) for arm in run]
        estimates = Estimates.of_deals(kinds)
        low, high = estimates.mean().interval()
        found.append((homogeneity(estimates).p < 0.05, low <= truth <= high))
    wrong, covered = np.mean(found, axis=0)
    assert wrong <= 0.05 + 0.021
    assert covered == pytest.approx(0.95, abs=0.021)
