"""The write journal takes back every legal action and every draw, byte for byte."""

from __future__ import annotations

import random
from types import ModuleType

import numpy as np
import pytest

from games import registry
from games.carcassonne import state as layout
from tests.games.carcassonne.tables import GameTable, new_journal


@pytest.fixture(scope="module")
def rules() -> ModuleType:
    return registry.get("carcassonne").kernels(journal=True)


def undone(rules: ModuleType, state: np.ndarray, action: int, journal: np.ndarray) -> bytes:
    """Bytes of the state after making an action and taking it back."""
    mark = int(journal[0])
    rules.apply(state, action, journal)
    rules.journal.undo(state, journal, mark)
    assert journal[0] == mark
    return state.tobytes()


@pytest.mark.parametrize(("seats", "unplaceable"), [(2, "return"), (3, "discard"), (5, "return")])
def test_undo_of_every_legal_action_restores_every_byte(rules: ModuleType, seats: int, unplaceable: str) -> None:
    table, rng, journal, tried = GameTable(seats, unplaceable=unplaceable), random.Random(seats), new_journal(), 0
    while not table.over:
        state = table.state.copy()
        before = state.tobytes()
        if table.game.current_player(state) < 0:
            choices = [t for t in range(layout.NUM_TYPES) if state[layout.POOL + t] > 0]
        else:
            choices = [int(action) for action in table.game.legal_actions(state)]
        for choice in choices:
            assert undone(rules, state, choice, journal) == before, f"{choice} left a trace"
        tried += len(choices)
        table.state = table.game.apply(table.state, rng.choice(choices))
    assert tried > 1000


def test_undo_of_a_whole_match_restores_the_start(rules: ModuleType) -> None:
    table, rng = GameTable(), random.Random(5)
    start, state = table.state.copy(), table.state.copy()
    journal = np.zeros(80 * layout.SIZE, np.int32)
    journal[0] = 1
    while not table.over:
        if table.game.current_player(table.state) < 0:
            choice = int(rng.choice(table.game.chance_outcomes(table.state)[0]))
        else:
            choice = int(rng.choice(table.game.legal_actions(table.state)))
        rules.apply(state, choice, journal)
        table.state = table.game.apply(table.state, choice)
        assert state.tobytes() == table.state.tobytes(), "rules with and without a journal differ"
    rules.journal.undo(state, journal, 1)
    assert state.tobytes() == start.tobytes()
