import numpy as np
import pytest

from games.carcassonne.board.curves import (
    curve_path,
    dense,
    distance,
    inside,
    middle,
    points_array,
    polygon_path,
    sample,
    spread,
    turn,
)
from tests.looping import looped

SQUARE = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]


def test_points_inside_a_polygon_with_a_notch():
    notched = [*SQUARE, (5.0, 5.0)]
    points = points_array([(5, 2), (2, 5), (8, 8), (-1, 5), (5, 11)])
    assert inside(points, notched).tolist() == [True, False, True, False, False]


def test_distance_is_to_the_nearest_vertex():
    points = points_array([(13, 4), (0, 0)])
    np.testing.assert_allclose(distance(points, [(10, 0), (100, 100)]), [5, 10])


def test_a_straight_curve_is_sampled_evenly_with_both_ends():
    line = sample(((0, 0), (1, 0), (2, 0), (3, 0)), steps=3)
    np.testing.assert_allclose(line, [(0, 0), (1, 0), (2, 0), (3, 0)], atol=1e-12)


def test_dense_outline_has_no_gap_wider_than_asked():
    outline = dense([(0, 0), (100, 0), (100, 100)], gap=6)
    steps = np.hypot(*(points_array(outline) - np.roll(points_array(outline), 1, axis=0)).T)
    assert 5 < steps.min() <= steps.max() < 6.5


@looped("turns, expected", [(0, (50, 0)), (1, (100, 50)), (2, (50, 100)), (3, (0, 50)), (4, (50, 0))])
def test_turn_is_clockwise(turns, expected):
    assert turn((50, 0), turns) == expected


def test_path_data():
    assert polygon_path(SQUARE) == "M0 0L10 0L10 10L0 10Z"
    assert curve_path(((0, 0), (1.25, 0), (2, -0.01), (3, 4))) == "M0 0C1.2 0 2 0 3 4"


def test_the_middle_of_a_polygon_is_that_of_its_area():
    assert middle([(0, 0), (10, 0), (10, 4), (0, 4)]) == pytest.approx((5, 2))
    assert middle([(0, 0), (4, 0), (6, 0), (6, 6), (0, 6)]) == pytest.approx((3, 3)), "vertices do not count"
    assert middle([(0, 0), (9, 0), (0, 9)][::-1]) == pytest.approx((3, 3)), "in either direction"


def test_points_are_pushed_apart_as_little_as_needed():
    assert spread([(20, 50), (80, 50)], 40, 0, 100) == [(20, 50), (80, 50)]
    (ax, ay), (bx, by) = spread([(45, 50), (55, 50)], 40, 0, 100)
    assert (ax, bx) == pytest.approx((30, 70))
    assert ay == by == 50


def test_points_are_not_pushed_out_of_the_square():
    (ax, _), (bx, _) = spread([(2, 50), (4, 50)], 40, 0, 100)
    assert ax == pytest.approx(0)
    assert bx == pytest.approx(40)
