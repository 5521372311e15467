"""Rounds and matches side by side: what is played, and what it comes to."""

from __future__ import annotations

from typing import Any

import pytest

from engines import registry as engine_registry
from games import registry as game_registry
from worker.spec import SpecError
from worker.studies import ladder, registry, teams
from worker.studies import spec as specs
from worker.studies.ladder import Ladder
from worker.studies.protocol import StudySpec

KIND = Ladder()
UNABLE = {"expectimax": "hides information", "strategy": "has no form for strategies"}
"""Engines that the ladder leaves out, and what of dominoes they refuse."""


def study(**parameters: Any) -> StudySpec:
    return specs.from_json({"version": 1, "study": "ladder", "game": "dominoes", "parameters": parameters, "seed": 5})


def test_bad_parameters_are_told() -> None:
    assert isinstance(registry.get("ladder"), Ladder)
    pair = {"label": "a", "one": "random", "other": "greedy"}
    for wrong, path in (
        ({"pairs": [pair, pair]}, "pairs"),
        ({"pairs": [pair], "one": "greedy"}, "pairs"),
        ({"pairs": [{**pair, "one": {"engine": "nobody"}}]}, "pairs[0].one"),
        ({"matches": 0}, "matches"),
    ):
        with pytest.raises(SpecError) as caught:
            study(**wrong)
        assert caught.value.place.startswith(f"parameters.{path}")
    game = game_registry.get("dominoes")
    asked = {"one": "pimc", "other": "greedy", "rounds": 3, "matches": 2}
    assert KIND.to_form(game, KIND.complete_parameters(game, asked)) == asked
    with pytest.raises(SpecError, match="more than"):
        KIND.to_form(game, KIND.complete_parameters(game, {"pairs": ladder.every_pair()}))


def test_the_ladder_has_every_player() -> None:
    spec = study(pairs=ladder.every_pair())
    met = {teams.name_of(pair["one"], ("one",)) for pair in spec.parameters["pairs"]}
    assert met == set(teams.PLAYERS) - {"greedy"}


def test_the_ladder_has_every_engine_that_can_play() -> None:
    game = game_registry.get("dominoes")
    met = {teams.player_seat(pair[side])["engine"] for pair in ladder.every_pair() for side in ("one", "other")}
    assert met == set(engine_registry.suitable(game))
    for engine, reason in UNABLE.items():
        assert reason in str(engine_registry.make_for(game, engine).refuses(game))


def test_every_deal_is_played_both_ways_in_both_units() -> None:
    spec = study(one="random", other="greedy", rounds=2, matches=1)
    rows = [KIND.piece(spec, index) for index in range(KIND.num_pieces(spec))]
    assert [(row["unit"], row["deal"]) for row in rows] == [("round", 0), ("round", 1), ("match", 0)]
    assert all(len(row["played"]) == 2 for row in rows)
    assert rows[0]["thought"][0][1] > 2
    assert max(abs(margin) for _, margin in rows[2]["played"]) > max(abs(margin) for _, margin in rows[0]["played"])


def test_what_is_won_is_worked_by_hand() -> None:
    spec = study(one="random", other="greedy", rounds=2, matches=1)
    thought = [[0.5, 10], [2.0, 10]]
    rows = {
        0: {"pair": 0, "unit": "round", "deal": 0, "played": [["win", 10], ["loss", -30]], "thought": thought},
        1: {"pair": 0, "unit": "round", "deal": 1, "played": [["draw", 0], ["win", 12]], "thought": thought},
    }
    (pair,) = KIND.result(spec, rows)["pairs"]
    rounds, matches = pair["round"], pair["match"]
    assert (rounds["deals"], rounds["wins"], rounds["draws"], rounds["losses"]) == (2, 2, 1, 1)
    assert (rounds["won"]["value"], rounds["points"]["mean"]) == (0.5, -2.0)
    # means of the deals are -10 and 6: deviation 11.31, error 8, and Student's 12.706 for one degree of freedom
    assert rounds["points"]["interval"] == pytest.approx([-2 - 8 * 12.706, -2 + 8 * 12.706], rel=1e-3)
    assert (matches["deals"], matches["won"]["value"]) == (0, None)
    assert pair["decision_s"] == [pytest.approx(0.05), pytest.approx(0.2)]


@pytest.mark.long
def test_teams_swapped_give_mirrored_results() -> None:
    """Both players draw nothing, so the same deals with the teams' names exchanged are the same rounds."""
    specs_of = [study(one=one, other=other, rounds=8) for one, other in (("shrewd", "greedy"), ("greedy", "shrewd"))]
    one, other = ([KIND.piece(spec, index)["played"] for index in range(8)] for spec in specs_of)
    mirrored = {"win": "loss", "loss": "win", "draw": "draw"}
    assert one == [[[mirrored[result], -margin] for result, margin in reversed(deal)] for deal in other]
    assert len({result for deal in one for result, _ in deal}) > 1
