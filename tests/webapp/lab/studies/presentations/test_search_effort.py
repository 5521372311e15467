"""What pages say about search effort, from results with known numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines import bench_positions
from engines import registry as engine_registry
from games import registry as game_registry
from tests.worker.studies.test_search_effort import toy_positions
from webapp.lab.studies.presentations import registry as pages
from webapp.records.models import Study
from worker.studies import spec as specs
from worker.studies.search_effort import SearchEffort

STUDY = Study(kind="search_effort", game="toy")


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setitem(engine_registry.ENGINES, "counter", "tests.worker.studies.counters:Counter")
    monkeypatch.setattr(bench_positions, "load", lambda game_id: toy_positions() if game_id == "toy" else ())


def result(*factors: int, done: int | None = None) -> dict[str, Any]:
    """Runs of as many nodes for each legal action (2, 2 and 1 in the three positions)."""
    runs = [{"label": f"x{n} <b>", "engine": "counter", "options": {"factor": n}} for n in factors]
    data = {"version": 1, "study": "search_effort", "game": "toy", "parameters": {"runs": runs}}
    spec, kind = specs.from_json(data), SearchEffort()
    count = kind.num_pieces(spec) if done is None else done
    return kind.result(spec, {i: kind.piece(spec, i) for i in range(count)})


def test_the_finding_names_the_run_that_saves_most() -> None:
    text = pages.finding(STUDY, result(10, 5, 8))
    assert text == (
        "x5 <b> visits 50.0\u202f% fewer nodes than x10 <b> (95\u202f% interval 50.0 to 50.0), over 3 positions."
    )
    assert "No run visits fewer nodes" in pages.finding(STUDY, result(5, 10))
    assert pages.finding(STUDY, result(5)) == ""


def test_facts_are_the_cheapest_run_and_agreement() -> None:
    found = {fact.label: (fact.value, fact.small) for fact in pages.facts(STUDY, result(10, 5))}
    assert found["Fewest nodes"] == ("8", "x5 <b>, mean of 3 positions")
    assert found["Same value"][0] == "3 of 3"


def test_tables_hold_means_and_gains() -> None:
    runs, by_position = pages.sections(STUDY, result(10, 5))
    means, gains = runs.tables
    assert means.rows[0][:3] == ["x10 <b>", "3", "16.7"]
    assert gains.rows == [
        [
            "x5 <b>", "x10 <b>", "50.0", "50.0 to 50.0", "0.500", "0.500 to 0.500",
            "50.0", "50.0 to 50.0", "3 of 3", "3 of 3", "0.00", "0.0",
        ]
    ]  # fmt: skip
    nodes, ms = by_position.figures
    assert nodes.rows[0] == ["1", "middle", "level", "20", "10"]
    assert ms.rows[2] == ["3", "middle", "level", "10.00", "5.00"]


def test_figures_are_drawn_on_a_log_axis_with_a_line_a_run() -> None:
    runs, by_position = pages.sections(STUDY, result(10, 5, 8))
    gains, nodes = runs.figures[0], by_position.figures[0]
    assert [trace["x"] for trace in gains.data] == [[50.0], [pytest.approx(20)]]
    assert nodes.layout["yaxis"]["type"] == "log"
    assert [trace["y"] for trace in nodes.data] == [[20, 20, 10], [10, 10, 5], [16, 16, 8]]
    assert [entry.mark for entry in nodes.legend] == [0, 1, 2]
    text = json.dumps([figure.to_json() for figure in (gains, nodes)], allow_nan=False)
    assert "<b>" not in json.dumps([nodes.data, gains.layout]), "labels are escaped where Plotly reads markup"
    assert "&lt;b&gt;" in text


def test_more_runs_than_colours_change_their_dashes() -> None:
    nodes = pages.sections(STUDY, result(1, 2, 3, 4, 5, 6))[1].figures[0]
    assert nodes.data[0]["line"]["dash"] != nodes.data[5]["line"]["dash"]
    assert nodes.legend[5].label == "x6 <b> (dashed)"


def test_before_the_first_search_there_is_nothing_to_see() -> None:
    runs, by_position = pages.sections(STUDY, result(10, 5, done=0))
    assert runs.figures[0].empty == by_position.figures[0].empty == "No search of it has ended yet."
    assert runs.notes[-1] == "6 searches of it are not done."
    assert runs.tables[0].rows[0][2] == "undefined"
    assert pages.facts(STUDY, result(10, 5, done=0)) == ()


def test_a_run_without_nodes_is_left_out_of_the_log_axis() -> None:
    nodes = pages.sections(STUDY, result(0, 5))[1].figures[0]
    assert nodes.data[0]["y"] == []
    json.dumps(nodes.to_json(), allow_nan=False)
