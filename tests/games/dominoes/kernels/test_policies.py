"""The policies of dominoes, and how strong they are."""

from __future__ import annotations

import random

import numpy as np
import pytest

from games import rng as streams
from games.bench import Playouts
from games.dominoes import house_rules
from games.dominoes import state as layout
from games.options import from_json
from games.protocol import CHANCE, State
from tests.games.dominoes import reference
from tests.games.dominoes.tables import GAME, Tables, move_of, position

BUFFERS = (np.zeros(layout.MAX_ACTIONS, np.int32), np.ones(1, np.int32))
RANDOM, GREEDY = 0, 1


def chosen(policy: int, state: State, r: np.ndarray | None = None) -> int:
    return int(
        GAME.policy(GAME.policies[policy])(policy, state, r if r is not None else np.ones(4, np.uint64), *BUFFERS)
    )


def test_greedy_lays_the_most_pips() -> None:
    rng = random.Random(1)
    for _ in range(10):
        tables = Tables(dict(house_rules.ROUNDS), reference.random_hands(rng))
        while tables.slow.playing:
            moves = tables.slow.legal()
            best = max(
                moves,
                key=lambda move: (sum(move[0]), [-n for n in move[0]], move[1] == "L") if move != "PASS" else (0,),
            )
            assert move_of(chosen(GREEDY, tables.state)) == best
            tables.play(rng.choice(moves))


def test_greedy_never_calls_and_random_does() -> None:
    state = position([[(1, 3)], [(3, 4)], [(5, 5)], [(6, 6)]], (1, 2), 0, enforce_pass=False)
    state = GAME.apply(state, layout.PASS)
    r = streams.new_stream(1, streams.SEARCH)
    assert {chosen(GREEDY, state, r) for _ in range(20)} == {layout.PASS}
    assert {chosen(RANDOM, state, r) for _ in range(50)} == {layout.PASS, layout.CALL}


def test_policies_look_at_no_other_hand() -> None:
    state = Tables(dict(house_rules.ROUNDS), reference.random_hands(random.Random(3))).state
    view = GAME.view(state, GAME.current_player(state))
    for policy in (RANDOM, GREEDY):
        streams_of = [streams.new_stream(5, streams.SEARCH) for _ in range(2)]
        assert [chosen(policy, one, r) for one, r in zip((state, view), streams_of, strict=True)].count(
            chosen(policy, state, streams.new_stream(5, streams.SEARCH))
        ) == 2


def rounds_won(count: int, seed: int) -> tuple[int, int]:
    """Rounds that greedy seats 0 and 2 win against random ones, and rounds that are void."""
    rules, start = GAME.kernels(), GAME.initial_state(from_json(GAME.options, house_rules.ROUNDS), 4)
    won = void = 0
    r = streams.new_stream(seed, streams.ANALYSIS)
    for _ in range(count):
        state = start.copy()
        while state[layout.PLAYER] != -2:
            if state[layout.PLAYER] == CHANCE:
                rules.settle(state, r, BUFFERS[1])
            else:
                policy = RANDOM if state[layout.PLAYER] & 1 else GREEDY
                rules.apply(state, chosen(policy, state, r), BUFFERS[1])
        won, void = won + (state[layout.WINNER] == 1), void + (state[layout.WINNER] == 0)
    return won, void


@pytest.mark.slow
def test_greedy_wins_53_of_100_rounds_against_random() -> None:
    """An independent program found 53.0 % of 200,000 rounds; the band is 3 standard errors of 20,000."""
    won, void = rounds_won(20_000, 1)
    assert 0.518 <= won / 20_000 <= 0.542
    assert 0.010 <= void / 20_000 <= 0.030


def test_rounds_by_chance_last_as_long_as_is_known() -> None:
    """An independent program found about 25.5 turns a round."""
    playouts = Playouts(GAME, "random")
    start = GAME.initial_state(from_json(GAME.options, house_rules.ROUNDS), 4)
    assert playouts.run(start, 0, 20_000, 1) / 20_000 == pytest.approx(25.5, abs=0.3)
    for seat in range(4):
        assert playouts.totals[seat] < 0
