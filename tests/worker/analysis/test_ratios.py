"""Gains and ratios, worked by hand."""

from __future__ import annotations

import math

import pytest

from worker.analysis.intervals import Interval
from worker.analysis.ratios import NOTHING, gain, typical_ratio


def test_gain_compares_means_as_the_thesis_does() -> None:
    # table 6.4: 32,107.7 nodes without an order, 25,465.1 with order 2
    assert gain([32107.7], [25465.1], seed=1).value == pytest.approx(20.7, abs=0.05)
    assert gain([100, 300], [50, 50], seed=1).value == pytest.approx(75)
    assert gain([10, 10], [15, 10], seed=1).value == pytest.approx(-25), "a loss is a gain below zero"


def test_gain_interval_resamples_whole_cases() -> None:
    # both cases save half: whatever is drawn, the gain is 50 %
    assert gain([10, 1000], [5, 500], seed=3).interval == pytest.approx(Interval(50, 50))
    # one case saves all, the other nothing: a resample has both, only the first or only the second
    low, high = gain([10, 10], [0, 10], seed=3).interval or (None, None)
    assert (low, high) == pytest.approx((0, 100))
    assert gain([10], [5], seed=3) == (50, None)


def test_gain_is_the_same_for_the_same_seed() -> None:
    base, values = [3.1, 8.2, 2.7, 9.4, 4.9, 7.3, 1.8], [1.3, 9.1, 2.2, 3.7, 5.6, 0.4, 1.9]
    assert gain(base, values, seed=5) == gain(base, values, seed=5)
    assert gain(base, values, seed=5) != gain(base, values, seed=6)


def test_gain_over_nothing_is_undefined() -> None:
    assert gain([], [], seed=1) == NOTHING
    assert gain([0, 0], [1, 2], seed=1) == NOTHING
    # some resamples hold only the case that costs nothing: the value stands, the interval does not
    assert gain([0, 4], [2, 2], seed=1) == (0, None)


def test_typical_ratio_is_the_geometric_mean_with_an_interval_of_logarithms() -> None:
    # logarithms of 2 and 8: mean ln 4, deviation ln 2 * sqrt 2, error ln 2; t(0.975; 1) = 12.7062
    value, interval = typical_ratio([1, 1], [2, 8])
    assert value == pytest.approx(4)
    assert interval is not None
    assert math.log(interval.high / 4) == pytest.approx(12.7062 * math.log(2), rel=1e-5)
    assert math.log(4 / interval.low) == pytest.approx(12.7062 * math.log(2), rel=1e-5)
    assert typical_ratio([1], [2]) == (pytest.approx(2), None)


def test_typical_ratio_is_undefined_at_zero_and_for_nothing() -> None:
    assert typical_ratio([1, 0], [2, 1]) == NOTHING
    assert typical_ratio([1, 1], [2, 0]) == NOTHING
    assert typical_ratio([], []) == NOTHING


def test_unequal_lists_are_no_pairs() -> None:
    with pytest.raises(ValueError, match="2 and 1 values are no pairs"):
        gain([1, 2], [1], seed=1)
