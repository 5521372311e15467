"""Playout speed: specs, pieces, and results worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from games import registry as game_registry
from tests.games import walks
from worker.spec import SpecError
from worker.studies import registry
from worker.studies import spec as specs
from worker.studies.playout_speed import PlayoutSpeed, piece_of
from worker.studies.protocol import StudySpec

KIND = PlayoutSpeed()


def study(game: str = "toy", **parameters: Any) -> StudySpec:
    return specs.from_json({"version": 1, "study": "playout_speed", "game": game, "parameters": parameters})


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setitem(game_registry.GAMES, "secret", "games.toy.secret:SecretCards")


def test_the_kind_is_registered() -> None:
    assert isinstance(registry.get("playout_speed"), PlayoutSpeed)


def test_a_spec_is_completed_and_the_form_gets_it_back() -> None:
    spec = study(matches=3)
    game = walks.game_of("toy")
    assert spec.parameters["seats"] == game.traits.max_seats
    assert spec.parameters["driver"] == "greedy"
    assert [run["policy"] for run in spec.parameters["runs"]] == ["random", "greedy"]
    assert specs.from_json(specs.to_json(spec)) == spec
    assert KIND.to_form(game, spec.parameters) == {"matches": 3, "seconds": 0.05}
    own = study(runs=[{"label": "half", "policy": "greedy", "epsilon": 0.5}])
    with pytest.raises(SpecError, match="none that the form offers"):
        KIND.to_form(game, own.parameters)


def test_errors_name_their_place(subtests: pytest.Subtests) -> None:
    for parameters, path in [
        ({"matches": 0}, "parameters.matches"),
        ({"seats": 9}, "parameters.seats"),
        ({"driver": "best"}, "parameters.driver"),
        ({"runs": [{"label": "a", "policy": "best"}]}, "parameters.runs[0]"),
        ({"runs": [{"label": "a", "policy": "random", "epsilon": 2}]}, "parameters.runs[0].options.epsilon"),
        ({"runs": [{"label": "a", "policy": "random"}] * 2}, "parameters.runs[1].label"),
        ({"what": 1}, "parameters.what"),
    ]:
        with subtests.test(parameters=parameters, path=path):
            with pytest.raises(SpecError) as error:
                study(**parameters)
            assert error.value.place.startswith(path)


def test_games_with_hidden_information_are_refused() -> None:
    with pytest.raises(SpecError, match="flat Monte Carlo does not play it"):
        study("secret")


def test_every_ply_of_seat_0_is_measured_with_every_policy() -> None:
    spec = study(matches=2, seconds=0.001, seats=2)
    pieces = [piece_of(spec, index) for index in range(KIND.num_pieces(spec))]
    plies = max(ply for _, _, ply in pieces)
    assert len(set(pieces)) == len(pieces) == 2 * 2 * plies
    rows = {index: KIND.piece(spec, index) for index in range(len(pieces))}
    assert all(row["playouts"] > 0 and row["cpu_s"] > 0 for row in rows.values())
    result = KIND.result(spec, rows)
    assert [row["ply"] for row in result["runs"][1]["plies"]] == list(range(1, plies + 1))
    assert {row["matches"] for run in result["runs"] for row in run["plies"]} == {2}
    assert result["missing"] == 0


def test_rates_are_means_over_matches() -> None:
    spec = study(matches=3, seats=2)
    plies = KIND.num_pieces(spec) // 6
    rows = {
        0: {"match": 0, "run": 0, "ply": 1, "playouts": 100, "cpu_s": 0.1},
        2 * plies: {"match": 1, "run": 0, "ply": 1, "playouts": 300, "cpu_s": 0.1},
        4 * plies: {"match": 2, "run": 0, "ply": 1, "playouts": 0, "cpu_s": 0.0},  # a match without this ply
    }
    (row,) = KIND.result(spec, rows)["runs"][0]["plies"]
    assert (row["matches"], row["per_s"]) == (2, 2000)
    assert row["interval"][1] - 2000 == pytest.approx(12.7062 * 1000, rel=1e-4)
    assert KIND.result(spec, {})["runs"][0]["plies"] == []
