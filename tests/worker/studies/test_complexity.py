"""The complexity study: specs, matches, populations, and a whole small study."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from games import registry as game_registry
from tests.games import walks
from worker.spec import SpecError
from worker.studies import complexity, registry
from worker.studies import spec as specs
from worker.studies.complexity import Complexity
from worker.studies.protocol import StudySpec

KIND = Complexity()


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setitem(game_registry.GAMES, "toy_secret", "games.toy.secret:SecretCards")


def study(game: str = "toy", seed: int = 1, **parameters: Any) -> StudySpec:
    chosen = {"player": "random", "matches": 3, "populations": 2, "paths": 10, **parameters}
    return specs.from_json({"version": 1, "study": "complexity", "game": game, "seed": seed, "parameters": chosen})


def rows(spec: StudySpec) -> dict[int, dict[str, Any]]:
    return {i: KIND.piece(spec, i) for i in range(KIND.num_pieces(spec))}


def test_the_kind_is_registered() -> None:
    assert isinstance(registry.get("complexity"), Complexity)


def test_a_named_player_is_written_out() -> None:
    spec = study(player="greedy")
    assert spec.parameters["player"] == {"engine": "scripted", "options": {"policy": "greedy"}, "budget": {}}
    assert specs.from_json(specs.to_json(spec)) == spec
    own = study(player={"engine": "flat_mc", "budget": {"playouts": 5}})
    assert own.parameters["player"]["budget"] == {"playouts": 5}


def test_bad_parameters_are_told(subtests: pytest.Subtests) -> None:
    for game, parameters, place, message in [
        ("toy", {"matches": 0}, "matches", "between 1 and 20000"),
        ("toy", {"paths": 1.5}, "paths", "whole number"),
        ("toy", {"player": "world champion"}, "player", "must be one of"),
        ("toy", {"player": {"engine": "nobody"}}, "player.engine", "must be one of"),
        ("toy", {"player": 5}, "player", "must be an object"),
        ("toy", {"people": 5}, "people", "unknown"),
        ("toy_secret", {}, "", "does not list all that may happen"),
    ]:
        with subtests.test(game=game, parameters=parameters, place=place, message=message):
            with pytest.raises(SpecError, match=message) as caught:
                KIND.complete_parameters(walks.game_of(game), parameters)
            assert caught.value.place == place


def test_the_form_asks_again_for_what_it_can_ask() -> None:
    toy = walks.game_of("toy")
    form = {"player": "greedy", "matches": 3, "populations": 2, "paths": 10}
    assert KIND.to_form(toy, study(player="greedy").parameters) == form
    with pytest.raises(SpecError, match="none that the form offers"):
        KIND.to_form(toy, study(player={"engine": "flat_mc", "budget": {"playouts": 5}}).parameters)


def test_pieces_are_matches_then_trees_then_boards() -> None:
    toy, carcassonne = study(), study("carcassonne")
    assert KIND.num_pieces(toy) == 3 + 2
    assert KIND.num_pieces(carcassonne) == 3 + 2 + 2
    kinds = [row["kind"] for _, row in sorted(rows(toy).items())]
    assert kinds == ["match"] * 3 + ["tree"] * 2
    assert 0 < KIND.seconds(toy) < KIND.seconds(carcassonne)


def test_a_match_counts_actions_and_outcomes() -> None:
    # six cards, two seats: a choice of two but for the last card; 6, 5, .. 1 cards to draw
    row = KIND.piece(study(), 0)
    assert row == {"kind": "match", "branching": [2, 2, 2, 2, 2, 1], "outcomes": [6, 5, 4, 3, 2, 1]}


def test_the_tree_of_cards_is_counted_exactly() -> None:
    # every path has the same choices: 6! orders of cards times 2^5 ways to hand them out
    row = KIND.piece(study(), 3)
    assert 10 ** row["leaves"] == pytest.approx(math.factorial(6) * 2**5)
    assert 10 ** row["levels"][1] == pytest.approx(12)


def test_pieces_depend_on_seed_and_number_alone() -> None:
    spec = study("carcassonne", matches=2, populations=1, paths=2)
    first, second = KIND.piece(spec, 0), KIND.piece(spec, 1)
    assert first == KIND.piece(spec, 0)
    assert first != second
    assert len(first["branching"]) == 71
    assert first["outcomes"][0] == 24
    assert first != KIND.piece(study("carcassonne", seed=2, matches=2), 0)
    boards = KIND.piece(spec, 3)
    assert boards == KIND.piece(spec, 3)
    assert boards["kind"] == "boards"
    assert len(boards["levels"]) == len(boards["marked"]) > 60


def test_a_whole_study_of_carcassonne() -> None:
    spec = study("carcassonne", player="greedy", matches=2, populations=2, paths=3)
    result = KIND.result(spec, rows(spec))
    json.dumps(result, allow_nan=False)
    assert result["branching"]["by_ply"][0]["n"] == 2
    assert 60 < result["tree"]["thesis"]["chance"] < 80
    assert 100 < result["tree"]["leaves"]["mean"] < 300
    # far beyond the thesis' bound of 5e40, which counts shapes alone
    assert result["states"]["boards"]["mean"] > 80
    assert result["states"]["meeples"]["mean"] > result["states"]["boards"]["mean"]
    assert result["published"]["tree"] == 194.944


def test_a_result_without_rows_and_of_a_game_without_boards() -> None:
    result = KIND.result(study(), {})
    assert (result["branching"]["mean"], result["states"], result["shapes"]) == (None, None, None)
    assert result["published"] is None


def test_known_games_have_sources() -> None:
    known = complexity.known_games()
    by_name = {row["game"]: row for row in known["games"]}
    assert (by_name["Chess"]["states"], by_name["Chess"]["tree"]) == (46, 123)
    assert (by_name["Go (19 x 19)"]["states"], by_name["Go (19 x 19)"]["tree"]) == (172, 360)
    assert all(row["source"] for row in known["games"])


@pytest.mark.parametrize(
    "game", [name for name in game_registry.ids() if not game_registry.get(name).traits.has_hidden_information]
)
def test_every_player_that_a_form_offers_plays_its_game_and_is_asked_again(game: str) -> None:
    offered = KIND.list_choices(game_registry.get(game))["player"]
    assert len(offered) > 1
    for name in offered:
        assert KIND.to_form(game_registry.get(game), study(game, player=name).parameters)["player"] == name


def test_a_spec_without_a_player_has_the_one_that_the_game_begins_with() -> None:
    for game, policy in (("carcassonne", None), ("kingdomino", "fg_plain")):
        asked = {"version": 1, "study": "complexity", "game": game, "seed": 1, "parameters": {}}
        assert specs.from_json(asked).parameters["player"]["options"].get("policy") == policy
