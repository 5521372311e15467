"""Sums over the deals of a measurement."""

from engines.levels import Measurement
from webapp.play import measured_deals
from worker.analysis.moments import BlockMoments

MEASURED = Measurement(2, ((0, 0, 2), (0, 1, 1), (1, 1, 3)))


def test_wins_and_points_by_deal():
    """By hand: six deals of two matches with 0, 0, 0, 1, 1, 1 wins, and 0, 0, 1/2, 3/2, 3/2, 3/2 points."""
    assert measured_deals.wins(MEASURED) == BlockMoments(6, 12, 3, 3, 6, 24)
    assert measured_deals.points(MEASURED) == BlockMoments(6, 12, 5, 7, 10, 24)
