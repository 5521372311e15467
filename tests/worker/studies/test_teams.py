"""Teams of dominoes: matches walked ply by ply, and rules that are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games import registry as game_registry
from games.protocol import TERMINAL
from tests.worker import fakes
from worker import schedule
from worker import spec as specs
from worker.spec import SpecError
from worker.studies import spec as studies
from worker.studies import teams


def test_players_think_within_what_is_left_of_their_match(
    dice: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fakes.Clocked, "offered", [])
    match = schedule.match_spec(specs.from_json(dice(("clocked", "taker"))), 0, 0)
    players = [course.player for course in teams.courses(match)]
    assert (players[-1], len(players)) == (TERMINAL, 2 * fakes.TURNS + 1)
    assert [budget.seconds_per_match for budget in fakes.Clocked.offered] == [10.0, 7.0, 4.0]


def test_a_deal_has_the_same_luck_both_ways_whoever_plays() -> None:
    """Equal players have one seating in experiments; the numbers of a study's deals do not hang on that."""
    study = studies.from_json(
        {"version": 1, "study": "ladder", "game": "dominoes", "parameters": {"one": "greedy"}, "seed": 5}
    )
    greedy, random = (teams.player_seat(name) for name in ("greedy", "random"))
    for one, other in ((greedy, random), (greedy, greedy)):
        for deal in (0, 3):
            matches = list(teams.matches(study, one, other, deal, teams.UNITS["round"]))
            assert [(match.deal, match.rotation) for match in matches] == [(deal, 0), (deal, 1)]
            assert {match.deal_seed for match in matches} == {schedule.deal_seed(5, deal)}


def test_rules_that_do_not_go_together_are_refused() -> None:
    game = game_registry.get("dominoes")
    with pytest.raises(SpecError) as caught:
        teams.rules({"target": 0}, ("rules",), game)
    assert caught.value.place == "rules.target"
    assert teams.rules("round", ("rules",), game) == dict(teams.UNITS["round"])
