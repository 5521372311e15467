"""The thesis' comparisons on Carcassonne, with the engine itself."""

from __future__ import annotations

import pytest

from tests.games import walks
from worker.studies import spec as specs
from worker.studies.search_effort import SETS, SearchEffort

KIND = SearchEffort()


@pytest.mark.parametrize("name", SETS)
def test_every_named_set_fits_the_engine(name: str) -> None:
    checked = KIND.complete_parameters(walks.game_of("carcassonne"), {"set": name, "depth": 2, "bounds": "dynamic"})
    assert all(run["options"]["bounds"] == "dynamic" for run in checked["runs"])
    assert KIND.to_form(walks.game_of("carcassonne"), checked)["set"] == name


def test_pruning_keeps_every_value_and_visits_no_more_nodes() -> None:
    parameters = {"set": "algorithms", "depth": 2, "positions": [14, 20, 31]}
    spec = specs.from_json({"version": 1, "study": "search_effort", "game": "carcassonne", "parameters": parameters})
    result = KIND.result(spec, {i: KIND.piece(spec, i) for i in range(KIND.num_pieces(spec))})
    whole, *pruning = result["runs"]
    for run in pruning:
        assert run["compared"]["same_value"] == 3
        assert 0 < run["nodes"]["mean"] < whole["nodes"]["mean"]
