"""The result that ships with the lab: what it says follows from its matches, and these are played alike today."""

from __future__ import annotations

import pytest

from webapp.site import stored_result
from worker.match_lines import line
from worker.runner import play_match

QUICK_ARMS = (0, 1, 6, 7)
"""One and two playouts for each action, of both kinds."""


def check(arms, first, count):
    for match, stored in stored_result.stored_matches(arms, first, count):
        assert line(play_match(match)) == stored, f"arm {match.arm}, deal {match.deal}: store it anew"


def test_stored_matches_are_played_alike():
    check(QUICK_ARMS, 0, 2)


@pytest.mark.slow  # four deals of each arm; the quick arms above are played by the same code
def test_stored_matches_of_every_arm_are_played_alike():
    check(range(12), 0, 8)


def test_the_heading_says_what_the_matches_say():
    greedy, random = stored_result.load().curves
    ten, fifty = greedy.points[3], random.points[5]
    assert (ten.budget, fifty.budget) == (10, 50)
    assert ten.low < fifty.margin < ten.high
    assert fifty.low < ten.margin < fifty.high
    assert all(one.margin > other.high for one, other in zip(greedy.points, random.points, strict=True))
