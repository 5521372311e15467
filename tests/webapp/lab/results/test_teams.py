"""A game of teams: a team is one side, and whatever partners share is told once."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest
from django.http import QueryDict

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.by_hand import rate_bounds
from tests.webapp.lab.results.factory import RANDOM, seat
from webapp.lab.experiments import match_list
from webapp.lab.results import teams, units
from webapp.lab.results.selectors import results
from webapp.lab.results.sides import lineups
from webapp.lab.results.table import table
from webapp.records.models import Experiment, Seat

TIMES = "\N{MULTIPLICATION SIGN}"
GREEDY = seat("scripted", {"policy": "greedy"})


def _lineups(*rows: list[dict[str, Any]]) -> Any:
    arms = [{"name": f"Arm {i}", "seats": row} for i, row in enumerate(rows)]
    return lineups(Experiment(game="dominoes", spec={"arms": arms}))


def test_teams_are_named_by_their_engines() -> None:
    assert [group.name for group in teams.teams(["a", "b", "c", "b"])] == ["a + c", f"2 {TIMES} b"]
    assert [group.places for group in teams.teams(["a", "b", "c", "b"])] == [(0, 2), (1, 3)]
    assert [group.name for group in teams.teams(["a", "b", "b", "a"])] == ["a + b, team 1", "a + b, team 2"]
    assert [group.name for group in teams.teams(["a"] * 4)] == [f"2 {TIMES} a, team 1", f"2 {TIMES} a, team 2"]


def test_partners_of_one_engine_play_as_one_and_others_apart() -> None:
    assert teams.players(["a", "b", "c", "b"]) == [((0,), "a"), ((2,), "c"), ((1, 3), f"2 {TIMES} b")]
    assert [group.name for group in teams.players(["a", "b", "b", "a"])] == [
        "a, team 1",
        "b, team 1",
        "b, team 2",
        "a, team 2",
    ]


def test_one_arm_has_a_row_for_each_team() -> None:
    found = _lineups([GREEDY, RANDOM, RANDOM, RANDOM])
    assert [(side.name, side.mark) for side in found.parties[0]] == [
        ("greedy + Random", 0),
        (f"2 {TIMES} Random", 1),
    ]
    assert [(side.name, side.places) for side in found.players[0]] == [
        ("greedy", (0,)),
        ("Random", (2,)),
        (f"2 {TIMES} Random", (1, 3)),
    ]
    assert found.fair_share == 0.5


def test_arms_are_compared_by_the_team_of_the_engine_that_differs() -> None:
    found = _lineups([GREEDY, RANDOM, RANDOM, RANDOM], [GREEDY, RANDOM, GREEDY, RANDOM])
    assert (found.focus, found.focal_party, found.opponents) == (2, 0, f"2 {TIMES} Random")
    assert [(found.focal(arm).name, found.focal(arm).mark) for arm in (0, 1)] == [("Arm 0", 0), ("Arm 1", 1)]
    assert {row[1].mark for row in found.parties} == {None}, "the opponents of all are grey"
    assert [(side.name, side.mark) for side in found.players[1]] == [
        (f"2 {TIMES} greedy", 1),
        (f"2 {TIMES} Random", None),
    ]
    assert found.players[0][0].mark == 0


@pytest.mark.django_db
def test_partners_are_one_line_of_every_table(alice: Any) -> None:
    made = factory.played(alice, [[GREEDY, RANDOM]], deals=3, game="dominoes")
    found = results(made)
    ours, theirs = found.compared
    rows = Seat.objects.filter(experiment=made, seat__lt=2)
    assert ours.result.matches == theirs.result.matches == made.num_matches == 6, "two seatings of two teams"
    assert ours.result.wins == theirs.result.losses == rows.filter(lineup_index__in=(0, 2), result="win").count()
    assert [row.seat for row in ours.result.seats] == [0, 1]
    assert sum(row.matches for row in ours.result.seats) == 6
    by_deal: dict[int, list[bool]] = {}
    for row in rows.filter(lineup_index__in=(0, 2)):
        by_deal.setdefault(row.deal, []).append(row.result == "win")
    assert ours.result.win_rate_interval == pytest.approx(rate_bounds(list(by_deal.values())), abs=1e-6)

    first, second = found.seats
    assert first.matches == second.matches == 6
    assert first.wins == second.losses == rows.filter(seat=0, result="win").count()
    assert found.first.decisive == first.wins + second.wins
    assert found.first.fair_share == 0.5
    assert found.first.lead == pytest.approx(first.mean_margin)
    assert first.mean_margin == pytest.approx(mean(row.margin for row in rows.filter(seat=0)))

    shown = match_list.page(made, QueryDict(), 6).rows
    assert {row.scores.count(" : ") for row in shown} == {1}

    told = table(made)
    assert told.subtitle == "Win rate: share of matches that a team won"
    assert told.note.startswith("A match is a single round. A match is won by a team; draws count apart.")
    assert [row[0] for row in told.seats] == ["First and third seat", "Second and fourth seat"]
    assert "The first seat moves first" not in told.seats_note
    assert f"2 {TIMES} " in told.finding
    assert units.of_match(made) == "a single round"


@pytest.mark.django_db
def test_a_failure_is_its_teams(alice: Any) -> None:
    made = factory.experiment(alice, [[GREEDY, RANDOM]], deals=1, game="dominoes")
    factory.write(made, [factory.record(made, 0, 0, fail_at=4), factory.record(made, 0, 1)])
    failed = made.matches.get(status="failed").failure["seat"]
    assert [row.failures for row in results(made).compared] == [1 - failed % 2, failed % 2]
