import math

import numpy as np
import pytest

from worker.analysis.stop_rules import model
from worker.analysis.stop_rules.fixed_number import FixedNumber
from worker.analysis.stop_rules.model import Course, Curve, Expected, Stop, Truth


def test_a_fixed_number_ends_at_the_plan():
    values = np.zeros((2, 12))
    assert FixedNumber().first_stop(values[:, :9], 10) is None
    assert FixedNumber().first_stop(values, 10) == Stop(10, model.AT_PLANNED)
    assert FixedNumber().course(values, 10).deals == tuple(range(1, 11))
    assert FixedNumber().drops(values, 10) == ()
    assert FixedNumber().expected(Truth((0.0, 1.0, 2.0), 1.0), 10) == Expected(10, 30, 10, 30)


def test_hypotheses_are_about_one_arm_or_two():
    values = np.array([[1.0, 2.0], [5.0, 3.0], [0.0, 0.0]])
    assert model.contrast(values[:1]).tolist() == [1, 2]
    assert model.contrast(values[:2]).tolist() == [4, 1]
    with pytest.raises(ValueError, match="not about 3"):
        model.contrast(values)


def test_a_course_is_thinned_and_keeps_both_ends():
    course = model.course_of({("x", None): np.arange(1.0, 2001.0)}, 1600)
    assert len(course.deals) == model.LOOKS
    assert (course.deals[0], course.deals[-1]) == (1, 1600)
    assert course.curves[0].values == course.deals


def test_what_is_not_known_is_none_in_a_course():
    course = model.course_of({("x", 1): np.array([math.inf, math.nan, 2.0])}, 3)
    assert course == Course((1, 2, 3), (Curve("x", (None, None, 2.0), 1),))
    assert model.course_of({("x", None): np.empty(0)}, 0) == Course((), (Curve("x", ()),))


@pytest.mark.parametrize(
    ("values", "planned", "message"),
    [
        (np.zeros((1, 3)), 0, "planned"),
        (np.zeros(3), 10, "shape"),
        (np.array([[0, math.nan]]), 10, "finite"),
    ],
)
def test_values_that_no_rule_takes_are_refused(values, planned, message):
    with pytest.raises(ValueError, match=message):
        FixedNumber().first_stop(values, planned)
