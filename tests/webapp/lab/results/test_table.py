"""The sentence on top of a result claims no more than its intervals allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.lab.results.selectors import Results, results
from webapp.lab.results.table import _paired, finding, p_words, rate, table
from worker.analysis.independent import independent_difference
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import paired_from_sums
from worker.analysis.summary import Sums, place_result

pytestmark = pytest.mark.django_db


def _with(found: Results, *rows: tuple[int, float], lead: Sequence[float | None]) -> Results:
    """The same results, each arm with (wins of 100 matches, mean margin over 50 deals).

    lead: corrected p of the best against each other arm, in the order of `ranked`.
    """
    sides = []
    for row, (wins, mean) in zip(found.sides, rows, strict=True):
        total = 100 * mean
        margins = BlockMoments(50, 100, total, 4 * 50 * (mean**2 + 25), 2 * total, 200)
        won = [2] * (wins // 2) + [1] * (wins % 2) + [0] * (50 - wins // 2 - wins % 2)
        sums = Sums(wins=BlockMoments.of([Moments(2, n) for n in won]), margins=margins)
        sides.append((replace(row[0], result=place_result(0, sums, 1, {})), *row[1:]))
    made = replace(found, sides=tuple(sides), leads=())
    best, *others = made.ranked
    difference = found.differences[0]
    leads = [
        replace(
            difference,
            side=best.side,
            baseline=other.side,
            wins=replace(difference.wins, mean=(best.result.win_rate or 0) - (other.result.win_rate or 0)),
            wins_p=p,
        )
        for other, p in zip(others, lead, strict=False)
    ]
    return replace(made, leads=tuple(leads))


@pytest.fixture
def two_arms(alice: Any) -> Results:
    return _at_its_end(factory.experiment(alice, [[FLAT, RANDOM], [seat("scripted"), RANDOM]]))


def _at_its_end(made: Any) -> Results:
    """Results with intervals and tests for one look."""
    made.status = made.Status.FINISHED
    return results(made)


@pytest.mark.parametrize(("arms", "has_marks"), [(5, True), (6, False)])
def test_more_arms_than_marks_carry_none(alice: Any, arms: int, has_marks: bool) -> None:
    lineups = [[seat("flat_mc", budget={"playouts": 1 + arm}), RANDOM] for arm in range(arms)]
    made = factory.played(alice, lineups, deals=1)
    assert table(made).has_marks is has_marks


def test_a_lead_that_holds_after_correction_is_told_as_one(two_arms: Results) -> None:
    told = finding(_with(two_arms, (60, 20.0), (50, 3.0), lead=[0.05]))
    assert told.startswith("Arm 0 does best against Random: it wins 60.0\u202f% of 100 matches (")
    assert "mean margin +20.0 ±" in told


def test_a_lead_that_does_not_hold_names_no_arm(two_arms: Results) -> None:
    told = finding(_with(two_arms, (55, 3.5), (60, 20.0), lead=[0.051]))
    assert told == (
        "The best arms do not differ yet against Random: win rates of all 2 from 55.0 to 60.0\u202f%,"
        " mean margins from +3.5 to +20.0."
    )


def test_arms_that_win_every_match_are_told_as_equals(two_arms: Results) -> None:
    told = finding(_with(two_arms, (100, 20.0), (100, 3.0), lead=[None]))
    assert told == "Both arms win every match against Random, mean margins from +3.0 to +20.0."


def test_a_lead_that_is_the_same_in_every_deal_is_judged_by_the_rates(two_arms: Results) -> None:
    assert finding(_with(two_arms, (100, 20.0), (0, -3.0), lead=[None])).startswith("Arm 0 does best")


def test_an_arm_that_has_played_alone_is_not_called_best(two_arms: Results) -> None:
    alone = _with(two_arms, (60, 20.0), (0, 0.0), lead=[])
    none = replace(alone.sides[1][0], result=place_result(0, Sums(), 1, {}))
    told = finding(replace(alone, sides=(alone.sides[0], (none, *alone.sides[1][1:]))))
    assert told.startswith("Arm 0 wins 60.0")
    assert told.endswith("no other arm has played yet.")


def test_a_difference_that_never_varies_has_words_instead_of_an_interval() -> None:
    same, fixed = (paired_from_sums(Moments(7, 7.0 * d, 7.0 * d * d), Moments(7), Moments(7), 0) for d in (0, 1))
    assert _paired(same, 100)[:2] == ("0.0", "no match differed in 7 deals")
    assert _paired(fixed, 100)[:2] == ("+100.0", "the same in all 7 deals")


@pytest.mark.parametrize(("lead", "is_told"), [([0.01, 0.04], True), ([0.01, 0.06], False), ([0.06, 0.01], False)])
def test_the_best_arm_must_beat_every_other(alice: Any, lead: list[float | None], is_told: bool) -> None:
    three = _at_its_end(factory.experiment(alice, [[FLAT, RANDOM], [seat("scripted"), RANDOM], [RANDOM, RANDOM]]))
    told = finding(_with(three, (60, 20.0), (50, 3.0), (55, 3.0), lead=lead))
    assert told.startswith("Arm 0 does best") == is_told
    assert ("The best arms do not differ yet" in told) != is_told


def test_p_values_say_what_follows_from_them() -> None:
    assert [p_words(p) for p in (None, 0.0001, 0.0125, 0.05, 0.051, 1.0)] == [
        "undefined",
        "below 0.001, differs",
        "0.013, differs",
        "0.050, differs",
        "0.051",
        "1.000",
    ]


def test_without_a_match_nothing_is_told(two_arms: Results) -> None:
    assert finding(two_arms) == ""


def test_two_sides_of_one_arm_are_named_both(alice: Any) -> None:
    told = finding(results(factory.played(alice, deals=4)))
    assert told.startswith(("Flat Monte Carlo", "Random"))
    assert told.endswith(".")


def test_a_rate_without_matches_is_none_and_one_match_has_a_wide_interval() -> None:
    assert rate(place_result(0, Sums(), 1, {})) is None
    shown = rate(place_result(0, Sums(wins=BlockMoments.of([Moments(1, 1.0)])), 1, {}))
    assert shown is not None
    assert (shown.text, shown.interval) == ("100.0\u202f%", "20.7 to 100.0")


def test_arms_that_shared_no_deal_are_told_apart_by_matches() -> None:
    same = independent_difference(Moments(3, 3.0, 3.0), Moments(4, 4.0, 4.0))
    assert _paired(same, 100, "matches")[:2] == ("0.0", "no match differed in 7 matches")
