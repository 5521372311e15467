"""What seats may know: views, hidden deals, information sets, deals of a match."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games import rng as streams
from games.dominoes import reading
from games.dominoes import state as layout
from games.protocol import CHANCE, State
from tests.games.dominoes import reference
from tests.games.dominoes.tables import GAME, Tables, after, position, set_of

RULES: dict[str, Any] = {"length": "round", "first_opener": "any"}


def in_play(seed: int = 1, turns: int = 6) -> State:
    rng = random.Random(seed)
    tables = Tables(RULES, reference.random_hands(rng))
    for _ in range(turns):
        tables.play(rng.choice(tables.slow.legal()))
    return tables.state


def test_a_view_shows_the_own_hand_alone() -> None:
    state = in_play()
    for seat in range(4):
        hands = [reading.hand(GAME.view(state, seat), other) for other in range(4)]
        assert hands[seat] == reading.hand(state, seat)
        assert hands.count(None) == 3
    assert all(hand is None for hand in GAME.observation(state, None)["hands"])


def test_only_the_seat_on_turn_sees_what_it_may_do() -> None:
    state = in_play()
    for seat in range(4):
        actions = GAME.legal_actions(GAME.view(state, seat)).tolist()
        assert actions == (GAME.legal_actions(state).tolist() if seat == GAME.current_player(state) else [])


def test_hands_lie_open_when_the_round_is_over() -> None:
    state = after(position([[(1, 2)], [(3, 4)], [(0, 3)], [(2, 6)]], (1, 5), 0), ((1, 2), "L"))
    for seat in (0, 1, 2, 3):
        assert GAME.view(state, seat).tobytes() == state.tobytes()


def test_hands_are_hidden_while_they_are_dealt() -> None:
    state = GAME.initial_state(GAME.options(), 4)
    hands = [set_of(hand) for hand in reference.random_hands(random.Random(1))]
    for hand in hands[:2]:
        state = GAME.apply(state, hand)
    for seat in range(4):
        view = GAME.view(state, seat)
        hidden = [reading.hand(view, other) is None for other in range(4)]
        assert hidden == [other < 2 and other != seat for other in range(4)]
        full = GAME.determinize(view, streams.new_stream(seat, streams.SEARCH))
        assert GAME.view(full, seat).tobytes() == view.tobytes()
        dealt = [int(full[layout.HAND + other]) for other in range(2)]
        assert dealt[0] & dealt[1] == 0
        assert all(hand.bit_count() == 7 for hand in dealt)


def test_a_determinization_keeps_what_passes_prove() -> None:
    for seed in range(20):
        state = in_play(seed, 12)
        seat = GAME.current_player(state)
        if seat < 0:
            continue
        for k in range(10):
            full = GAME.determinize(GAME.view(state, seat), streams.new_stream(k, streams.SEARCH))
            for other in range(4):
                held = reading.hand(full, other)
                assert held is not None
                assert len(held) == state[layout.COUNT + other]
                for number in reading.lacks(state, other):
                    assert not any(number in pair for pair in (reading.tiles.TILES[tile] for tile in held))


def test_nobodys_view_cannot_be_completed() -> None:
    with pytest.raises(ValueError, match="without any hand"):
        GAME.determinize(GAME.view(in_play(), -1), streams.new_stream(1, streams.SEARCH))


def same_position() -> tuple[State, State]:
    """One position after two orders of the same tiles."""
    hands = [[(0, 6), (2, 5), (0, 2)], [(3, 3)], [(1, 3)], [(3, 4)]]
    start = position(hands, (6, 5), 0)
    passes = ["PASS"] * 3
    return (
        after(start, ((0, 6), "L"), *passes, ((2, 5), "R"), *passes),
        after(start, ((2, 5), "R"), *passes, ((0, 6), "L"), *passes),
    )


def test_the_key_is_of_the_position_and_the_information_set_of_the_turns_too() -> None:
    first, second = same_position()
    assert GAME.key(first) == GAME.key(second)
    for seat in range(4):
        assert GAME.information_set(first, seat) != GAME.information_set(second, seat)


def test_the_same_hands_meet_all_arms_in_a_round_whatever_was_played_before() -> None:
    hands: list[list[list[int]]] = []
    for seed in (1, 2):
        deal = GAME.deal(GAME.options(), 4, streams.new_stream(7, streams.DEAL))
        state, r, dealt = GAME.initial_state(GAME.options(), 4), random.Random(seed), []
        while int(state[layout.ROUND]) < 3 or GAME.current_player(state) == CHANCE:
            if GAME.current_player(state) == CHANCE:
                state = GAME.apply(state, deal.draw(state))
                if GAME.current_player(state) >= 0:
                    dealt.append(state[layout.HAND : layout.HAND + 4].tolist())
            else:
                state = GAME.apply(state, r.choice(GAME.legal_actions(state).tolist()))
        hands.append(dealt)
    assert hands[0] == hands[1]
    assert len({tuple(row) for row in hands[0]}) == 3
