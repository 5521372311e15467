"""One kingdom's size: samples against exact numbers of small boards."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from games import registry as game_registry
from games import rng
from worker.counting.board import Board
from worker.spec import SpecError
from worker.studies import lone_steps, populations, registry
from worker.studies import spec as specs
from worker.studies.lone_kingdom import LoneKingdom
from worker.studies.protocol import StudySpec

KIND = LoneKingdom()


def study(**parameters: Any) -> StudySpec:
    return specs.from_json({"version": 1, "study": "lone_kingdom", "game": "kingdomino", "parameters": parameters})


def test_the_kind_is_registered() -> None:
    assert isinstance(registry.get("lone_kingdom"), LoneKingdom)


def test_bad_parameters_are_told() -> None:
    with pytest.raises(SpecError) as caught:
        study(paths=1)
    assert caught.value.place == "parameters.paths"
    with pytest.raises(SpecError, match="choose Kingdomino"):
        KIND.complete_parameters(game_registry.get("carcassonne"), {})


def test_first_dominoes_are_counted_exactly() -> None:
    # in the corner of 3 x 3: 2 cells beside the castle, 2 ways on from each; 36 dominoes two ways round, 12 one
    factor, after = lone_steps.ply(lone_steps.start(Board(3, 3, 0)), rng.new_stream(1, rng.ANALYSIS))
    assert factor == 4 * (36 * 2 + 12)
    assert len(after.laid) == 1
    assert lone_steps.removable(after) == 1


def test_a_domino_that_others_hang_on_cannot_go() -> None:
    board = Board(3, 1, 0)
    node = lone_steps.Node(Board(5, 1, 0), (lone_steps.CASTLE, 0, 0, 0, 1), ((1, 1, 2), (13, 3, 4)))
    assert lone_steps.removable(node) == 1
    full = lone_steps.Node(board, (lone_steps.CASTLE, 0, 0), ((1, 1, 2),))
    assert lone_steps.ply(full, rng.new_stream(1, rng.ANALYSIS))[0] == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("cell", "full", "ends"),
    [(0, 39_820_200, 40_290_076), pytest.param(4, 86_907_600, 91_339_536, marks=pytest.mark.slow)],
)
def test_kingdoms_of_three_by_three_are_estimated_without_bias(cell: int, full: int, ends: int) -> None:
    found = populations.count(
        lone_steps.start(Board(3, 3, cell)), lone_steps.kingdom, 1_500, rng.new_stream(3, rng.ANALYSIS)
    )
    # five seeds of this size spread by about 3 %
    assert 10 ** (found.levels[4] or 0) == pytest.approx(full, rel=0.12)
    assert 10 ** (found.leaves or 0) == pytest.approx(ends, rel=0.12)


def test_a_whole_study() -> None:
    spec = study(size="5", populations=2, paths=10)
    rows = {i: KIND.piece(spec, i) for i in range(2)}
    assert rows[0] == KIND.piece(spec, 0) != rows[1]
    told = json.loads(json.dumps(KIND.result(spec, rows), allow_nan=False))
    assert told["levels"][1]["tree"]["mean"] == pytest.approx(math.log10(8 * 3 / 2 * 84), abs=0.001)
    assert told["tree_ends"]["mean"] > told["kingdom_ends"]["mean"] > 15
    # the printed 24^18 is no bound
    assert told["printed"]["leaves"] == pytest.approx(18 * math.log10(24))
    assert told["tree_ends"]["mean"] > told["printed"]["leaves"]
    assert KIND.result(spec, {})["tree"]["mean"] is None
