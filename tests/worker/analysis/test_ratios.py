"""Gains and ratios, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from worker.analysis.intervals import Interval
from worker.analysis.ratios import NOTHING, gain, ratio_interval, typical_ratio


def test_gain_compares_means_as_the_thesis_does() -> None:
    # table 6.4: 32,107.7 nodes without an order, 25,465.1 with order 2
    assert gain([32107.7], [25465.1]).value == pytest.approx(20.7, abs=0.05)
    assert gain([100, 300], [50, 50]).value == pytest.approx(75)
    assert gain([10, 10], [15, 10]).value == pytest.approx(-25), "a loss is a gain below zero"


def test_gain_interval_holds_the_ratios_that_students_test_does_not_refute() -> None:
    # t(0.75; 1) = 1. Less half of the base the values are 1 and 0, less three fourths of it 0 and -1.5:
    # both times the mean is one standard error away from 0.
    assert gain([4, 6], [3, 3], confidence=0.5) == (pytest.approx(40), pytest.approx(Interval(25, 50)))


def test_gain_over_cases_of_equal_cost_is_students_interval() -> None:
    # mean 5, standard error 5, t(0.975; 1) = 12.7062; costs are not below 0, so no gain is above 100
    value, interval = gain([10, 10], [0, 10])
    assert value == pytest.approx(50)
    assert interval == pytest.approx(Interval(50 - 635.31, 100), abs=0.01)
    assert gain([10, 10], [0, -10]).interval == pytest.approx(Interval(150 - 635.31, 150 + 635.31), abs=0.01)


def test_cases_that_all_save_as_much_give_a_point() -> None:
    assert gain([10, 1000], [5, 500]).interval == pytest.approx(Interval(50, 50))
    assert gain([10, 1000, 3], [0, 0, 0]) == (100, Interval(100, 100))


def test_gain_has_no_interval_where_few_cases_leave_it_unbounded() -> None:
    assert gain([10], [5]) == (50, None)
    # the mean of the base is 2 and its standard error 2: no ratio is refuted
    assert gain([0, 4], [2, 2]) == (0, None)


def test_gain_over_nothing_is_undefined() -> None:
    assert gain([], []) == NOTHING
    assert gain([0, 0], [1, 2]) == NOTHING


def test_intervals_of_many_ratios_are_those_of_each() -> None:
    rng = np.random.Generator(np.random.PCG64(2))
    base, values = rng.lognormal(0, 1.5, (2, 20, 5))
    low, high = ratio_interval(base, values)
    found = [gain(*costs).interval for costs in zip(base, values, strict=True)]
    expected = [None if math.isnan(low[k]) else (100 * (1 - high[k]), 100 * (1 - max(0.0, low[k]))) for k in range(20)]
    assert None in found
    assert found == [None if ends is None else pytest.approx(ends) for ends in expected]


REPETITIONS = 2_000
WANDERS = 3 * math.sqrt(0.05 * 0.95 / REPETITIONS)
"""Three standard errors of a coverage of 95 % over the repetitions: 1.5 points."""
WORLDS = [(deviation, correlation) for deviation in (0.5, 1.0, 1.5) for correlation in (0.3, 0.7, 0.95)]
"""Standard deviation and correlation of the logarithms of both costs (those of real ones: docs/findings/gains.md)."""


@pytest.mark.parametrize(
    ("cases", "least", "most", "given"),
    [
        # Fieller's is exact for normal means; means of few skewed costs make it wide, and often unbounded: in
        # 79, 43, 4 and 1 % of samples where they are most skewed (docs/findings/gains.md).
        (5, 0.95, 0.98, 0.18),
        (10, 0.95, 0.98, 0.55),
        (50, 0.95, 0.97, 0.95),
        (100, 0.95, 0.965, 0.98),
    ],
)
def test_gain_intervals_hold_the_truth_as_often_as_they_say(
    cases: int, least: float, most: float, given: float
) -> None:
    for deviation, correlation in WORLDS:
        rng = np.random.Generator(np.random.PCG64([cases, round(100 * deviation), round(100 * correlation)]))
        base, own = rng.standard_normal((2, REPETITIONS, cases))
        other = correlation * base + math.sqrt(1 - correlation**2) * own
        low, high = ratio_interval(np.exp(deviation * base), np.exp(deviation * other - 0.5))
        is_given = ~np.isnan(low)
        covered = ((low <= math.exp(-0.5)) & (math.exp(-0.5) <= high))[is_given].mean()
        world = f"deviation {deviation}, correlation {correlation}: {covered:.3f} of {is_given.mean():.3f}"
        wanders = WANDERS / math.sqrt(is_given.mean())
        assert least - wanders <= covered <= most + wanders, world
        assert is_given.mean() >= given, world


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
        gain([1, 2], [1])
