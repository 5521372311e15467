import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.analysis.histogram import Bins

WHOLE = Bins(low=-0.5, width=1, count=10)
"""Whole numbers 0 to 9, each at the middle of its bin."""


def test_values_fall_in_their_bin_and_outliers_in_the_outer_ones():
    counts = WHOLE.counts([0, 0, 3, 9, -50, 1e300])
    assert counts.tolist() == [3, 0, 0, 1, 0, 0, 0, 0, 0, 2]


def test_a_value_on_an_edge_belongs_to_the_bin_above():
    assert Bins(0, 2, 3).counts([2.0]).tolist() == [0, 1, 0]


def test_median_of_one_number_is_its_middle():
    assert WHOLE.quantile(WHOLE.counts([4]), 0.5) == 4


def test_quantiles_spread_evenly_inside_a_bin():
    # Ten numbers in bin 0..10 and ten in bin 10..20: the quarter lies at 5.
    bins = Bins(0, 10, 2)
    assert [bins.quantile([10, 10], share) for share in (0, 0.25, 0.5, 0.9, 1)] == [0, 5, 10, 18, 20]


def test_quantiles_skip_empty_bins():
    bins = Bins(0, 1, 5)
    counts = [0, 2, 0, 0, 2]
    assert bins.quantile(counts, 0) == 1
    assert bins.quantile(counts, 0.5) == 2
    assert bins.quantile(counts, 0.75) == 4.5


def test_no_numbers_have_no_quantile():
    assert WHOLE.quantile([0] * 10, 0.5) is None


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.floats(0, 1))
def test_quantile_is_within_a_bin_of_the_sorted_values(values, share):
    found = WHOLE.quantile(WHOLE.counts(values), share)
    exact = np.quantile(values, share, method="inverted_cdf")
    assert abs(found - exact) <= WHOLE.width


def test_histograms_merge_by_adding():
    first, second = WHOLE.counts([1, 2, 3]), WHOLE.counts([3, 9])
    assert (first + second).tolist() == WHOLE.counts([1, 2, 3, 3, 9]).tolist()


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="share must be from 0 to 1"):
        WHOLE.quantile([1] * 10, 1.1)
    with pytest.raises(ValueError, match="10 counts"):
        WHOLE.quantile([1] * 9, 0.5)
    with pytest.raises(ValueError, match="10 counts"):
        WHOLE.quantile([-1] * 10, 0.5)
    with pytest.raises(ValueError, match="width above 0"):
        Bins(0, 0, 4)
    with pytest.raises(ValueError, match="finite"):
        WHOLE.counts([math.nan])
