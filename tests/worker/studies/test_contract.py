"""What every kind of study promises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from games import options as option_tools
from games import registry as game_registry
from games.protocol import Game
from worker.spec import SpecError
from worker.studies import registry
from worker.studies import spec as specs

with_a_form = pytest.mark.parametrize(
    "kind", [kind for kind in map(registry.get, registry.ids()) if hasattr(kind, "options")], ids=lambda kind: kind.id
)


def begun(kind: Any) -> Iterator[tuple[Game, dict[str, Any]]]:
    """Games that the kind is for, with the values that its form begins with."""
    for game in map(game_registry.get, game_registry.ids()):
        offered = kind.list_choices(game) if hasattr(kind, "list_choices") else {}
        if not all(offered.values()):
            continue
        values = option_tools.to_json(kind.options()) | {name: choices[0] for name, choices in offered.items()}
        try:
            kind.complete_parameters(game, values)
        except SpecError:
            continue
        yield game, values


@pytest.mark.parametrize("study_id", registry.ids())
def test_a_kind_describes_itself(study_id: str) -> None:
    kind = registry.get(study_id)
    assert kind.id == study_id
    assert kind.version
    assert kind.label
    assert kind.summary.endswith(".")


@with_a_form
def test_what_a_form_begins_with_is_a_study_of_some_game(kind: Any) -> None:
    games = 0
    for game, values in begun(kind):
        data = {"version": 1, "study": kind.id, "game": game.id, "parameters": values, "seed": 1}
        spec = specs.from_json(data)
        assert kind.complete_parameters(game, spec.parameters) == spec.parameters, "what was checked is complete"
        assert json.loads(json.dumps(spec.parameters, allow_nan=False)) == spec.parameters
        assert kind.num_pieces(spec) >= 1
        assert kind.seconds(spec) > 0
        games += 1
    assert games


@with_a_form
def test_a_form_can_say_what_was_asked(kind: Any) -> None:
    for game, values in begun(kind):
        parameters = kind.complete_parameters(game, values)
        assert (kind.to_form(game, parameters) if hasattr(kind, "to_form") else parameters) == values


@with_a_form
def test_there_is_a_result_before_there_are_rows(kind: Any) -> None:
    for game, values in begun(kind):
        spec = specs.from_json({"version": 1, "study": kind.id, "game": game.id, "parameters": values, "seed": 1})
        assert json.dumps(kind.result(spec, {}), allow_nan=False)
