"""Differences between independent samples, against cases worked by hand."""

from __future__ import annotations

import pytest

from worker.analysis.independent import independent_difference
from worker.analysis.moments import Moments


def test_a_case_worked_by_hand() -> None:
    """Means 4 and 2, variances 4 and 1, so the squared error is 4/3 + 1/3 = 5/3.

    Welch's freedom is (5/3)^2 / ((4/3)^2 / 2 + (1/3)^2 / 2) = 50/17 = 2.941; the 97.5 % quantile
    of Student's t there is 3.2204 (between 4.3027 at 2 and 3.1824 at 3).
    """
    found = independent_difference(Moments.of([2.0, 4.0, 6.0]), Moments.of([1.0, 2.0, 3.0]))
    assert (found.blocks, found.left_out, found.variance_ratio) == (6, 0, None)
    assert found.mean == pytest.approx(2.0)
    assert found.interval is not None
    half = (found.interval.high - found.interval.low) / 2
    assert half == pytest.approx(3.2204 * (5 / 3) ** 0.5, rel=2e-3)
    assert found.p == pytest.approx(0.2211, abs=2e-3)


def test_equal_samples_do_not_differ() -> None:
    found = independent_difference(Moments.of([0.0, 1.0]), Moments.of([0.0, 1.0]))
    assert found.mean == 0
    assert found.p == pytest.approx(1.0)


def test_without_matches_nothing_is_said() -> None:
    found = independent_difference(Moments(), Moments.of([1.0]))
    assert (found.blocks, found.mean, found.interval, found.p) == (1, None, None, None)


@pytest.mark.parametrize("values", [[1.0], [1.0, 1.0]])
def test_without_variation_there_is_no_interval(values: list[float]) -> None:
    found = independent_difference(Moments.of(values), Moments.of([0.0, 0.0]))
    assert (found.mean, found.interval, found.p) == (1.0, None, None)
