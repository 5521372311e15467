"""Skills beside anchors: what a match says, and what players lean on."""

from __future__ import annotations

import numpy as np
import pytest

from worker.analysis import skills
from worker.analysis.ratings import ELO
from worker.analysis.skills import Skills, after_match

NOTHING = np.zeros((1, 1))


def _known(means, deviations, leaning=None):
    row = np.zeros((len(means), 1)) if leaning is None else np.asarray(leaning, dtype=float)
    return Skills(np.array([means], dtype=float), np.square([deviations], dtype=float), row[None])


def _chance(points):
    return 1 / (1 + np.exp(-points / ELO))


def test_a_win_by_hand():
    """One of deviation 10 beats an equal anchor: 100 (1 - 1/2) / 173.7 up, and 1/100 + 1/4 / 173.7^2 is known then."""
    found = after_match(_known([1500, 1500], [10, 0], [[0], [1]]), NOTHING, (0, 1), np.array([[1.0, 2.0]]))
    assert found.mean[0] - 1500 == pytest.approx([50 / ELO, 0], rel=2e-3)
    assert found.variance[0] == pytest.approx([1 / (1 / 100 + 1 / (4 * ELO**2)), 0], rel=1e-5)
    assert found.leaning[0, :, 0] == pytest.approx([25 / ELO**2 / (1 + 25 / ELO**2), 1], rel=1e-2)


@pytest.mark.parametrize("deviation", [40.0, 500.0])
def test_between_two_sides_mean_and_variance_are_exact(deviation):
    """Against the integral over a fine grid of the difference, whose prior deviation is that of both together."""
    whole = np.hypot(deviation, 90)
    grid = np.linspace(-8, 8, 20001) * whole
    mass = np.exp(-((grid / whole) ** 2) / 2) * _chance(grid - 240)
    mass /= mass.sum()
    moved = mass @ grid
    left = mass @ (grid - moved) ** 2
    found = after_match(_known([1300, 1540], [deviation, 90]), NOTHING, (0, 1), np.array([[1.0, 2.0]]))
    part = deviation**2 / whole**2
    assert found.mean[0, 0] - 1300 == pytest.approx(part * moved, rel=1e-3)
    assert found.variance[0, 0] == pytest.approx(deviation**2 - part**2 * (whole**2 - left), rel=1e-3)


def test_three_sides_are_near_the_integral():
    """Against a grid over the three skills, all pairs at 7/9; pairs as normal terms are off by a hundredth."""
    deviations, axis = np.array([150.0, 250.0, 60.0]), np.linspace(-5, 5, 81)
    grid = np.stack(np.meshgrid(*(axis * one for one in deviations), indexing="ij"))
    log = -((grid / deviations[:, None, None, None]) ** 2).sum(axis=0) / 2
    means = np.array([1500.0, 1400.0, 1650.0])
    at = grid + means[:, None, None, None]
    for ahead, behind in ((1, 0), (1, 2), (2, 0)):
        log += 7 / 9 * np.log(_chance(at[ahead] - at[behind]))
    mass = np.exp(log - log.max())
    mass /= mass.sum()
    moved = (mass * grid).sum(axis=(1, 2, 3))
    left = (mass * (grid - moved[:, None, None, None]) ** 2).sum(axis=(1, 2, 3))
    found = after_match(_known(means, deviations), NOTHING, (0, 1, 2), np.array([[3.0, 1.0, 2.0]]))
    assert found.mean[0] - means == pytest.approx(moved, rel=0.02, abs=1)
    assert found.variance[0] == pytest.approx(left, rel=0.02)


def test_a_leaning_is_how_far_a_mean_follows_its_anchors():
    """By moving each anchor in turn, and with it all that leans on it: the means follow as the leanings say."""
    places, shared = np.array([1200.0, 1600.0, 1500.0]), np.diag([900.0, 3600.0, 90000.0])
    leaning = np.array([[[0.5, 0.2, 0.3], [0.0, 0.6, 0.4], [0.0, 1.0, 0.0]]])
    variance = np.array([[90.0**2, 200.0**2, 0.0]])

    def after(places, seats, ranks):
        before = Skills((leaning @ places)[:, seats], variance[:, seats], leaning[:, seats])
        return after_match(before, shared, range(len(seats)), np.array([ranks]))

    for seats, ranks in (([0, 2], [1.0, 2.0]), ([0, 1], [2.0, 1.0]), ([0, 1, 2], [1.0, 3.0, 2.0])):
        found = after(places, seats, ranks)
        assert found.leaning.sum(axis=2) == pytest.approx(1)  # all that is known moves with all anchors together
        for anchor in range(3):
            above, below = (after(places + step * np.eye(3)[anchor], seats, ranks) for step in (1, -1))
            near = 0.002 if len(seats) == 2 else 0.02  # with more sides terms of pairs move, too
            assert (above.mean - below.mean) / 2 == pytest.approx(found.leaning[:, :, anchor], abs=near)


def test_errors_of_a_table_are_those_of_drawn_worlds():
    """People who lean on one anchor: what is dropped of a match are only covariances of their own parts.

    By Joseph's form, from the gain K that the change of the mean of a draw against the expectation shows.
    """
    leaning = np.array([[1.0, 0.0], [0.2, 0.8]])
    shared = np.array([[400.0, 100.0], [100.0, 900.0]])
    before = _known([1500.0, 1500.0], [80.0, 50.0], leaning)
    found = after_match(before, shared, (0, 1), np.array([[1.0, 1.0]]))
    between = leaning[0] - leaning[1]
    spread = 80**2 + 50**2 + between @ shared @ between
    noise = spread * _tilted_variance(spread) / (spread - _tilted_variance(spread))
    gain = np.array([80**2 + leaning[0] @ shared @ between, -(50**2) + leaning[1] @ shared @ between])
    gain = gain / (spread + noise)
    kept = np.eye(2) - np.outer(gain, [1, -1])
    own = kept @ np.diag([80**2, 50**2]) @ kept.T + noise * np.outer(gain, gain)
    assert found.mean[0] == pytest.approx([1500, 1500])
    assert found.variance[0] == pytest.approx(np.diag(own), rel=1e-6)
    assert found.leaning[0] == pytest.approx(kept @ leaning, rel=1e-6)


def _tilted_variance(spread):
    """Variance of a difference about 0 after a draw, by a grid."""
    grid = np.linspace(-9, 9, 40001) * np.sqrt(spread)
    mass = np.exp(-(grid**2) / spread / 2) * np.sqrt(_chance(grid) * _chance(-grid))
    return (mass / mass.sum()) @ grid**2


def test_a_ranking_tells_less_than_its_pairs():
    """By hand: of three, (1/2 + 2/3) / 3 against 2/4; of four, (1/2 + 2/3 + 3/4) / 4 against 3/4."""
    assert [skills.ranking_weight(sides) for sides in (2, 3, 4)] == pytest.approx([1, 7 / 9, 23 / 36])
