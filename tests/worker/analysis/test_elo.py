import numpy as np
import pytest

from worker.analysis import elo

PAIRS, MATCHES = np.arange(5) / 4, np.arange(3) / 2


def test_four_hundred_elo_are_ten_points_for_one():
    assert elo.share(400) == pytest.approx(10 / 11)
    assert elo.share(0) == 0.5
    assert elo.difference(10 / 11) == pytest.approx(400)
    assert elo.difference(1.0) is None
    assert elo.difference(0.0) is None


@pytest.mark.parametrize(
    ("outcomes", "counts", "logistic", "error", "normalised", "normalised_error"),
    [
        (PAIRS, (34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28),
        (PAIRS, (332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96),
        (PAIRS, (7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65),
        (MATCHES, (96, 111, 136), 40.70, 30.43, 49.77, 36.77),
    ],
)
def test_values_are_those_that_fastchess_is_tested_with(
    outcomes, counts, logistic, error, normalised, normalised_error
):
    # Disservin/fastchess, app/tests/elo_test.cpp: values with half of the 95 % interval, to two digits.
    observed, matches = np.array(counts, float), 2 if len(counts) == 5 else 1
    for found, value, half in (
        (elo.logistic(outcomes, observed), logistic, error),
        (elo.normalised(outcomes, observed, matches), normalised, normalised_error),
    ):
        assert found.value == pytest.approx(value, abs=0.006)
        assert (found.interval.high - found.interval.low) / 2 == pytest.approx(half, abs=0.006)


def test_normalised_elo_counts_deviations_of_a_match():
    # A deviation of a match is 347.4 Elo; the share of two matches deviates by 1 / sqrt(2) of that.
    assert elo.deviations(347.4356, matches=1) == pytest.approx(1)
    assert elo.deviations(347.4356, matches=2) == pytest.approx(2**0.5)


def test_equal_outcomes_have_no_bound():
    won = np.array([0, 0, 20.0])
    assert elo.logistic(MATCHES, won) == (None, None)
    assert elo.normalised(MATCHES, won, 1) == (None, None)
