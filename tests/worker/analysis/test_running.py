import math

import numpy as np
import pytest

from worker.analysis.running import running


def test_moments_of_one_three_and_eight():
    # Means 1, 2, 4; deviations from 4: -3, -1, 4; squares 26, cubes 36; from 2: -1, 1.
    moments = running(np.array([1.0, 3.0, 8.0]))
    assert moments.count.tolist() == [1, 2, 3]
    assert moments.mean == pytest.approx([1, 2, 4])
    assert moments.spread == pytest.approx([0, 2, 26])
    assert moments.error == pytest.approx([0, 1, math.sqrt(26 / 6)])
    assert moments.skewness == pytest.approx([0, 0, 36 / 3 / (26 / 3) ** 1.5])


def test_equal_values_have_no_spread_however_large():
    moments = running(np.full((2, 50), 1e9 + 0.1))
    assert not moments.spread.any()
    assert not moments.skewness.any()
    assert moments.mean == pytest.approx(np.full((2, 50), 1e9 + 0.1))


def test_nothing_has_no_moments():
    assert running(np.empty(0)).mean.shape == (0,)
