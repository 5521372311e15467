"""The study of the best kingdom: bound, searches, what is known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games import registry as game_registry
from tests.worker.counting.rules import points_when_laid
from worker.counting.board import Board
from worker.spec import SpecError
from worker.studies import best_kingdom, registry
from worker.studies import spec as specs
from worker.studies.best_kingdom import BestKingdom
from worker.studies.protocol import StudySpec

KIND = BestKingdom()
POINTS = [128, 128, 126, 126]
"""Of 5 x 5 squares with the castle in corner, middle of an edge, beside the corner diagonally, centre."""


def study(**parameters: Any) -> StudySpec:
    return specs.from_json({"version": 1, "study": "best_kingdom", "game": "kingdomino", "parameters": parameters})


def test_the_kind_is_registered() -> None:
    assert isinstance(registry.get("best_kingdom"), BestKingdom)


def test_bad_parameters_are_told() -> None:
    for parameters, place in (({"size": "6"}, "size"), ({"boards": 0}, "boards"), ({"crowns": 1}, "crowns")):
        with pytest.raises(SpecError) as caught:
            study(**parameters)
        assert caught.value.place == f"parameters.{place}"
    with pytest.raises(SpecError, match="choose Kingdomino"):
        KIND.complete_parameters(game_registry.get("carcassonne"), {})


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


@pytest.mark.long
def test_five_by_five_is_decided_block_by_block() -> None:
    spec = study(size="5")
    assert KIND.num_pieces(spec) == 1 + 13
    row = KIND.piece(spec, 1)
    assert row["best"] == KIND.piece(spec, 1)["best"]
    told = KIND.result(spec, {1: row})
    assert (told["best"]["points"], told["is_proved"]) == (126, False)
    places = [(cell["column"], cell["row"]) for cell in KIND.result(study(size="5", castle="everywhere"), {})["cells"]]
    assert places == [(1, 1), (3, 1), (2, 2), (3, 3)]


@pytest.mark.slow
def test_no_kingdom_of_five_by_five_has_more_than_128_points() -> None:
    spec = study(size="5", castle="everywhere")
    rows = {i: KIND.piece(spec, i) for i in range(KIND.num_pieces(spec))}
    told = json.loads(json.dumps(KIND.result(spec, rows), allow_nan=False))
    assert told["is_proved"]
    assert told["best"]["points"] == told["bound"]["points"] == 128
    for cell in told["cells"]:
        board = Board(5, 5, cell["best"]["castle"])
        assert points_when_laid(board, [tuple(one) for one in cell["best"]["dominoes"]]) == cell["best"]["points"]
    assert [cell["best"]["points"] for cell in told["cells"]] == POINTS


@pytest.mark.long
def test_searches_are_their_own_and_come_again() -> None:
    spec = study(size="7", searches=2, boards=2, steps=20_000, box="all")
    assert KIND.num_pieces(spec) == 3
    first, second = KIND.piece(spec, 1)["best"], KIND.piece(spec, 2)["best"]
    assert first == KIND.piece(spec, 1)["best"] != second
    told = KIND.result(spec, {1: {"best": first, "cpu_s": 1.0}, 2: {"best": second, "cpu_s": 1.0}})
    assert told["best"]["points"] == max(first["points"], second["points"])
    assert sum(times for _, times in told["cells"][0]["points"]) == 2
    assert not told["is_proved"]
    bound = {"points": told["best"]["points"], "areas": {}}
    assert KIND.result(spec, {0: bound, 1: {"best": first, "cpu_s": 1.0}, 2: {"best": second, "cpu_s": 1.0}})[
        "is_proved"
    ]


def test_the_best_known_kingdom_is_legal() -> None:
    known = best_kingdom.known()["7"]
    board = Board(7, 7, known["castle"])
    laid = [tuple(one) for one in known["dominoes"]]
    assert len(laid) == 24
    assert points_when_laid(board, laid) == known["points"]
    bonuses = points_when_laid(board, laid, middle="full", harmony="full") - known["points"]
    assert bonuses == best_kingdom.BONUSES
