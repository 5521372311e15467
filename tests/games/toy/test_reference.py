"""Random matches on the real game and on the slow reference agree ply by ply."""

from __future__ import annotations

import pytest

from games.protocol import CHANCE
from games.toy.game import Options
from tests.games import walks
from tests.games.toy import reference

GAME = walks.game_of("toy")


@pytest.mark.parametrize("seats", range(GAME.traits.min_seats, GAME.traits.max_seats + 1))
def test_random_matches_agree(seats: int) -> None:
    for seed in range(1, 6):
        slow = reference.Match(seats, Options().cards)
        for state, number in walks.walk(GAME, seats, seed):
            assert GAME.scores(state) == tuple(slow.scores)
            assert GAME.is_terminal(state) == slow.is_over
            if number is None:
                continue
            if GAME.current_player(state) == CHANCE:
                assert GAME.chance_outcomes(state)[0].tolist() == sorted(slow.undrawn)
                slow.draw(number)
            else:
                assert GAME.current_player(state) == slow.player
                assert GAME.legal_actions(state).tolist() == slow.legal_moves()
                slow.give(number)
        assert slow.is_over


def test_rate_counts_whole_matches() -> None:
    assert reference.rate(0.01) > 0
