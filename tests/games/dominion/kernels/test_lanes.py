"""Compiled rules count and draw by vectors of bytes as the plain twin does word by word."""

from __future__ import annotations

import numpy as np
import pytest

from games import rng as streams
from games.dominion import reading
from games.dominion import state as layout
from tests.games.dominion.tables import GAME

DECK = slice(4 * layout.DECK, 4 * (layout.DECK + layout.WORDS))
HAND = slice(4 * layout.HAND, 4 * (layout.HAND + layout.WORDS))


@pytest.mark.parametrize(
    ("most", "hands"),
    [(1, (1, 2, 5)), (3, (1, 2, 3, 4, 5, 6, 11, 30)), (15, (5, 23)), (60, (5, 6))],  # the last: more than a byte counts
)
def test_hands_drawn_from_any_deck_are_those_of_the_plain_rules(most: int, hands: tuple[int, ...]) -> None:
    compiled, plain = GAME.kernels(), GAME.kernels(mode="plain")
    random = np.random.default_rng(most)
    start = GAME.initial_state(GAME.options(), 2)
    while GAME.current_player(start) < 0:
        start = GAME.apply(start, GAME.sample_chance(start, streams.new_stream(most, streams.DEAL)))
    for n in hands:
        state, at = start.copy(), reading.seat_at(1)
        counts = state[at:].view(np.uint8)
        counts[HAND] = 0
        counts[DECK] = random.integers(0, most + 1, layout.NUM_CARDS)
        counts[DECK][random.integers(layout.NUM_CARDS)] += n
        state[at + layout.HAND_SIZE] = n
        other, r, s = state.copy(), streams.new_stream(n, streams.SEARCH), streams.new_stream(n, streams.SEARCH)
        compiled.fill(state, r)
        plain.fill(other, s)
        assert counts[HAND].sum() == n
        assert state.tobytes() == other.tobytes()
        assert r.tolist() == s.tolist()
