"""Luck apart from play: cases worked by hand."""

from __future__ import annotations

import pytest

from worker.analysis.luck import Estimate, difference, joint_confidence, split_margin, total

END = Estimate(10.0, 0.0)
"""A margin at the end of a match, which is known."""


def test_an_estimate_of_samples_is_their_mean_and_its_standard_error() -> None:
    # mean 4; squared deviations 4 + 0 + 4 = 8, variance 8 / 2 = 4, error 2 / sqrt(3)
    assert Estimate.of([2.0, 4.0, 6.0]) == pytest.approx((4.0, 2 / 3**0.5))


def test_errors_add_up_by_squares() -> None:
    assert total([Estimate(1.0, 3.0), Estimate(2.5, 4.0)]) == pytest.approx((3.5, 5.0))
    assert total([]) == (0.0, 0.0)
    assert difference(Estimate(1.0, 3.0), Estimate(2.5, 4.0)) == pytest.approx((-1.5, 5.0))


def test_the_parts_of_a_margin_add_up_to_it() -> None:
    """Two draws and two decisions: start +1, own -2 and 0 (the policy's own choice), the other's +4, end at 10."""
    found = split_margin(Estimate(1.0, 2.0), [Estimate(-2.0, 1.0), Estimate(0.0, 0.0)], [Estimate(4.0, 2.0)], END)
    assert found.own == pytest.approx((-2.0, 1.0))
    assert found.others == pytest.approx((4.0, 2.0))
    assert found.luck == pytest.approx((10 - 1 + 2 - 4, 3.0))  # sqrt(4 + 1 + 4)
    assert found.start.mean + found.own.mean + found.others.mean + found.luck.mean == pytest.approx(10.0)


def test_a_margin_that_is_only_expected_adds_its_error_to_the_luck() -> None:
    found = split_margin(Estimate(1.0, 2.0), [Estimate(-2.0, 1.0)], [Estimate(4.0, 2.0)], Estimate(10.0, 4.0))
    assert found.luck == pytest.approx((7.0, 5.0))  # sqrt(4 + 1 + 4 + 16)


def test_luck_that_is_known_step_by_step_is_the_same() -> None:
    """V: start 0, drawn +3, decided +1 (worth -2), drawn -1, decided -1 (worth 0), end -1: luck is 3 - 2."""
    found = split_margin(Estimate(0.0, 0.0), [Estimate(-2.0, 0.0), Estimate(0.0, 0.0)], [], Estimate(-1.0, 0.0))
    assert found.luck.mean == (3 - 0) + (-1 - 1)


def test_intervals_are_normal_and_hold_together() -> None:
    assert Estimate(2.0, 1.0).interval() == pytest.approx((0.04, 3.96), abs=1e-3)
    assert joint_confidence(1) == pytest.approx(0.95)
    assert joint_confidence(50) == pytest.approx(0.999)
    assert Estimate(2.0, 1.0).interval(joint_confidence(50)) == pytest.approx((-1.29, 5.29), abs=1e-2)
    with pytest.raises(ValueError, match="looks"):
        joint_confidence(0)
