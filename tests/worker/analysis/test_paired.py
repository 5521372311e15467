import math

import pytest

from worker.analysis.moments import Moments
from worker.analysis.paired import paired_difference

T_1 = math.tan(0.475 * math.pi)


def blocks(*rows):
    return {deal: Moments.of(row) for deal, row in enumerate(rows)}


def test_differences_are_taken_deal_by_deal():
    # Block means 3, 7 against 2, 4: differences 1 and 3, mean 2, error 1.
    result = paired_difference(blocks([2, 4], [6, 8]), blocks([2, 2], [3, 5]), block_size=2)
    assert (result.blocks, result.mean, result.left_out) == (2, 2, 0)
    assert result.interval == pytest.approx((2 - T_1, 2 + T_1))
    # t = 2 with one degree of freedom (Cauchy): p = 1 - 2 atan(2) / pi.
    assert result.p == pytest.approx(1 - 2 * math.atan(2) / math.pi)
    # Variances: differences 2; arms 8 and 2.
    assert result.variance_ratio == pytest.approx(0.2)


def test_common_luck_cancels():
    first, second = blocks([11], [51], [31]), blocks([10], [50], [30])
    result = paired_difference(first, second, block_size=1)
    assert (result.mean, result.variance_ratio) == (1, 0)


def test_a_difference_that_never_varies_has_no_interval():
    result = paired_difference(blocks([11], [51], [31]), blocks([10], [50], [30]), block_size=1)
    assert (result.blocks, result.interval, result.p) == (3, None, None)


def test_opposite_luck_costs():
    # Differences -2, 0, 2 (variance 4); arms 1 and 1.
    result = paired_difference(blocks([1], [2], [3]), blocks([3], [2], [1]), block_size=1)
    assert (result.mean, result.variance_ratio) == (0, 2)


def test_partial_and_missing_deals_are_left_out_and_counted():
    first = blocks([1, 3], [5], [7, 9])
    second = blocks([1, 1], [5, 5])
    result = paired_difference(first, second, block_size=2)
    assert (result.blocks, result.mean, result.left_out) == (1, 1, 2)
    assert (result.interval, result.variance_ratio) == (None, None)


def test_nothing_in_common_is_undefined():
    result = paired_difference({}, {}, block_size=1)
    assert (result.blocks, result.mean, result.interval, result.variance_ratio, result.left_out) == (
        0,
        None,
        None,
        None,
        0,
    )


def test_arms_that_never_vary_have_no_variance_ratio():
    result = paired_difference(blocks([2], [2]), blocks([2], [2]), block_size=1)
    assert (result.mean, result.interval, result.variance_ratio) == (0, None, None)


def test_block_size_must_be_positive():
    with pytest.raises(ValueError, match="block_size"):
        paired_difference({}, {}, block_size=0)
