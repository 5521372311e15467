import math

import pytest

from worker.analysis.correlation import correlation


def test_a_correlation_worked_by_hand():
    # deviations of x: -2 -1 0 1 2, of y: -1 -2 1 0 2; products add up to 2 + 2 + 0 + 0 + 4 = 8, squares to 10 each
    found = correlation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    assert (found.n, found.r, found.slope, found.share) == (
        5,
        pytest.approx(0.8),
        pytest.approx(0.8),
        pytest.approx(0.64),
    )
    # atanh 0.8 = ln 3; 1.96 / sqrt(2) = 1.386 on either side
    assert found.interval.low == pytest.approx(math.tanh(math.log(3) - 1.38590), abs=1e-4)
    assert found.interval.high == pytest.approx(math.tanh(math.log(3) + 1.38590), abs=1e-4)


def test_the_slope_has_the_unit_of_y():
    found = correlation([0, 1, 2, 3], [7, 5, 3, 1])
    assert (found.r, found.slope, found.interval) == (-1.0, -2.0, (-1.0, -1.0))


def test_pairs_that_hang_together_count_as_fewer():
    x, y = [1, 2, 3, 4] * 2, [1, 3, 2, 4] * 2
    assert correlation(x, y, 4).interval == correlation(x[:4], y[:4]).interval
    assert correlation(x, y, 3).interval is None


def test_what_never_changes_goes_with_nothing():
    assert correlation([1, 1, 1], [1, 2, 3]) is None
    assert correlation([1, 2, 3], [0, 0, 0]) is None
    assert correlation([1], [1]) is None
    with pytest.raises(ValueError, match="2 and 1 numbers"):
        correlation([1, 2], [1])
