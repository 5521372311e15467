import math

import numpy as np
import pytest

from worker.analysis.moments import Moments
from worker.analysis.paired import paired_difference, paired_from_sums, paired_moments, weighted_moments

T_1 = math.tan(0.475 * math.pi)


def blocks(*rows):
    return {deal: Moments.of(row) for deal, row in enumerate(rows)}


def test_differences_are_taken_deal_by_deal():
    # Block means 3, 7 against 2, 4: differences 1 and 3, mean 2, error 1.
    result = paired_difference(blocks([2, 4], [6, 8]), blocks([2, 2], [3, 5]))
    assert (result.blocks, result.mean, result.left_out) == (2, 2, 0)
    assert result.interval == pytest.approx((2 - T_1, 2 + T_1))
    # t = 2 with one degree of freedom (Cauchy): p = 1 - 2 atan(2) / pi.
    assert result.p == pytest.approx(1 - 2 * math.atan(2) / math.pi)
    # Variances: differences 2; arms 8 and 2.
    assert result.variance_ratio == pytest.approx(0.2)


def test_common_luck_cancels():
    first, second = blocks([11], [51], [31]), blocks([10], [50], [30])
    result = paired_difference(first, second)
    assert (result.mean, result.variance_ratio) == (1, 0)


def test_a_difference_that_never_varies_has_no_interval():
    result = paired_difference(blocks([11], [51], [31]), blocks([10], [50], [30]))
    assert (result.blocks, result.interval, result.p) == (3, None, None)


def test_opposite_luck_costs():
    # Differences -2, 0, 2 (variance 4); arms 1 and 1.
    result = paired_difference(blocks([1], [2], [3]), blocks([3], [2], [1]))
    assert (result.mean, result.variance_ratio) == (0, 2)


def test_deals_that_one_arm_lacks_are_left_out_and_counted():
    first, second = blocks([1, 3], [5, 7], [7, 9]), blocks([1, 1])
    result = paired_difference(first, second)
    assert (result.blocks, result.mean, result.left_out) == (1, 1, 2)
    assert (result.interval, result.variance_ratio) == (None, None)
    assert paired_difference(second, first).left_out == 2


def test_arms_may_have_different_numbers_of_matches():
    """An arm of one engine against itself has one seating: the mean of its deal counts."""
    result = paired_difference(blocks([4], [8]), blocks([1, 3], [3, 5]))
    assert (result.blocks, result.mean) == (2, 3)


def test_sums_make_the_same_difference():
    first, second = blocks([2, 4], [6, 8], [1, 1]), blocks([2, 2], [3, 5])
    sums = paired_moments(first, second)
    assert sums == (Moments.of([1, 3]), Moments.of([3, 7]), Moments.of([2, 4]), 1)
    assert paired_from_sums(*sums) == paired_difference(first, second)


def test_nothing_in_common_is_undefined():
    result = paired_difference({}, {})
    assert (result.blocks, result.mean, result.interval, result.variance_ratio, result.left_out) == (
        0,
        None,
        None,
        None,
        0,
    )


def test_arms_that_never_vary_have_no_variance_ratio():
    result = paired_difference(blocks([2], [2]), blocks([2], [2]))
    assert (result.mean, result.interval, result.variance_ratio) == (0, None, None)


def test_the_mean_of_copies_less_another_comes_from_sums_over_pairs() -> None:
    """Values 1 5 2, 3 4 4, 5 0 3: the first less the mean of the others is -3, 3, -1.5."""
    values = np.array([[1.0, 5, 2], [3, 4, 4], [5, 0, 3]])
    own = [Moments.of(row) for row in values]
    pairs = {(i, j): Moments.of(values[i] - values[j]) for i in range(3) for j in range(i + 1, 3)}
    assert weighted_moments((1, -0.5, -0.5), own, pairs) == Moments(3, -1.5, pytest.approx(9 + 9 + 2.25))
    assert weighted_moments((0, 0.5, 0.5), own, pairs) == Moments(3, 9.5, pytest.approx(16 + 4 + 12.25))
    rng = np.random.default_rng(5)
    values, weights = rng.normal(size=(4, 50)), np.array([0.5, 0.5, -0.3, -0.7])
    own = [Moments.of(row) for row in values]
    pairs = {(i, j): Moments.of(values[i] - values[j]) for i in range(4) for j in range(i + 1, 4)}
    found, expected = weighted_moments(list(weights), own, pairs), Moments.of(weights @ values)
    assert (found.total, found.total_squares) == pytest.approx((expected.total, expected.total_squares))
    same = {pair: Moments(7, 0.0, 0.0) for pair in pairs}
    assert weighted_moments((1, -1 / 3, -1 / 3, -1 / 3), [Moments(7, 9.1, 12.3)] * 4, same).total_squares == 0
