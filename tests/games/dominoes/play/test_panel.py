"""What stands beside the board: points in words, tiles that a seat has not seen."""

from __future__ import annotations

import pytest

from games.dominoes import state as layout
from tests.games import walks
from tests.games.dominoes.tables import GAME, position


def test_unseen_tiles_are_those_of_others() -> None:
    state = position([[(1, 3), (3, 3)], [(1, 4)], [(5, 5)], [(6, 6)]], (1, 2), 0)
    rows = {row.label: row.left for row in GAME.panel(state, 0).stocks[0].rows}
    assert {label for label, left in rows.items() if left} == {"One four", "Double five", "Double six"}
    assert GAME.panel(state, None).stocks[0].left == 5


def test_the_note_tells_round_and_target() -> None:
    state = position([[(1, 3), (3, 3)], [(1, 4)], [(5, 5)], [(6, 6)]], (1, 2), 0)
    assert GAME.panel(state, 0).note == "Round 1. First to 100 loses."
    state[layout.DIRECTION] = 1
    assert GAME.panel(state, 0).note == "Round 1. First to 100 wins."
    single = position([[(1, 3)], [(1, 4)], [(5, 5)], [(6, 6)]], (1, 2), 0, length="round")
    assert GAME.panel(single, 0).note == "Round 1. A single round."


def test_tiles_held_are_counted() -> None:
    state = walks.turns("dominoes")[10]
    for seat, (supply,) in enumerate(GAME.panel(state, None).supplies):
        assert (supply.left, supply.total) == (state[layout.COUNT + seat], 7)


def test_where_tiles_may_be_is_reckoned_for_the_own_seat_alone() -> None:
    state = position([[(1, 3), (3, 3)], [(1, 4)], [(5, 5)], [(6, 6)]], (1, 2), 0)
    rows = {row.label: row.places for row in GAME.panel(state, 0).stocks[0].rows}
    assert [seat for seat, _ in rows["Double five"]] == [1, 2, 3]
    assert [share for _, share in rows["Double five"]] == pytest.approx([1 / 3] * 3)
    assert rows["One three"] == (), "in the own hand"
    assert all(row.places == () for row in GAME.panel(state, None).stocks[0].rows)
    state[layout.LACKS + 1] = 1 << 5 | 1 << 6
    known = {row.label: dict(row.places) for row in GAME.panel(state, 0).stocks[0].rows}
    assert known["One four"][1] == pytest.approx(1.0), "seat 1 has none of the others"
