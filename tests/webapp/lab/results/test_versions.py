"""Versions of game and engines that played: named, and counted apart where there are several."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.by_hand import rate_bounds
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from tests.webapp.pages import markup
from tests.webapp.specs import RANDOM as SPECIFIED_RANDOM
from tests.webapp.specs import make
from webapp.common.formats import percent, span
from webapp.lab.results.selectors import focal_results, results
from webapp.lab.results.table import table
from webapp.lab.results.versions import mixed, versions
from webapp.records.models import Experiment, Seat

pytestmark = pytest.mark.django_db
SCRIPTED = seat("scripted", {"policy": "greedy"})
ARMS = [
    {"name": "A", "seats": [{"engine": "scripted"}, SPECIFIED_RANDOM]},
    {"name": "B", "seats": [SPECIFIED_RANDOM, SPECIFIED_RANDOM]},
]
GREEDY = "Scripted policy: greedy"
FIRST, SECOND = ({"carcassonne": "1", "scripted": version, "random": "1"} for version in "12")


def test_every_match_of_every_arm_counts(alice, played):
    experiment = played(alice, arms=ARMS, deals=4)
    experiment.matches.filter(arm_index=0, deal=0, rotation=0).update(versions={"carcassonne": "1", "scripted": "1"})
    experiment.matches.filter(arm_index=0, deal=2, rotation=0).update(versions={"carcassonne": "1", "scripted": "3"})
    experiment.matches.filter(arm_index=0, deal=3, rotation=1).update(versions={"carcassonne": "1", "scripted": "2"})
    assert versions(experiment) == "carcassonne 1, random 1, scripted 1, scripted 2, scripted 3"


def test_one_match_counts_alone(alice, played):
    experiment = played(alice, deals=2)
    experiment.matches.filter(deal=1).update(versions={"carcassonne": "9"})
    assert versions(experiment, experiment.matches.filter(deal=1).first()) == "carcassonne 9"


def test_nothing_played_is_no_version(alice):
    assert versions(make(alice)) == ""


def _played(owner: Any, *changes_at: int, **changes: Any) -> Experiment:
    """Six deals of one arm, each at a match of its own played on by the next version of the engine."""
    made = factory.experiment(owner, [[SCRIPTED, RANDOM]], deals=6, **changes)
    records = []
    for ordinal in range(12):
        version = str(1 + sum(ordinal >= at for at in changes_at))
        records.append(factory.record(made, 0, ordinal, versions=FIRST | {"scripted": version}))
    factory.write(made, records)
    return factory.over(made, Experiment.Status.FINISHED)


def _won(made: Experiment, *deals: int) -> list[list[bool]]:
    rows = list(Seat.objects.filter(experiment=made, lineup_index=0, arm_index=0))
    return [[row.result == "win" for row in rows if row.deal == deal] for deal in deals]


def _cells(made: Experiment) -> list[tuple[str, ...]]:
    rows = table(made).by_version
    return [(row.side.name, row.versions, row.matches, row.rate, row.interval) for row in rows]


def _expected(won: list[list[bool]]) -> tuple[str, str]:
    return percent(mean(map(mean, won))), span(*(100 * end for end in rate_bounds(won)))


def test_an_arm_of_two_versions_is_counted_apart_and_said(alice: Any, client: Any) -> None:
    made = _played(alice, 4)
    assert results(made).sides[0][0].result.matches == 12, "above all of them"
    assert _cells(made) == [
        (GREEDY, "scripted 1", "4", *_expected(_won(made, 0, 1))),
        (GREEDY, "scripted 2", "8", *_expected(_won(made, 2, 3, 4, 5))),
    ]
    margins = [row.margin for row in table(made).by_version]
    rows = Seat.objects.filter(experiment=made, lineup_index=0, deal__lt=2)
    assert margins[0].startswith(f"{mean(row.margin for row in rows):+.1f}".replace("-", "\u2212"))
    client.force_login(alice)
    page = markup(client.get(f"/experiments/{made.pk}/"))
    assert "Several versions." in page
    assert "scripted 2" in page


def test_a_deal_of_two_versions_is_in_neither_row(alice: Any) -> None:
    made = _played(alice, 5)
    assert results(made).sides[0][0].result.matches == 12
    assert _cells(made) == [
        (GREEDY, "scripted 1", "4", *_expected(_won(made, 0, 1))),
        (GREEDY, "scripted 2", "6", *_expected(_won(made, 3, 4, 5))),
    ]


def test_three_versions_have_three_rows(alice: Any) -> None:
    assert [row[1:3] for row in _cells(_played(alice, 4, 8))] == [
        ("scripted 1", "4"),
        ("scripted 2", "4"),
        ("scripted 3", "4"),
    ]


def test_one_version_has_no_warning(alice: Any, client: Any) -> None:
    made = _played(alice)
    assert table(made).by_version == ()
    client.force_login(alice)
    assert "Several versions." not in markup(client.get(f"/experiments/{made.pk}/"))


def test_arms_of_other_engines_are_no_other_versions(alice: Any) -> None:
    made = factory.experiment(alice, [[SCRIPTED, RANDOM], [FLAT, RANDOM]], deals=1)
    of_arm = (FIRST, {"carcassonne": "1", "flat_mc": "4", "random": "1"})
    factory.write(made, [factory.record(made, arm, i, versions=of_arm[arm]) for arm in range(2) for i in range(2)])
    assert mixed(made) == []
    assert table(made).by_version == ()


def test_arms_that_were_played_by_different_versions_are_told(alice: Any) -> None:
    """Whatever differs between them may be the version's."""
    made = factory.experiment(alice, [[SCRIPTED, RANDOM], [FLAT, RANDOM], [RANDOM, RANDOM]], deals=1)
    of_arm = (FIRST, FIRST | {"random": "2"}, {"carcassonne": "1"})
    ordinals = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
    factory.write(made, [factory.record(made, arm, i, versions=of_arm[arm]) for arm, i in ordinals])
    assert [row[:3] for row in _cells(made)] == [("Arm 0", "random 1", "2"), ("Arm 1", "random 2", "2")]


def test_a_repeat_of_another_version_is_still_a_repeat(alice: Any) -> None:
    """Of equal matches the first counts; a deal whose repeats have another version is whole with neither."""
    made = factory.experiment(alice, [[FLAT, FLAT]], deals=2, rotation="turns")
    played_by = (FIRST, FIRST, FIRST, SECOND)
    factory.write(made, [factory.record(made, 0, i, versions=played_by[i]) for i in range(4)])
    factory.over(made)
    assert results(made).sides[0][0].result.matches == 2
    assert [row[1:3] for row in _cells(made)] == [("scripted 1", "1"), ("scripted 2", "0")]


def test_rows_by_version_read_the_seats_once(alice: Any) -> None:
    made = _played(alice, 4, 8)
    version = mixed(made)[0][0].json
    results(made)
    with CaptureQueriesContext(connection) as queries:
        focal_results(made, version)
    assert sum("records_seat" in row["sql"] for row in queries) == 1
