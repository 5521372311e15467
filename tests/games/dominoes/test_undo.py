"""The write journal takes back every legal action and every deal, byte for byte."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from games import loader
from games import rng as streams
from games.protocol import CHANCE
from tests.games.dominoes.tables import GAME


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"enforce_pass": False, "wrong_call": "ignored", "call_scope": "all", "first_opener": "any"},
        {"next_opener": "choice", "capicua": 25, "all_pass_bonus": 25, "first_rounds_bonus": True, "zapato": True},
        {"many_doubles": "redeal", "block_end": "three_passes", "enforce_pass": False, "foul": "round"},
    ],
)
def test_undo_of_every_legal_action_restores_every_byte(options: dict[str, Any]) -> None:
    rules, rng, tried = GAME.kernels(journal=True, mode="plain"), random.Random(1), 0
    journal, chosen_rules = np.ones(loader.JOURNAL_WORDS, np.int32), GAME.options(**options)
    state = GAME.initial_state(chosen_rules, 4)
    r = streams.new_stream(1, streams.DEAL)
    while not GAME.is_terminal(state):
        is_chance = GAME.current_player(state) == CHANCE
        choices = [GAME.sample_chance(state, r) for _ in range(3)] if is_chance else GAME.legal_actions(state).tolist()
        copy, before = state.copy(), state.tobytes()
        for choice in choices:
            rules.apply(copy, choice, journal)
            rules.journal.undo(copy, journal, 1)
            assert copy.tobytes() == before, f"{choice} left a trace"
        if is_chance:
            rules.settle(copy, r, journal)
            rules.journal.undo(copy, journal, 1)
            assert copy.tobytes() == before, "settling left a trace"
        tried += len(choices)
        state = GAME.apply(state, rng.choice(choices))
    assert tried > 50
