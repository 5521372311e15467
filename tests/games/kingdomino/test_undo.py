"""The write journal takes back every legal action and every draw, byte for byte."""

from __future__ import annotations

import random

import numpy as np
import pytest

from games import loader
from games import rng as streams
from games.protocol import CHANCE
from tests.games.kingdomino.tables import GAME


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {}), (4, {"must_place": False}), (2, {"size": "7"})])
def test_undo_of_every_legal_action_restores_every_byte(seats: int, options: dict[str, object]) -> None:
    rules, rng = GAME.kernels(journal=True, mode="plain"), random.Random(seats)
    journal = np.ones(loader.JOURNAL_WORDS, np.int32)
    state = GAME.initial_state(GAME.options(**options), seats)
    deal, tried = GAME.deal(GAME.options(**options), seats, streams.new_stream(seats, streams.DEAL)), 0
    while not GAME.is_terminal(state):
        if GAME.current_player(state) == CHANCE:
            choices, chosen = GAME.chance_outcomes(state)[0].tolist(), deal.draw(state)
        else:
            choices = GAME.legal_actions(state).tolist()
            chosen = rng.choice(choices)
        copy, before = state.copy(), state.tobytes()
        for choice in choices:
            rules.apply(copy, choice, journal)
            rules.journal.undo(copy, journal, 1)
            assert copy.tobytes() == before, f"{choice} left a trace"
        tried += len(choices)
        state = GAME.apply(state, chosen)
    assert tried > 500
