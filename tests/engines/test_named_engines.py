"""Named configurations: each can be played as it stands, and says where it comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines import named_engines, registry
from games import registry as game_registry
from tests.looping import looped
from worker import spec as specs

SPECS = Path(__file__).parent / "specs"


@looped("row", named_engines.all_named)
def test_a_named_configuration_fits_its_games(row: named_engines.NamedEngine) -> None:
    assert row.label
    assert row.summary.endswith(".")
    for game_id in row.games:
        data = {"engine": row.engine, "options": row.options, "budget": row.budget}
        seat = specs.seat_from_json(data, ("seat",), game_id)
        assert seat.budget.to_json() == row.budget
        begun = registry.complete_options(row.engine, game_registry.get(game_id), row.options)
        assert registry.make(row.engine, begun).refuses(game_registry.get(game_id)) is None
        assert row in named_engines.for_game(game_id)
    assert named_engines.get(row.id) is row


def test_ids_are_unique_and_unknown_ones_unknown() -> None:
    ids = [row.id for row in named_engines.all_named()]
    assert len(set(ids)) == len(ids)
    with pytest.raises(KeyError, match="deep_thought"):
        named_engines.get("deep_thought")


def test_the_thesis_program_peeks_and_ours_does_not() -> None:
    for row in named_engines.for_game("dominion"):
        assert registry.peeks(row.engine, row.options) == bool(row.source)


@looped("path", sorted(SPECS.glob("jansen_*.json")))
def test_the_experiments_of_the_thesis_can_be_run(path: Path) -> None:
    spec = specs.from_json(json.loads(path.read_text(encoding="utf-8")))
    assert spec.game == "dominion"
    variant = named_engines.get(path.stem.removeprefix("jansen_").removesuffix("_bmfsm"))
    for arm in spec.arms:
        seat = arm.seats[0]
        assert (seat.engine, seat.budget.to_json(), seat.peeks) == (variant.engine, variant.budget, True)
        assert arm.seats[1].options["policy"] in arm.name
