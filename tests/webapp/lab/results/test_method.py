"""Which intervals a page shows, and what it says of them: for one look at the planned end, for every look before."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.looping import looped
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.common.formats import UNDEFINED
from webapp.lab.results import method as methods
from webapp.lab.results.selectors import results, results_at_every_look
from webapp.lab.results.table import table
from webapp.records.models import Experiment
from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.methods import FIXED, AlwaysValid

pytestmark = pytest.mark.django_db

Status = Experiment.Status
GREEDY = seat("scripted", {"policy": "greedy"})
RULE = {"rule": "sprt", "on": "margin", "h0": 0.0, "h1": 5.0, "alpha": 0.05, "beta": 0.05}


def of(owner: Any, margins: list[tuple[int, int]], status: str = Status.RUNNING, **changes: Any) -> Experiment:
    """Two arms, on each deal with these margins in both seatings, of as many more deals that are planned."""
    made = factory.experiment(owner, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=2 * len(margins), **changes)
    ended = [
        factory.decided(made, arm, 2 * deal + turn, 40 + margins[deal][arm], 40)
        for arm in range(2)
        for deal in range(len(margins))
        for turn in range(2)
    ]
    factory.write(made, ended)
    return factory.over(made, status)


ALIKE = [(3, -2), (-4, 5), (2, 3), (-1, -6), (6, 2), (-5, -3), (1, 4), (-2, -1)]
"""No difference to be seen."""
APART = [(-3, 4), (2, 9), (-4, 5), (-1, 6), (-2, 8), (-1, 7), (-3, 5), (-5, 3), (-2, 6), (-4, 2), (-1, 9), (-2, 4)]
"""Arm 1 wins always, arm 0 one of twelve deals."""


@looped("status, rule, is_fixed", [
    (Status.RUNNING, None, False),
    (Status.PAUSED, None, False),
    (Status.STOPPED, None, False),
    (Status.FINISHED, None, True),
    (Status.FINISHED, {"rule": "fixed"}, True),
    (Status.RUNNING, RULE, False),
    (Status.FINISHED, RULE, False),
    (Status.STOPPED, RULE, False),
])  # fmt: skip
def test_intervals_for_one_look_come_with_the_planned_end_alone(status: str, rule: Any, is_fixed: bool) -> None:
    made = Experiment(status=status, spec={"deals": 40, **({"stop": rule} if rule else {})})
    assert methods.method(made) == (FIXED if is_fixed else AlwaysValid(40))
    assert methods.always_valid(made) == AlwaysValid(40)


@pytest.mark.long
def test_while_it_runs_a_difference_is_seen_or_not_yet_and_has_no_p(alice: Any) -> None:
    """By the interval alone. The note says when the other one comes."""
    for margins, said in ((ALIKE, "not yet"), (APART, "differs")):
        made = of(alice, margins)
        shown, found = table(made), results(made)
        (row,) = shown.differences
        assert (shown.is_always_valid, shown.every_look) == (True, ())
        assert (row.cells[0], row.cells[3], row.cells[6]) == (str(len(margins)), said, said)
        assert found.differences[0].wins_p is None
        for difference in (found.differences[0].wins, found.differences[0].points):
            assert difference.interval is not None
            assert difference.p is None
            assert (difference.interval.low > 0) == (said == "differs")
        planned = 8 * len(margins)
        assert f"The narrower ones for one look are shown once all {planned} matches are played." in shown.note
        assert "two differ as soon as the interval leaves out 0" in shown.differences_note
        assert "p is" not in shown.differences_note


@pytest.mark.long
def test_the_page_of_what_runs_has_no_p(alice: Any, client: Client) -> None:
    client.force_login(alice)
    for status, head in ((Status.RUNNING, "So far"), (Status.STOPPED, "So far"), (Status.FINISHED, "p")):
        made = of(alice, APART, status)
        page = re.sub(r"\s+", " ", client.get(f"/experiments/{made.pk}/").content.decode())
        heads = re.findall(r'<th scope="col" class="num">(So far|p(?: \(Holm\))?)</th>', page)
        assert heads == [head, head]
        assert ("What held at every look" in page) == (status == Status.FINISHED)


@pytest.mark.long
def test_at_the_planned_end_both_kinds_are_there(alice: Any) -> None:
    made = of(alice, APART, Status.FINISHED)
    shown, one, every = table(made), results(made), results_at_every_look(made)
    assert not shown.is_always_valid
    assert "They are for one look, at its end; those that held at every look are below." in shown.note
    assert shown.differences[0].cells[3].endswith("differs")  # after its p
    names = [row.name for row in shown.every_look]
    assert names == ["Arm 0", "Arm 1", "Arm 1 less Arm 0"]
    for narrow, wide in (
        (one.compared[1].result.margin_interval, every.compared[1].result.margin_interval),
        (one.compared[0].result.win_rate_interval, every.compared[0].result.win_rate_interval),
        (one.differences[0].points.interval, every.differences[0].points.interval),
        (one.differences[0].wins.interval, every.differences[0].wins.interval),
    ):
        assert isinstance(narrow, Interval)
        assert isinstance(wide, Interval)
        assert wide.low < narrow.low < narrow.high < wide.high
    low, high = every.compared[1].result.margin_interval or (0, 0)
    assert shown.every_look[1].margin == f"+{low:.1f} to +{high:.1f}"
    low, high = every.differences[0].points.interval or (0, 0)
    assert shown.every_look[2].margin == f"+{low:.1f} to +{high:.1f}"


@pytest.mark.long
def test_what_was_stopped_by_hand_keeps_what_it_showed(alice: Any) -> None:
    running, stopped = of(alice, APART), of(alice, APART, Status.STOPPED)
    before, after = table(running), table(stopped)
    assert after.is_always_valid
    assert [row.cells for row in before.differences] == [row.cells for row in after.differences]
    assert [row.rate for row in before.rows] == [row.rate for row in after.rows]
    assert "It ended before all planned matches were played, so only these are shown." in after.note
    assert after.every_look == ()


@pytest.mark.long
def test_under_a_rule_intervals_for_one_look_are_never_shown(alice: Any) -> None:
    for status, words in (
        (Status.RUNNING, "There are no others, since its stop rule may end it after any deal."),
        (Status.FINISHED, "A stop rule decided when it ended, so only these are shown."),
        (Status.STOPPED, "It ended before all planned matches were played, so only these are shown."),
    ):
        shown = table(of(alice, APART, status, stop=RULE))
        assert (shown.is_always_valid, shown.every_look) == (True, ())
        assert words in shown.note


def test_of_few_deals_no_difference_in_points_is_known(alice: Any) -> None:
    """Four deals are too few for an interval; that they were all the same is said only where it is so."""
    for margins, points in (
        (ALIKE[:4], UNDEFINED),
        ([(1, 4)] * 4, "the same in all 4 deals"),
        ([(2, 2)] * 4, "no match differed in 4 deals"),
    ):
        (row,) = table(of(alice, margins)).differences
        assert (row.cells[5], row.cells[6]) == (points, "not yet")


def test_the_best_arm_is_named_once_its_interval_says_so(alice: Any) -> None:
    assert table(of(alice, ALIKE)).finding.startswith("No difference is shown yet between Arm 1 and Arm 0:")
    assert table(of(alice, APART)).finding.startswith("Arm 1 wins 91.7 percentage points more of its matches")


def test_several_arms_share_the_error_of_a_column(alice: Any) -> None:
    made = factory.experiment(alice, [[FLAT, RANDOM], [GREEDY, RANDOM], [RANDOM, GREEDY]], deals=9)
    ended = [factory.decided(made, arm, i, 40 + (7 * arm + 3 * i) % 5, 41) for arm in range(3) for i in range(14)]
    factory.write(made, ended)
    found = results(made)
    assert [row.confidence for row in found.differences] == [pytest.approx(1 - (1 - CONFIDENCE) / 2)] * 2
    method = methods.always_valid(made)
    for row in found.differences:
        assert row.points.interval is not None
        assert row.points.blocks == 7
    assert "each at 97.50\u202f%, so that all 2 of a column hold together" in table(made).differences_note
    assert method.planned == 9
