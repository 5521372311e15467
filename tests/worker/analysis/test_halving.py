"""Sequential halving: rounds and points by hand, a known optimum, and that a winner is flattered."""

import numpy as np
import pytest

from worker.analysis import halving


def test_rounds_share_the_budget():
    assert halving.rounds(16, 800) == ((16, 12), (8, 25), (4, 50), (2, 100))
    assert halving.rounds(5, 90) == ((5, 6), (3, 10), (2, 15))
    assert halving.rounds(2, 1) == ((2, 1),), "a deal at least"


def test_the_better_half_goes_on():
    assert halving.better_half([3, 5, 8, 9], [1.0, 4.0, 2.0, None]) == (5, 8)
    assert halving.better_half([0, 1, 2], [None, 7.0, 7.0]) == (1, 2)
    assert halving.better_half([4, 6], [2.0, 2.0]) == (4,), "of equals the first"


def test_points_fill_the_space():
    """Van der Corput's sequence in base 2, and base 3 beside it; a shift goes round."""
    found = [halving.points(n, 2, np.zeros(2)) for n in range(1, 5)]
    assert np.array(found) == pytest.approx(np.array([[1 / 2, 1 / 3], [1 / 4, 2 / 3], [3 / 4, 1 / 9], [1 / 8, 4 / 9]]))
    assert halving.points(1, 1, np.array([0.75])) == pytest.approx(0.25)
    cells = {tuple((4 * halving.points(n, 1, np.array([0.1]))).astype(int)) for n in range(1, 5)}
    assert len(cells) == 4


def search(rng, heights, budget, deviation=1.0):
    """The winner among candidates of these true heights, and what it showed."""
    playing, sums, deals = tuple(range(len(heights))), np.zeros(len(heights)), np.zeros(len(heights))
    for _, more in halving.rounds(len(heights), budget):
        for number in playing:
            sums[number] += more * heights[number] + deviation * more**0.5 * rng.standard_normal()
            deals[number] += more
        playing = halving.better_half(playing, [sums[number] / deals[number] for number in playing])
    return playing[0], sums[playing[0]] / deals[playing[0]]


def test_the_search_finds_a_known_optimum():
    """Sixteen points on a hill 2 deviations high: the winner is within 0.2 of the top, which the middle point has."""
    rng = np.random.default_rng(1)
    heights = -2 * np.linspace(-1, 1, 16) ** 2
    lost = [heights.max() - heights[search(rng, heights, 800)[0]] for _ in range(300)]
    assert np.mean(lost) < 0.03
    assert np.mean(np.array(lost) > 0.2) < 0.02


def test_a_winner_is_flattered_and_fresh_deals_are_not():
    """Among equals the winner shows a gain that is not there; its mean on 200 other deals is 0 within its error."""
    rng = np.random.default_rng(2)
    shown = [search(rng, np.zeros(16), 800)[1] for _ in range(400)]
    fresh = rng.standard_normal((400, 200)).mean(axis=1)
    assert np.mean(shown) > 0.08, "more than two errors of the mean of 200 deals"
    assert abs(np.mean(fresh)) < 3 * 200**-0.5 / 20
