"""The study that counts boards: specs, rows, results beside the published numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games import registry as game_registry
from worker.counting.board import Board
from worker.counting.packings import Layouts
from worker.spec import SpecError
from worker.studies import registry, wong_kang
from worker.studies import spec as specs
from worker.studies.protocol import StudySpec
from worker.studies.tilings import Tilings

KIND = Tilings()


def study(seed: int = 7, **parameters: Any) -> StudySpec:
    return specs.from_json(
        {"version": 1, "study": "tilings", "game": "kingdomino", "seed": seed, "parameters": parameters}
    )


def result(spec: StudySpec) -> dict[str, Any]:
    """Through JSON and back, as rows and results are kept."""
    found = {i: json.loads(json.dumps(KIND.piece(spec, i))) for i in range(KIND.num_pieces(spec))}
    told: dict[str, Any] = json.loads(json.dumps(KIND.result(spec, found), allow_nan=False))
    return told


def test_the_kind_is_registered() -> None:
    assert isinstance(registry.get("tilings"), Tilings)


def test_bad_parameters_are_told(subtests: pytest.Subtests) -> None:
    for parameters, place, message in [
        ({"width": 0}, "width", "between 1 and 16"),
        ({"height": "five"}, "height", "whole number"),
        ({"rule": "chess"}, "rule", "must be one of"),
        ({"width": 4, "height": 4}, "start", "must be none"),
        ({"start": "none"}, "start", "cannot cover 25 squares"),
        ({"rule": "grown", "start": "none"}, "start", "grows from it"),
        ({"width": 3, "height": 5, "start": "cell", "column": 4}, "column", "between 1 and 3"),
        ({"width": 3, "height": 5, "start": "cell", "row": 6}, "row", "between 1 and 5"),
        ({"width": 12, "height": 13, "rule": "packings", "start": "none"}, "width", "at most 11"),
        ({"width": 13, "height": 11, "rule": "grown"}, "height", "at most 9"),
        ({"width": 15, "height": 15}, "shown", "must be 0"),
        ({"rule": "crowns"}, "width", "odd number of 3 to 9 squares"),
        ({"width": 2, "height": 4, "rule": "terrain"}, "width", "8 squares"),
        ({"colour": "red"}, "colour", "unknown"),
    ]:
        with subtests.test(parameters=parameters, place=place, message=message):
            with pytest.raises(SpecError, match=message) as caught:
                study(**parameters)
            assert caught.value.place == f"parameters.{place}"


def test_other_games_have_no_boards_of_dominoes() -> None:
    with pytest.raises(SpecError, match="choose Kingdomino"):
        KIND.complete_parameters(game_registry.get("carcassonne"), {})


@pytest.mark.long
def test_every_number_survives_json_whole() -> None:
    found = result(study(width=13, height=13, start="anywhere", shown=0))
    number = "1560858753560238398528"
    assert found["total"] == {"complete": number, "determinant": number}
    assert int(number) > 2**53


@pytest.mark.long
def test_five_by_five_beside_the_report() -> None:
    found = result(study(rule="grown"))
    assert found["total"] == {"ends": "275764", "complete": "2180"}
    printed = [(row["printed"], row["as_read"], row["correct"]) for row in found["published"]]
    assert printed == [("303388", "303388", "275764"), ("2768", "2768", "2180")]
    any_position = result(study(rule="packings", shown=0))["published"][0]
    assert (any_position["as_read"], any_position["correct"]) == ("311892", "275764")
    impossible = [(cell["column"], cell["row"]) for cell in found["cells"] if not cell["may_be_full"]]
    assert impossible == [(2, 1), (3, 2)]
    assert all(cell["counts"]["complete"] == "0" for cell in found["cells"] if not cell["may_be_full"])


def test_one_start_cell_is_not_enough_for_the_printed_number() -> None:
    found = result(study(start="cell", column=3, row=3))
    assert found["total"]["complete"] == "196"
    assert [row["as_read"] for row in found["published"]] == [None]


def test_even_boards_and_three_by_three() -> None:
    for size, number in ((2, "2"), (4, "36"), (6, "6728"), (8, "12988816")):
        found = result(study(width=size, height=size, start="none", shown=0))
        assert [row["as_read"] for row in found["published"]] == [row["printed"] for row in found["published"]]
        assert found["total"]["complete"] == number
    found = result(study(width=3, height=3, rule="grown"))
    assert [(row["printed"], row["as_read"], row["correct"]) for row in found["published"]] == [
        ("144", "144", "114"),
        ("24", "24", "18"),
    ]


@pytest.mark.long
def test_kingdoms_by_terrain_beside_the_report() -> None:
    found = result(study(width=3, height=3, rule="terrain", shown=2))
    assert [(row["printed"], row["as_read"], row["correct"]) for row in found["published"]] == [
        ("989421", "994074", "1777701"),
        ("801973", "806334", "1399173"),
    ]
    assert found["total"] == {"ends": "1777701", "complete": "1399173"}


@pytest.mark.slow
def test_kingdoms_as_the_report_searched_them() -> None:
    found = result(study(width=3, height=3, rule="first_touch", shown=0))
    assert [row["as_read"] for row in found["published"]] == ["989421", "801973"]
    assert found["total"] == {"ends": "989421", "complete": "801973"}


@pytest.mark.slow
def test_kingdoms_with_crowns() -> None:
    found = result(study(width=3, height=3, rule="crowns", shown=0))
    assert found["total"]["ends"] == "66758245"
    assert found["total"]["complete"] == "61181701"
    assert [row["as_read"] for row in found["published"]] == ["35066656", "32414932", "36", "36"]
    assert {cell["row"] * 3 + cell["column"] - 4: cell["best"]["points"] for cell in found["cells"]} == {
        0: 36,
        1: 21,
        4: 24,
    }


def test_crowns_are_counted_part_by_part() -> None:
    spec = study(width=3, height=3, rule="crowns", start="cell", column=2, row=1, shown=0)
    assert KIND.num_pieces(spec) == 17
    row = KIND.piece(spec, 3)
    told = KIND.result(spec, {3: row})["cells"][0]
    assert (told["counts"], told["done"], told["parts"]) == (None, 1, 17)
    assert told["best"]["points"] == row["best"]["points"] > 0


def test_pictures_are_layouts_of_the_rule_and_come_again_with_the_seed() -> None:
    spec = study(width=5, height=3, rule="grown", shown=8)
    last = KIND.num_pieces(spec) - 1
    boards = KIND.piece(spec, last)["boards"]
    assert boards == KIND.piece(spec, last)["boards"]
    assert boards != KIND.piece(study(8, width=5, height=3, rule="grown", shown=8), last)["boards"]
    for board in boards:
        layouts = Layouts("grown", Board(5, 3, board["castle"]))
        assert tuple(map(tuple, board["slots"])) in {layouts[i].slots for i in range(layouts.num)}
    first = study(width=3, height=3, start="cell", column=2, row=2, shown=9, picked="first")
    assert [board["number"] for board in KIND.piece(first, 1)["boards"]] == ["1", "2"]
    every = study(width=3, height=3, start="anywhere", shown=60)
    assert [board["number"] for board in KIND.piece(every, 1)["boards"]] == [str(i + 1) for i in range(18)]
    nothing = study(width=3, height=3, start="cell", column=2, row=1)
    assert KIND.piece(nothing, 1)["boards"] == []


def test_drawn_layouts_are_even() -> None:
    spec = study(width=3, height=3, start="anywhere", shown=15)
    boards = [
        board
        for seed in range(120)
        for board in KIND.piece(StudySpec("tilings", "kingdomino", spec.parameters, seed), 1)["boards"]
    ]
    often = [sum(board["number"] == str(i + 1) for board in boards) for i in range(18)]
    # 1,800 draws of 18: 100 each, standard deviation 9.7
    assert 60 < min(often) <= max(often) < 140


def test_the_estimate_grows_with_the_board_and_covers_the_gallery() -> None:
    small, large = KIND.seconds(study(width=7, height=7, shown=0)), KIND.seconds(study(width=13, height=13, shown=0))
    assert 0 < small < large < KIND.seconds(study(width=13, height=13))


def test_printed_numbers_have_a_reading() -> None:
    assert {row["way"] for row in wong_kang.printed_numbers()} == {"plain", "four", "once", "best"}
    assert all(row["reading"] and row["correct_is"] for row in wong_kang.printed_numbers())
