import pytest

from worker.analysis.holm import adjust, is_rejected


def test_hand_worked_step_down():
    # Sorted 0.005, 0.01, 0.03, 0.04: times 4, 3, 2, 1 = 0.02, 0.03, 0.06, 0.04; the last may not fall below 0.06.
    assert adjust([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


def test_it_finds_more_than_bonferroni_and_not_more_than_no_correction():
    found = adjust([0.01, 0.02, 0.03])
    assert found == pytest.approx((0.03, 0.04, 0.04))  # Bonferroni: 0.03, 0.06, 0.09
    assert [is_rejected(p) for p in found] == [True, True, True]


def test_the_first_that_fails_stops_all_that_follow():
    found = adjust([0.03, 0.04])
    assert found == pytest.approx((0.06, 0.06))
    assert not any(map(is_rejected, found))


def test_one_hypothesis_needs_no_correction_and_none_is_fine():
    assert adjust([0.05]) == (0.05,)
    assert is_rejected(0.05)
    assert adjust([]) == ()


def test_what_cannot_be_tested_counts_and_is_never_rejected():
    assert adjust([None, 0.02]) == (None, 0.04)
    assert not is_rejected(None)


def test_no_value_exceeds_one():
    assert adjust([0.6, 0.9, 0.7]) == (1, 1, 1)


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_what_is_no_probability_is_refused(p):
    with pytest.raises(ValueError, match="between 0 and 1"):
        adjust([p])
