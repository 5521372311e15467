"""The stop rule of duplicate matches: how often it errs, when it ends, and that nothing changes it afterwards."""

from __future__ import annotations

import numpy as np
import pytest

from webapp.play.duplicates import rule

RESULTS = (0.0, 0.5, 1.0)


def simulate(share: float, deals: int, seed: int) -> list[float]:
    """Results of whole deals: the mean of two matches, each won by the level with the same chance."""
    drawn = np.random.default_rng(seed).random((deals, 2)) < share
    return [float(value) for value in drawn.mean(axis=1)]


def test_without_deals_nothing_is_said():
    found = rule.standing([])
    assert (found.deals, found.share, found.interval, found.ended) == (0, None, None, "")


def test_a_side_that_wins_all_ends_the_count_and_later_deals_change_nothing():
    found = rule.standing([1.0] * 40)
    assert found.ended == rule.LEVEL_AHEAD
    assert found.deals < 40
    assert found.for_level >= rule.EVIDENCE > found.for_people == 1.0, "capital begins with 1, and its greatest counts"
    assert rule.standing([1.0] * found.deals + [0.0] * 300) == found
    mirrored = rule.standing([0.0] * 40)
    assert (mirrored.ended, mirrored.deals) == (rule.PEOPLE_AHEAD, found.deals)
    assert mirrored.for_people == pytest.approx(found.for_level)


def test_equal_sides_end_undecided_at_the_most():
    found = rule.standing([0.5] * 1000)
    assert (found.ended, found.deals) == (rule.UNDECIDED, rule.MOST)
    assert found.interval.low < 0.5 < found.interval.high


@pytest.mark.long
def test_between_equals_it_errs_in_at_most_one_of_twenty_counts():
    """Four standard errors above 5 % of 100 counts are 13.7."""
    wrong = sum(rule.standing(simulate(0.5, rule.MOST, seed)).ended != rule.UNDECIDED for seed in range(100))
    assert wrong <= 13


@pytest.mark.long
def test_a_lead_of_three_to_one_is_found_long_before_the_most():
    found = [rule.standing(simulate(0.75, rule.MOST, seed)) for seed in range(8)]
    assert {one.ended for one in found} == {rule.LEVEL_AHEAD}
    assert np.mean([one.deals for one in found]) < rule.MOST / 4
