"""The study of the best kingdom: bound, searches, what is known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games import registry as game_registry
from tests.worker.counting.rules import points_when_laid
from worker.checks import SpecError
from worker.counting.board import Board
from worker.studies import best_kingdom, registry
from worker.studies import spec as specs
from worker.studies.best_kingdom import BestKingdom
from worker.studies.protocol import StudySpec

KIND = BestKingdom()


def study(**parameters: Any) -> StudySpec:
    return specs.from_json({"version": 1, "study": "best_kingdom", "game": "kingdomino", "parameters": parameters})


def test_the_kind_is_registered() -> None:
    assert isinstance(registry.get("best_kingdom"), BestKingdom)


def test_bad_parameters_are_told() -> None:
    for parameters, place in (({"size": "6"}, "size"), ({"boards": 5}, "boards"), ({"crowns": 1}, "crowns")):
        with pytest.raises(SpecError) as caught:
            study(**parameters)
        assert caught.value.path == f"parameters.{place}"
    with pytest.raises(SpecError, match="choose Kingdomino"):
        KIND.checked(game_registry.get("carcassonne"), {})


def test_three_by_three_is_proved_part_by_part() -> None:
    spec = study(size="3", castle="everywhere")
    assert KIND.num_pieces(spec) == 1 + 3 * 17
    rows = {0: KIND.piece(spec, 0), 1: KIND.piece(spec, 1)}
    told = json.loads(json.dumps(KIND.result(spec, rows), allow_nan=False))
    assert told["bound"]["points"] == 36
    assert told["cells"][0]["done"] == 1
    assert not told["is_proved"]
    full = {"points": 36, "castle": 0, "dominoes": []}
    done = dict(enumerate([rows[0]] + [{"kind": "board", "best": full, "cpu_s": 0.0}] * 51))
    assert KIND.result(spec, done)["is_proved"]


def test_searches_are_their_own_and_come_again() -> None:
    spec = study(size="5", searches=2, boards=20, steps=150)
    assert KIND.num_pieces(spec) == 3
    first, second = KIND.piece(spec, 1)["best"], KIND.piece(spec, 2)["best"]
    assert first == KIND.piece(spec, 1)["best"] != second
    told = KIND.result(spec, {1: {"best": first, "cpu_s": 1.0}, 2: {"best": second, "cpu_s": 1.0}})
    assert told["best"]["points"] == max(first["points"], second["points"])
    assert sum(times for _, times in told["cells"][0]["points"]) == 2


def test_castles_that_allow_no_full_kingdom_are_left_out() -> None:
    spec = study(size="5", castle="everywhere", searches=1)
    places = [(cell["column"], cell["row"]) for cell in KIND.result(spec, {})["cells"]]
    assert places == [(1, 1), (3, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize(("size", "points"), [("5", 124)])
def test_the_best_known_kingdoms_are_legal(size: str, points: int) -> None:
    known = best_kingdom.known()[size]
    board = Board(int(size), int(size), known["castle"])
    laid = [tuple(one) for one in known["dominoes"]]
    assert len(laid) == int(size) ** 2 // 2
    assert points_when_laid(board, laid) == known["points"] >= points
    bonuses = points_when_laid(board, laid, middle="full", harmony="full") - known["points"]
    assert bonuses == (best_kingdom.BONUSES if known["castle"] == int(size) ** 2 // 2 else 5)
