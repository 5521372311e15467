"""Numbers of move sequences with a fixed order of tiles, counted beforehand by the reference."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from games.protocol import CHANCE
from tests.games.carcassonne.reference import Match
from tests.games.carcassonne.tables import GameTable, ReferenceTable
from tests.looping import looped

POSITIONS = json.loads((Path(__file__).parent / "perft.json").read_text())


def count_by_reference(match: Match, tiles: list[str]) -> int:
    """Sequences of moves with these tiles; a tile that fits nowhere ends a sequence uncounted."""
    if not match.can_go_on() or not match.draw(tiles[0]):
        return 0
    moves = match.legal_moves()
    if len(tiles) == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = copy.deepcopy(match)
        after.play(move)
        total += count_by_reference(after, tiles[1:])
    return total


def count_by_game(table: GameTable, state: Any, outcomes: list[int]) -> int:
    """The same through the face of the real game."""
    if table.game.is_terminal(state):
        return 0
    state = table.game.apply(state, outcomes[0])
    if table.game.current_player(state) == CHANCE:
        return 0
    actions = table.game.legal_actions(state)
    if len(outcomes) == 1:
        return len(actions)
    return sum(count_by_game(table, table.game.apply(state, int(action)), outcomes[1:]) for action in actions)


@looped("position", POSITIONS)
def test_game_counts_as_many_sequences(position: dict[str, Any]) -> None:
    table = GameTable(position["seats"], **position["rules"])
    table.play(*position["moves"])
    outcomes = [table.outcome(letter) for letter in position["tiles"]]
    for depth, count in enumerate(position["counts"], 1):
        assert count_by_game(table, table.state, outcomes[:depth]) == count, f"depth {depth}"


def assert_reference_counts(position: dict[str, Any], depths: range) -> None:
    table = ReferenceTable(position["seats"], **position["rules"])
    table.play(*position["moves"])
    for depth in depths:
        found = count_by_reference(copy.deepcopy(table.match), position["tiles"][:depth])
        assert found == position["counts"][depth - 1], f"depth {depth}"


@looped("position", POSITIONS)
def test_stored_counts_are_the_reference_s(position: dict[str, Any]) -> None:
    assert_reference_counts(position, range(1, 3))


@pytest.mark.slow
@looped("position", POSITIONS)
def test_stored_counts_at_depth_three_are_the_reference_s(position: dict[str, Any]) -> None:
    assert_reference_counts(position, range(3, 4))
