"""The sentence on top of a result claims no more than its intervals allow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.webapp.results import factory
from tests.webapp.results.factory import FLAT, RANDOM, seat
from webapp.results.selectors import Results, results
from webapp.results.table import finding, rate
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.summary import PlaceTally, Tally, place_result

pytestmark = pytest.mark.django_db


def _with_margins(found: Results, *means: float) -> Results:
    """The same results with margins of these means over 50 deals, and wins in that order."""
    rows = []
    for i, (row, mean) in enumerate(zip(found.sides, means, strict=True)):
        total = 100 * mean
        blocks = BlockMoments(50, 100, total, 4 * 50 * (mean**2 + 25), 2 * total, 200)
        tally = Tally(60 - i, 0, 40 + i, margins=Moments(100, total))
        rows.append((replace(row[0], result=place_result(0, {0: tally}, BlockMoments(), blocks)), *row[1:]))
    return replace(found, sides=tuple(rows))


@pytest.fixture
def two_arms(alice: Any) -> Results:
    return results(factory.experiment(alice, [[FLAT, RANDOM], [seat("scripted"), RANDOM]]))


def test_a_clear_lead_is_told_as_one(two_arms: Results) -> None:
    told = finding(_with_margins(two_arms, 20.0, 3.0))
    assert told.startswith("Arm 0 does best against Random: it wins 60.0\u2009% of 100 matches (")
    assert "mean margin +20.0 ±" in told


def test_a_lead_within_the_intervals_is_not(two_arms: Results) -> None:
    assert finding(_with_margins(two_arms, 4.0, 3.5)).startswith("Arm 0 is ahead, not surely, against Random:")


def test_without_a_match_nothing_is_told(two_arms: Results) -> None:
    assert finding(two_arms) == ""


def test_two_sides_of_one_arm_are_named_both(alice: Any) -> None:
    told = finding(results(factory.played(alice, deals=4)))
    assert told.startswith(("Flat Monte Carlo", "Random"))
    assert told.endswith(".")


def test_a_rate_without_matches_is_none_and_one_match_has_a_wide_interval() -> None:
    assert rate(PlaceTally().result(0)) is None
    shown = rate(place_result(0, {0: Tally(wins=1)}, BlockMoments(), BlockMoments()))
    assert shown is not None
    assert (shown.text, shown.interval) == ("100.0\u2009%", "20.7 to 100.0")
