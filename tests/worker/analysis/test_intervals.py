import math

import pytest

from worker.analysis.intervals import student, wilson
from worker.analysis.numbers import finite


def test_wilson_of_half_of_ten_matches_the_published_value():
    # Newcombe 1998 gives (0.2366, 0.7634) for 5 of 10 at 95 %.
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=5e-5)


def test_wilson_of_81_of_263_matches_newcombe():
    # Newcombe 1998, table I, method 3 (score): 81/263 gives 0.2553 to 0.3662.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_wilson_of_no_wins_starts_at_zero_and_does_not_collapse():
    # z^2 / (n + z^2) with z = 1.959964: 3.841459 / 13.841459.
    low, high = wilson(0, 10)
    assert low == 0.0
    assert high == pytest.approx(0.277533, abs=1e-6)


def test_wilson_of_all_wins_mirrors_no_wins():
    low, high = wilson(10, 10)
    assert high == 1.0
    assert low == pytest.approx(1 - 0.277533, abs=1e-6)


def test_wilson_of_one_match_is_wide():
    low, high = wilson(1, 1)
    assert (low, high) == (pytest.approx(0.206549, abs=1e-6), 1.0)


def test_wilson_without_matches_is_undefined():
    assert wilson(0, 0) is None


def test_wilson_grows_with_confidence():
    narrow, wide = wilson(5, 10, 0.9), wilson(5, 10, 0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3), (0, -1)])
def test_wilson_refuses_impossible_counts(successes, trials):
    with pytest.raises(ValueError, match=f"{successes} successes of {trials}"):
        wilson(successes, trials)


@pytest.mark.parametrize("confidence", [0, 1, 1.5, math.nan])
def test_confidence_must_lie_between_zero_and_one(confidence):
    for call in (
        lambda: wilson(1, 2, confidence),
        lambda: student(0, 1, 1, confidence),
    ):
        with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
            call()


def test_student_with_ten_degrees():
    # The table value of t(0.975; 10) is 2.228.
    assert student(5, 2, 10) == pytest.approx((5 - 4.456, 5 + 4.456), abs=1e-3)


def test_student_with_one_degree():
    # t(0.975; 1) = tan(0.475 * pi) = 12.706205.
    half = math.tan(0.475 * math.pi)
    assert student(0, 1, 1) == pytest.approx((-half, half))


def test_student_without_freedom_is_undefined():
    assert student(3, 0, 0) is None


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_undefined_numbers_are_refused(bad):
    with pytest.raises(ValueError, match="finite"):
        finite([1.0, bad])
