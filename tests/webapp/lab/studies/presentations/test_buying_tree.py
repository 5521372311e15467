"""What pages say about the tree of one player's turns, before its first piece and after each."""

from __future__ import annotations

from typing import Any

from tests.webapp.lab.studies.presentations.test_counting import by_title, stages
from webapp.common.formats import THIN
from webapp.lab.studies.presentations import registry as pages
from webapp.records.models import Study


def all_stages(turns: int) -> list[tuple[Study, dict[str, Any]]]:
    return list(stages("buying_tree", game="dominion", turns=turns))


def test_a_tree_is_told_turn_by_turn_beside_the_printed_numbers() -> None:
    told = all_stages(5)
    assert pages.finding(*told[0]) == ""
    assert not pages.facts(*told[0])
    assert by_title(*told[0])["Nodes by turn"].figures[0].empty
    assert pages.finding(*told[1]) == "The tree of 2 turns has 99 nodes, as printed, turn by turn."
    assert pages.finding(*told[-1]) == f"The tree of 5 turns has 681{THIN}365 nodes, as printed, turn by turn."
    figure = by_title(*told[-1])["Nodes by turn"].figures[0]
    assert figure.rows[3] == ["4", f"4{THIN}280", f"17{THIN}274", *(2 * [f"23{THIN}631"]), "11.4", "11.4"]
    assert figure.data[-1]["y"] == figure.data[0]["y"] == [21, 99, 2077, 23631, 681365]


def test_the_first_turn_stands_whole_in_a_table() -> None:
    told = all_stages(1)[-1]
    assert pages.finding(*told) == "The tree of one turn has 21 nodes, as printed, turn by turn."
    (table,) = by_title(*told)["The first turn"].tables
    assert table.rows[1] == ["4 Copper, 1 Estate", "4", "Copper, Silver, Estate, nothing", "4"]
    assert table.note == "The root, 4 hands and 16 nodes below them: 21."


def test_turns_beyond_the_printed_ones_are_not_called_printed() -> None:
    study, found = all_stages(6)[-1]
    more = found["by_turn"][-1] | {"turn": 7, "nodes": "324274797", "factor": 21.1}
    longer = found | {"by_turn": [*found["by_turn"], more]}
    assert pages.finding(study, longer) == f"The tree of 7 turns has 324{THIN}274{THIN}797 nodes."
    wrong = found | {"by_turn": [found["by_turn"][0] | {"nodes": "22"}]}
    assert pages.finding(study, wrong) == "The tree of one turn has 22 nodes, unlike the printed numbers."
