import numpy as np
import pytest

from worker.analysis.family import Family


def test_differences_that_chance_makes_are_counted_and_taken_off():
    # Holm over three: .004 * 3 = .012 and .009 * 2 = .018 are left at 5 %, .2 is not; the exact one stays.
    members = [(0.009, 0.01, True), (0.004, 0.01, True), (0.2, 0.01, False), (None, 0.0, True), (None, 0.0, False)]
    family = Family.of(members)
    assert (family.judged, family.by_chance, family.differ, family.exact, family.after_holm) == (5, 3, 3, 1, 3)
    assert family.expected == pytest.approx(0.03)
    # Among 20 that do not differ, .009 is no longer remarkable: 22 * .009 > .05.
    more = Family.of([*members, *[(0.5, 0.01, False)] * 19])
    assert (more.differ, more.after_holm) == (3, 1)


def test_what_has_no_p_counts_among_all_and_is_never_left():
    assert Family.of([(None, 0.01, False), (0.03, 0.05, True)]).after_holm == 0
    assert Family.of([]).after_holm == 0


def test_a_family_of_true_figures_rarely_has_any_left_and_as_many_differ_as_expected():
    """2,000 families of 20 true figures: 5 % and 0.2 a family; tolerances are three standard errors."""
    draws = np.random.default_rng(3).random((2000, 20))
    families = [Family.of([(p, 0.01, p < 0.01) for p in row]) for row in draws.tolist()]
    assert sum(family.differ for family in families) / 2000 == pytest.approx(families[0].expected, abs=0.03)
    assert sum(family.after_holm > 0 for family in families) / 2000 < 0.05 + 0.015
