"""Three seats by today's edition, and the middle by the rule book: engines, policies, pictures."""

from __future__ import annotations

import random

import numpy as np
import pytest

from games.kingdomino import reading
from games.kingdomino import state as layout
from games.protocol import CHANCE, State
from tests.engines import deciding
from tests.games.kingdomino import matches
from tests.games.kingdomino.matches import GAME
from tests.games.kingdomino.tables import sit_down
from tests.looping import looped

BOOK = {"three_seats": "48", "middle": "book", "ties": "official"}
ENGINES = [engine_id for engine_id, game_id in deciding.pairs() if game_id == "kingdomino"]


def after(plies: int, seed: int = 3) -> State:
    """A position of a random match after so many plies, where a seat is on turn."""
    return matches.turns(3, seed, **BOOK)[plies]


@pytest.mark.slow  # engines know the rules by their kernels alone, which the reference holds to these
@pytest.mark.long
@looped("engine_id", ENGINES)
def test_every_engine_decides_in_the_first_a_middle_and_the_last_round(engine_id: str) -> None:
    for plies in (1, 17, 37):
        state = after(plies)
        assert deciding.decide(engine_id, "kingdomino", state).action in GAME.legal_actions(state)


@pytest.mark.long
@looped("policy", GAME.policies)
def test_policies_play_a_whole_match(policy: str) -> None:
    r, buffer, j = np.array([1, 2, 3, 4], np.uint64), np.zeros(layout.MAX_ACTIONS, np.int32), np.zeros(1, np.int32)
    state, index, choose = GAME.initial_state(GAME.options(**BOOK), 3), GAME.policies.index(policy), GAME.policy(policy)
    while not GAME.is_terminal(state):
        is_chance = GAME.current_player(state) == CHANCE
        drawn = GAME.sample_chance(state, r) if is_chance else 0
        state = GAME.apply(state, drawn if is_chance else int(choose(index, state, r, buffer, j)))
    assert not reading.undrawn_dominoes(state)
    assert len(reading.left_aside(state)) == 12


@pytest.mark.long
def test_boards_and_replays_show_what_is_left_aside() -> None:
    states = matches.after_plies(3, **BOOK)
    for ply in (0, 4, 20, len(states) - 1):
        drawn = GAME.replay_svg(states, ply=ply)
        matches.check_references(drawn)
    aside = reading.left_aside(states[-1])
    assert all(f"offer-{number}" in drawn for number, _, _ in aside)
    assert not any(f'place-{number}"' in drawn for number, _, _ in aside)
    shown = GAME.play_svg(after(10), seat=GAME.current_player(after(10)))
    assert [shown.count(f'id="offer-{one}"') for one in reading.offered_dominoes(after(10))] == [1] * 4
    assert GAME.panel(after(10), None).note == "Round 4 of 13, 32 dominoes in later rows."


def test_the_middle_counts_at_the_end_and_before_it_among_what_is_to_come() -> None:
    tables = sit_down(random.Random(1), 3, **BOOK)
    assert (GAME.scores(tables.state), GAME.projected_scores(tables.state)) == ((0, 0, 0), (10, 10, 10))
