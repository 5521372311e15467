"""The kind `regret`: what it takes, and that it finds what players give away where that is known."""

from __future__ import annotations

from typing import Any

import pytest

from engines import bench_positions
from games import registry as game_registry
from worker.spec import SpecError
from worker.studies import pieces, regret
from worker.studies import spec as specs
from worker.studies.protocol import StudySpec
from worker.studies.regret import Regret

GREEDY = {"name": "Greedy", "engine": "scripted", "options": {"policy": "greedy"}}
RANDOM = {"name": "Random", "engine": "random"}


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setitem(game_registry.GAMES, "toy_secret", "games.toy.secret:SecretCards")


def study(game: str = "toy", seed: int = 3, **parameters: Any) -> StudySpec:
    given = {"players": [GREEDY, RANDOM], "positions": 30, "playouts": 60, **parameters}
    return specs.from_json({"version": 1, "study": "regret", "game": game, "parameters": given, "seed": seed})


def rows(spec: StudySpec) -> dict[int, dict[str, Any]]:
    outcomes = [pieces.carry_out(spec, index) for index in range(Regret().num_pieces(spec))]
    assert not [outcome.failure for outcome in outcomes if outcome.failure]
    return {outcome.index: outcome.row for outcome in outcomes if outcome.row is not None}


@pytest.mark.parametrize("game", ["toy", "toy_secret"])
def test_who_plays_as_the_playouts_do_gives_away_less_than_chance(game: str) -> None:
    greedy, random = Regret().result(study(game), rows(study(game)))["players"]
    assert (greedy["name"], random["name"]) == ("Greedy", "Random")
    assert random["loss"]["interval"][0] > greedy["loss"]["interval"][1]
    assert greedy["best"]["value"] > random["best"]["value"]


def test_the_best_action_costs_nothing_and_equal_choices_cost_the_same() -> None:
    spec = study(players=[GREEDY, {**GREEDY, "name": "Twin"}, RANDOM])
    for row in rows(spec).values():
        assert row["num_legal"] > 1, "a position without a choice says nothing"
        by_action = dict(zip(row["actions"], row["losses"], strict=True))
        assert [by_action[action] for action in row["actions"]] == row["losses"]
        assert by_action.get(row["best"], 0.0) == 0.0


def test_all_play_on_by_the_policy_that_is_named() -> None:
    asked = {"positions": 4, "playouts": 20}
    usual, named = study("dominion", **asked), study("dominion", policy="double_witch", **asked)
    other = study("dominion", policy="learned", **asked)
    assert rows(named) == rows(usual), "DoubleWitch is the strongest level that is a policy"
    assert rows(other) != rows(usual)
    assert Regret().result(other, {})["by"] == "the learned policy"
    assert "policy" not in usual.parameters, "what was stored before policies could be named is the same study"


def test_a_piece_depends_on_the_spec_and_its_number_alone() -> None:
    assert Regret().piece(study(), 4) == Regret().piece(study(), 4)
    assert Regret().piece(study(), 4) != Regret().piece(study(seed=4), 4)


def test_stored_positions_come_first_where_they_are_of_these_rules() -> None:
    spec = specs.from_json(
        {"version": 1, "study": "regret", "game": "carcassonne", "parameters": {"positions": 2}, "seed": 1}
    )
    first = bench_positions.load("carcassonne")[0]
    game = game_registry.get("carcassonne")
    state, ply = regret.position(spec, 0)
    assert (state == first.state(game)).all()
    assert ply == first.ply(game)


@pytest.mark.parametrize(
    ("parameters", "path", "words"),
    [
        ({"players": []}, ("parameters", "players"), "no levels"),
        ({"players": [GREEDY, GREEDY]}, ("parameters", "players", 1, "name"), "another player"),
        ({"players": [{**RANDOM, "engine": "agent:somebody"}]}, ("parameters", "players", 0, "engine"), "agents"),
        (
            {"players": [{"name": "A", "engine": "flat_mc", "budget": {"seconds_per_ply": 1}}]},
            ("parameters", "players", 0, "budget"),
            "other than seconds",
        ),
        ({"positions": 1}, ("parameters", "positions"), "between 2"),
        ({"seats": 1}, ("parameters", "seats"), "whole number"),
        ({"policy": "best"}, ("parameters", "policy"), "one of random"),
    ],
)
def test_what_cannot_be_asked_is_refused_where_it_stands(parameters: Any, path: Any, words: str) -> None:
    with pytest.raises(SpecError, match=words) as caught:
        study(**parameters)
    assert caught.value.path == path


def test_before_there_are_rows_there_are_players_without_figures() -> None:
    found = Regret().result(study(), {})
    assert [(row["name"], row["loss"]["mean"], row["best"]["value"]) for row in found["players"]] == [
        ("Greedy", None, None),
        ("Random", None, None),
    ]
