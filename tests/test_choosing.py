"""What ``./lab test --quick`` leaves out."""

from __future__ import annotations

import pytest

from tests.choosing import is_quick

OTHERS = frozenset({"carcassonne", "dominion", "dominoes"})
QUICK = (
    "tests/games/kingdomino/test_perft.py::test_game_counts_as_many_sequences",
    "tests/games/kingdomino/kernels/test_rules.py::test_dominoes_lie_side_by_side",
    "tests/games/test_contract_rules.py::test_nothing_changes_its_argument[toy]",
    "tests/webapp/table/live/test_ply_writer.py::test_a_ply",
)
OTHER = (
    "tests/games/dominoes/test_traces.py::test_game_replays_trace",
    "tests/games/test_contract_rules.py::test_nothing_changes_its_argument[dominion]",
    "tests/webapp/lab/studies/presentations/test_dominoes.py::test_rows",
    "tests/journey/test_play.py::test_two_people_play[Kingdomino]",
    "tests/ops/test_up.py::test_it_starts",
)


@pytest.mark.parametrize("nodeid", [*QUICK, *OTHER])
def test_toys_and_one_game_without_programs_are_quick(nodeid: str) -> None:
    assert is_quick(nodeid, {"db", "game"}, OTHERS) == (nodeid in QUICK)


def test_neither_a_browser_nor_another_game_is_quick() -> None:
    assert not is_quick(QUICK[0], {"page", "browser"}, OTHERS)
    assert not is_quick(QUICK[0], {"carcassonne"}, OTHERS)
