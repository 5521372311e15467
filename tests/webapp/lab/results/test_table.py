"""The result table in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import RANDOM, seat
from webapp.lab.results.comparisons import Difference
from webapp.lab.results.sides import Side
from webapp.lab.results.table import _differs, _paired, rate, table
from worker.analysis.independent import independent_difference
from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import paired_from_sums
from worker.analysis.summary import Sums, place_result

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("arms", "has_marks"), [(5, True), (6, False)])
def test_more_arms_than_marks_carry_none(alice: Any, arms: int, has_marks: bool) -> None:
    lineups = [[seat("flat_mc", budget={"playouts": 1 + arm}), RANDOM] for arm in range(arms)]
    made = factory.played(alice, lineups, deals=1)
    assert table(made).has_marks is has_marks


def test_a_difference_that_never_varies_has_words_instead_of_an_interval() -> None:
    same, fixed = (paired_from_sums(Moments(7, 7.0 * d, 7.0 * d * d), Moments(7), Moments(7), 0) for d in (0, 1))
    assert _paired(same, 100)[:2] == ("0.0", "no match differed in 7 deals")
    assert _paired(fixed, 100)[:2] == ("+100.0", "the same in all 7 deals")


def test_whether_two_differ_goes_by_the_interval_that_is_shown() -> None:
    """Holm's p stands beside it, and may be small where a simultaneous interval holds 0."""
    sides = (Side(1, 0, "A", "", None, (0,)), Side(0, 0, "B", "", None, (0,)))
    one = paired_from_sums(Moments(7, 7, 9), Moments(7, 7, 9), Moments(7), 0)
    for ends, p, ended, live in (
        (Interval(0.1, 2), 0.013, "0.013, differs", "differs"),
        (Interval(-0.1, 2), 0.013, "0.013", "not yet"),
        (Interval(0.1, 2), 0.00001, "below 0.001, differs", "differs"),
        (None, None, "undefined", "not yet"),
    ):
        shown = replace(one, interval=ends)
        for is_always_valid, words in ((False, ended), (True, live)):
            row = Difference(*sides, shown, shown, shown, 0.98, p, p, p, is_always_valid)
            assert _differs(shown, p, row) == words


def test_a_rate_without_matches_is_none_and_one_match_has_a_wide_interval() -> None:
    assert rate(place_result(0, Sums(), 1, {})) is None
    shown = rate(place_result(0, Sums(wins=BlockMoments.of([Moments(1, 1.0)])), 1, {}))
    assert shown is not None
    assert (shown.text, shown.interval) == ("100.0\u202f%", "20.7 to 100.0")


def test_arms_that_shared_no_deal_are_told_apart_by_matches() -> None:
    same = independent_difference(Moments(3, 3.0, 3.0), Moments(4, 4.0, 4.0))
    assert _paired(same, 100, "matches")[:2] == ("0.0", "no match differed in 7 matches")


def test_which_seat_begins_is_as_the_game_says(alice: Any) -> None:
    """Kingdomino draws kings in each match (RULES.md): seat 0 moves first in Carcassonne alone, and there is asked."""
    pages = {
        game: table(factory.played(alice, [[RANDOM, RANDOM]], deals=2, game=game))
        for game in ("carcassonne", "kingdomino")
    }
    assert "The first seat moves first. It won" in pages["carcassonne"].seats_note
    assert "the question is the seat" in pages["carcassonne"].finding
    assert "Who begins is drawn in each match" in pages["kingdomino"].seats_note
    assert "moves first" not in pages["kingdomino"].seats_note
    assert pages["kingdomino"].finding == "The engine only meets itself, so nothing is compared."
