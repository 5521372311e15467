"""What pages say about complexity, from rows with known numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games import registry as game_registry
from webapp.lab.studies.presentations import registry as pages
from webapp.records.models import Study
from worker.studies import spec as specs
from worker.studies.complexity import Complexity

MATCHES = [
    {"kind": "match", "branching": [20, 60, 40], "outcomes": [24, 24, 23]},
    {"kind": "match", "branching": [30, 40, 40], "outcomes": [24, 23, 23]},
]
TREE = {"kind": "tree", "levels": [0.0, 2.5], "marked": [], "leaves": 201.0}
BOARDS = {"kind": "boards", "levels": [0.0, 2.0, 4.1], "marked": [1.9, 5.0, 8.0], "leaves": 4.1}


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")


def study_of(*rows: Any, game: str = "carcassonne") -> tuple[Study, dict[str, Any]]:
    data = {"version": 1, "study": "complexity", "game": game, "parameters": {"player": "greedy"}}
    return Study(kind="complexity", game=game), Complexity().result(specs.from_json(data), dict(enumerate(rows)))


def test_the_finding_says_what_is_sure() -> None:
    text = pages.finding(*study_of(*MATCHES, TREE, BOARDS))
    # 10^201 and 10^4.1 + 10^2 + 1 boards, a twentieth of each
    assert text == (
        "Carcassonne has 38.3 legal actions on average, at least 5.0·10¹⁹⁹ different matches "
        "and at least 635 different boards."
    )
    assert pages.finding(*study_of(*MATCHES)) == "Carcassonne has 38.3 legal actions on average."
    assert pages.finding(*study_of()) == ""


def test_facts_are_the_numbers_of_the_chapter() -> None:
    found = {fact.label: fact.value for fact in pages.facts(*study_of(*MATCHES, TREE, BOARDS))}
    assert found["Legal actions a ply"] == "38.3"
    assert found["Most legal actions"] == "60"
    assert found["Game tree, at least"] == "5.0·10¹⁹⁹"


def test_sections_of_carcassonne() -> None:
    sections = pages.sections(*study_of(*MATCHES, TREE, BOARDS))
    assert [section.title for section in sections] == ["Branching", "Game tree", "State space", "Other games"]
    by_ply, frequencies = sections[0].figures
    assert by_ply.rows[0][:3] == ["1", "2", "25.0"]
    assert [row[:2] for row in frequencies.rows] == [["20", "1"], ["30", "1"], ["40", "3"], ["60", "1"]]
    rows = {row[0]: row[1:] for row in sections[1].tables[0].rows}
    assert rows["Thesis"][:3] == ["3.7·10¹²³", "2.4·10⁷¹", "8.8·10¹⁹⁴"]
    assert rows["Leaves, sampled (1 population)"][2:] == ["1.0·10²⁰¹", "at least 5.0·10¹⁹⁹"]
    totals, shapes = sections[2].tables
    assert totals.rows[0][1] == "5.0·10⁴⁰"
    assert shapes.rows[0][:3] == ["46", "8.6·10²⁴", "7.0·10²⁵"]
    assert shapes.rows[-1][3] == "not known"
    assert sections[2].figures[0].rows[1][:3] == ["2", "2", "100"]


def test_other_games_stand_beside_the_thesis_and_this_study() -> None:
    figure = pages.sections(*study_of(*MATCHES, TREE, BOARDS))[-1].figures[0]
    assert [entry.label for entry in figure.legend] == ["Carcassonne, thesis", "Carcassonne, sampled", "Other games"]
    others, thesis, sampled = figure.data
    assert "Chess" in others["text"]
    assert (thesis["x"], thesis["y"]) == ([40.699], [194.944])
    assert sampled["y"] == [201.0]
    assert all(row[3] for row in figure.rows), "every figure has its source"


def test_everything_can_be_sent_as_json_at_any_stage() -> None:
    for rows in ((), MATCHES[:1], MATCHES, (*MATCHES, TREE), (TREE,), (BOARDS,)):
        for section in pages.sections(*study_of(*rows)):
            json.dumps([figure.to_json() for figure in section.figures], allow_nan=False)
            assert all(isinstance(cell, str) for table in section.tables for row in table.rows for cell in row)


def test_before_the_first_piece_there_is_nothing_to_see() -> None:
    sections = pages.sections(*study_of())
    assert sections[0].figures[0].empty == "No match of it has ended yet."
    assert sections[2].figures[0].empty == "No population of it has grown yet."


def test_a_game_without_boards_has_no_state_space() -> None:
    sections = pages.sections(*study_of(*MATCHES, TREE, game="toy"))
    assert [section.title for section in sections] == ["Branching", "Game tree", "Other games"]
    assert [entry.label for entry in sections[-1].figures[0].legend] == ["Other games"]


def test_wide_ranges_of_actions_are_drawn_as_bars_of_several_numbers() -> None:
    matches = [{"kind": "match", "branching": list(range(1, 301)), "outcomes": [1] * 300}]
    figure = pages.sections(*study_of(*matches))[0].figures[1]
    assert figure.rows[0] == ["0 to 4", "4", "1.33"]
    assert sum(figure.data[0]["y"]) == 300
