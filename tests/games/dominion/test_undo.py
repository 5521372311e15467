"""The write journal takes back every legal action and every draw, byte for byte."""

from __future__ import annotations

import random

import numpy as np
import pytest

from games import loader
from games import rng as streams
from games.protocol import CHANCE
from tests.games.dominion.tables import ALL_KINGDOM, GAME

ALL = ", ".join(ALL_KINGDOM)


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {"edition": "2"}), (4, {"treasures": "manual"})])
def test_undo_of_every_legal_action_restores_every_byte(seats: int, options: dict[str, object]) -> None:
    rules, rng = GAME.kernels(journal=True, mode="plain"), random.Random(seats)
    journal = np.ones(loader.JOURNAL_WORDS, np.int32)
    chosen = GAME.options(kingdom="cards", cards=ALL, turn_limit=20, **options)
    state = GAME.initial_state(chosen, seats)
    r, tried = streams.new_stream(seats, streams.ANALYSIS), 0
    while not GAME.is_terminal(state):
        is_chance = GAME.current_player(state) == CHANCE
        choices = (GAME.chance_outcomes(state)[0] if is_chance else GAME.legal_actions(state)).tolist()
        copy, before = state.copy(), state.tobytes()
        for choice in choices:
            rules.apply(copy, choice, journal)
            rules.settle(copy, r, journal)
            rules.journal.undo(copy, journal, 1)
            assert copy.tobytes() == before, f"{choice} left a trace"
        tried += len(choices)
        state = GAME.apply(state, rng.choice(choices))
    assert tried > 500
