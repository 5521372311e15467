import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.analysis.moments import BlockMoments, Moments

T_1 = math.tan(0.475 * math.pi)
"""t(0.975; 1)."""


def test_moments_of_one_two_three_four():
    moments = Moments.of([1, 2, 3, 4])
    assert (moments.n, moments.total, moments.total_squares) == (4, 10, 30)
    assert moments.mean == 2.5
    assert moments.variance == pytest.approx(5 / 3)
    assert moments.deviation == pytest.approx(math.sqrt(5 / 3))
    # t(0.975; 3) = 3.18245; standard error sqrt(5/3) / 2 = 0.645497.
    assert moments.interval() == pytest.approx((2.5 - 2.05426, 2.5 + 2.05426), abs=1e-4)


def test_no_values_have_no_mean():
    empty = Moments.of([])
    assert (empty.mean, empty.variance, empty.deviation, empty.interval()) == (None, None, None, None)


def test_one_value_has_a_mean_and_no_interval():
    one = Moments.of([7])
    assert (one.mean, one.variance, one.deviation, one.interval()) == (7, None, None, None)


@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, -3.7, 0.0])
def test_identical_values_have_no_spread_whatever_the_rounding(value):
    moments = Moments.of([value] * 7)
    assert moments.variance == 0.0
    assert moments.interval() == (moments.mean, moments.mean)


@given(st.lists(st.integers(-500, 500)), st.lists(st.integers(-500, 500)))
def test_merging_equals_counting_at_once(first, second):
    assert Moments.of(first) + Moments.of(second) == Moments.of(first + second)


def test_not_a_number_is_refused():
    with pytest.raises(ValueError, match="finite"):
        Moments.of([1, math.nan])


def test_equal_blocks_give_the_interval_over_block_means():
    # Two deals with two rotations each: block means 3 and 5, so 4 +- t(0.975; 1) * 1.
    blocks = BlockMoments.of({0: Moments.of([2, 4]), 1: Moments.of([4, 6])})
    assert (blocks.blocks, blocks.n, blocks.total, blocks.total_squares) == (2, 4, 16, 6**2 + 10**2)
    assert (blocks.cross, blocks.n_squares) == (6 * 2 + 10 * 2, 8)
    assert blocks.mean == 4
    assert blocks.interval() == pytest.approx((4 - T_1, 4 + T_1))


def test_seat_swaps_that_cancel_within_each_deal_leave_no_spread():
    blocks = BlockMoments.of([Moments.of([10, -10]), Moments.of([30, -30]), Moments.of([1, -1])])
    assert blocks.mean == 0
    assert blocks.interval() == (0, 0)
    assert Moments.of([10, -10, 30, -30, 1, -1]).interval().high > 20


def test_an_unfinished_block_counts_less():
    # Sums 6 of 2 and 7 of 1: mean 13/3; deviations 6 - 26/3 = -8/3 and 7 - 13/3 = 8/3;
    # error sqrt(2 * (64/9 + 64/9)) / 3 = 16/9.
    blocks = BlockMoments.of([Moments.of([2, 4]), Moments.of([7])])
    half = T_1 * 16 / 9
    assert blocks.interval() == pytest.approx((13 / 3 - half, 13 / 3 + half))


def test_single_match_blocks_equal_plain_moments():
    values = [3, 1, 4, 1, 5]
    blocks = BlockMoments.of([Moments.of([value]) for value in values])
    assert blocks.interval() == pytest.approx(Moments.of(values).interval())


@pytest.mark.parametrize("blocks", [[], [Moments.of([1, 2])], [Moments.of([1, 2]), Moments()]])
def test_fewer_than_two_blocks_have_no_interval(blocks):
    assert BlockMoments.of(blocks).interval() is None


def test_no_blocks_have_no_mean():
    assert BlockMoments().mean is None


def test_blocks_merge():
    first, second = [Moments.of([2, 4]), Moments.of([1])], [Moments.of([7, 7])]
    assert BlockMoments.of(first) + BlockMoments.of(second) == BlockMoments.of(first + second)
