"""Search effort: specs, pieces, and results worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from engines import bench_positions
from engines import registry as engine_registry
from games import registry as game_registry
from tests.games import walks
from worker.spec import SpecError
from worker.studies import registry, search_effort
from worker.studies import spec as specs
from worker.studies.protocol import StudySpec
from worker.studies.search_effort import SearchEffort, named_runs

KIND = SearchEffort()
A_RUN = {"label": "a", "engine": "counter"}


def toy_positions() -> tuple[bench_positions.Position, ...]:
    """Two seats' turns in a match of six cards: two legal actions each, one at the last card."""
    history, found = walks.history("toy"), []
    for number, length in enumerate((1, 5, 11), start=1):
        found.append(
            bench_positions.Position("toy", number, "middle", "level", 2, {"cards": 6}, tuple(history[:length]))
        )
    return tuple(found)


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setitem(engine_registry.ENGINES, "counter", "tests.worker.studies.counters:Counter")
    monkeypatch.setattr(bench_positions, "load", lambda game_id: toy_positions() if game_id == "toy" else ())


def study(*runs: dict[str, Any], seed: int = 1, **parameters: Any) -> StudySpec:
    rows = [{"label": f"run {i}", "engine": "counter", **run} for i, run in enumerate(runs)]
    data = {"version": 1, "study": "search_effort", "game": "toy", "seed": seed}
    return specs.from_json({**data, "parameters": {"runs": rows, **parameters}})


def whole(spec: StudySpec) -> dict[str, Any]:
    return KIND.result(spec, {i: KIND.piece(spec, i) for i in range(KIND.num_pieces(spec))})


def test_the_kind_is_registered() -> None:
    assert isinstance(registry.get("search_effort"), SearchEffort)


def test_a_spec_is_completed_and_stays_as_it_is() -> None:
    spec = study({"options": {"factor": 3}}, {"against": 1})
    first, second = spec.parameters["runs"]
    assert first["options"] == {"factor": 3, "extra": 0, "last": False, "luck": False, "illegal": False}
    assert (first["budget"], first["against"], second["against"]) == ({"depth": 1}, 0, 1)
    assert spec.parameters["positions"] == "all"
    assert specs.from_json(specs.to_json(spec)) == spec


def test_bad_parameters_are_told(subtests: pytest.Subtests) -> None:
    for parameters, place, message in [
        ({"runs": []}, "runs", "must be a list of 1 to 24"),
        ({"runs": [{"engine": "counter"}]}, "runs[0].label", "is missing"),
        ({"runs": [A_RUN | {"seat": 1}]}, "runs[0].seat", "unknown field"),
        ({"runs": [{"label": "a", "engine": "nobody"}]}, "runs[0].engine", "must be one of"),
        ({"runs": [A_RUN | {"options": {"factor": -1}}]}, "runs[0].options.factor", "between"),
        ({"runs": [A_RUN | {"budget": {"nodes": 5}}]}, "runs[0].budget.nodes", "takes depth"),
        ({"runs": [A_RUN | {"against": 1}]}, "runs[0].against", "must be 0"),
        ({"runs": [A_RUN] * 2}, "runs[1].label", "another run"),
        ({"runs": [A_RUN], "depth": 2}, "depth", "named set"),
        ({"runs": [A_RUN], "positions": [4]}, "positions[0]", "from 1 to 3"),
        ({"runs": [A_RUN], "positions": [2, 2]}, "positions", "twice"),
        ({"runs": [A_RUN], "positions": "some"}, "positions", '"all" or a list'),
        ({"run": []}, "run", "unknown field"),
        ({"set": "everything"}, "set", "must be one of"),
        ({"set": "orders", "depth": 9}, "depth", "between 1 and 3"),
    ]:
        with subtests.test(parameters=parameters, place=place, message=message):
            with pytest.raises(SpecError, match=message) as caught:
                KIND.complete_parameters(walks.game_of("toy"), parameters)
            assert caught.value.place == place


def test_a_game_without_stored_positions_is_told() -> None:
    with pytest.raises(SpecError, match="no positions of Secret cards are stored"):
        KIND.complete_parameters(walks.game_of("toy_secret"), {"set": "orders"})


def test_pieces_take_the_runs_of_a_position_together() -> None:
    spec = study({}, {"options": {"last": True}}, positions=[3, 1])
    assert KIND.num_pieces(spec) == 4
    rows = [KIND.piece(spec, i) for i in range(4)]
    assert [(row["position"], row["run"]) for row in rows] == [(1, 0), (1, 1), (3, 0), (3, 1)]
    assert rows[0]["legal"] == 2
    assert rows[0]["action"] != rows[1]["action"]
    assert rows[1]["notation"].endswith("to seat 1")
    assert KIND.seconds(spec) > 0


def test_luck_depends_on_seed_and_position_alone() -> None:
    lucky = {"options": {"luck": True}}
    spec = study(lucky, lucky)
    nodes = [KIND.piece(spec, i)["nodes"] for i in range(6)]
    assert nodes == [KIND.piece(spec, i)["nodes"] for i in range(6)]
    assert nodes[0] == nodes[1] != nodes[2], "runs of a position meet the same stream, positions their own"
    assert KIND.piece(study(lucky, seed=2), 0)["nodes"] != nodes[0]


def test_an_illegal_answer_fails_its_piece() -> None:
    with pytest.raises(ValueError, match="not legal in position 1"):
        KIND.piece(study({"options": {"illegal": True}}), 0)


def test_means_gains_and_ratios_of_known_costs() -> None:
    # positions 1 and 2 have two legal actions, position 3 (the last card) has one
    spec = study({"options": {"factor": 10}}, {"options": {"factor": 5}}, {"options": {"extra": 7}, "against": 1})
    result = whole(spec)
    base, half, other = result["runs"]
    assert [row["nodes"] for row in result["positions"][0]["runs"]] == [20, 10, 9]
    assert [row["nodes"] for row in result["positions"][2]["runs"]] == [10, 5, 8]
    assert base["nodes"]["mean"] == pytest.approx(50 / 3)
    # 20, 20, 10: deviation 10 / sqrt 3, error 10 / 3, t(0.975; 2) = 4.3027
    assert base["nodes"]["interval"] == pytest.approx([50 / 3 - 43.027 / 3, 50 / 3 + 43.027 / 3], rel=1e-4)
    assert base["ms"]["mean"] == pytest.approx(50 / 3), "a thousandth of a second a node"
    assert base["compared"] is None
    assert half["compared"]["nodes"] == {
        "gain": {"value": pytest.approx(50), "interval": pytest.approx([50, 50])},
        "ratio": {"value": pytest.approx(0.5), "interval": pytest.approx([0.5, 0.5])},
    }
    # 9, 9, 8 against 10, 10, 5: mean 26 / 25, and the geometric mean of 0.9, 0.9, 1.6
    assert other["compared"]["nodes"]["gain"]["value"] == pytest.approx(-4)
    assert other["compared"]["nodes"]["ratio"]["value"] == pytest.approx((0.9 * 0.9 * 1.6) ** (1 / 3))
    assert (half["compared"]["same_action"], half["compared"]["same_value"]) == (3, 3)
    assert half["compared"]["error"] == {"mean": 0.0, "interval": [0.0, 0.0], "largest": 0.0}
    assert result["missing"] == 0


def test_a_result_without_all_pieces_compares_what_both_have() -> None:
    spec = study({"options": {"factor": 10}}, {"options": {"factor": 5}})
    rows = {i: KIND.piece(spec, i) for i in (0, 2, 3)}
    result = KIND.result(spec, rows)
    assert [run["positions"] for run in result["runs"]] == [2, 1]
    assert result["runs"][1]["compared"]["positions"] == 1
    assert result["runs"][1]["compared"]["nodes"]["gain"] == {"value": pytest.approx(50), "interval": None}
    assert result["missing"] == 3
    assert result["positions"][2]["runs"] == [None, None]
    empty = KIND.result(spec, {})
    assert empty["runs"][1]["nodes"] == {"mean": None, "interval": None}
    assert empty["runs"][1]["compared"]["nodes"]["gain"] == {"value": None, "interval": None}


def test_the_form_asks_again_for_what_it_can_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = walks.game_of("toy")
    form = {"set": "probing", "depth": 3, "bounds": "dynamic"}
    assert KIND.to_form(toy, KIND.complete_parameters(toy, form)) == form
    for other in (study({}).parameters, KIND.complete_parameters(toy, {**form, "positions": [1]})):
        with pytest.raises(SpecError, match="not those of a named comparison"):
            KIND.to_form(toy, other)


def test_named_sets_are_those_of_the_thesis() -> None:
    orders = named_runs("orders", 2, "fixed")
    assert [run["against"] for run in orders] == [0, 0, 0, 3, 3, 3]
    assert {run["options"]["bounds"] for run in orders} == {"fixed"}
    probing = named_runs("probing", 2, "fixed")
    assert [run["options"].get("probing") for run in probing] == [None, 2, 3, 4, 5, 6, 7]
    assert [run["options"]["algorithm"] for run in named_runs("algorithms", 2, "dynamic")] == [
        "expectimax", "star1", "star2", "star2.5",
    ]  # fmt: skip
    assert named_runs("deepening", 3, "fixed")[1]["options"]["deepening"] is True


def test_the_error_of_values_is_how_far_they_are_apart() -> None:
    assert search_effort._error([(1.0, 4.0), (2.0, 1.0), (None, 1.0)]) == {
        "mean": 2.0,
        "interval": [pytest.approx(2 - 12.706205), pytest.approx(2 + 12.706205)],  # t(0.975; 1), deviation sqrt 2
        "largest": 3.0,
    }
    assert search_effort._error([]) == {"mean": None, "interval": None, "largest": None}


def test_forward_pruning_is_compared_with_star25_that_is_else_the_same() -> None:
    first, *others = named_runs("forward", 2, "fixed")
    assert first["options"] == {"bounds": "fixed", "algorithm": "star2.5"}
    assert {run["against"] for run in others} == {0}
    assert [run["options"].get("forward_reduction") for run in others] == [None, 1, 1, 1, 2, 2, 2]
