"""The scripted players: what they choose in positions made by hand, and how strong they are."""

from __future__ import annotations

import numpy as np
import pytest

from games import rng as streams
from games.dominion import cards, reading
from games.dominion import state as layout
from games.protocol import CHANCE, State
from tests.games.dominion.tables import GAME, arranged, fill_zone, play
from tests.looping import looped


def chosen(state: State, policy: str, seed: int = 1) -> str:
    """What a policy does, in words."""
    rules = GAME.kernels()
    buffer, j = np.zeros(rules.MAX_ACTIONS, np.int32), np.zeros(1, np.int32)
    r, before = streams.new_stream(seed, streams.ANALYSIS), state.tobytes()
    action = int(GAME.policy(policy)(GAME.policies.index(policy), state, r, buffer, j))
    assert state.tobytes() == before
    return GAME.notation(state, action)


def all_chosen(state: State, policy: str) -> set[str]:
    return {chosen(state, policy, seed) for seed in range(60)}


def buying(coins: int, turn: int = 1, owned: dict[str, int] | None = None, **left: int) -> State:
    """Seat 0 has coins to spend. left: cards in some piles."""
    state = arranged([{"Moat": 1}, {"Copper": 1}], [{"Copper": 7, **(owned or {})}, {"Copper": 7}])
    state = play(state, "end")
    state[layout.COINS], state[reading.seat_at(0) + layout.TURNS] = coins, turn
    supply = reading.count_by_name(reading.supply(state)) | left
    fill_zone(state, layout.SUPPLY, supply)
    bits = sum(1 << cards.by_name()[name].number for name, n in supply.items() if n)
    state[layout.IN_SUPPLY], state[layout.IN_SUPPLY + 1] = bits & (1 << 30) - 1, bits >> 30
    return state


@looped(
    "coins, turn, left, expected",
    [
        (8, 15, {}, "buy Gold"),
        (5, 15, {}, "buy Silver"),
        (2, 15, {}, "end turn"),
        (6, 15, {"Gold": 0}, "buy Silver"),
        (8, 16, {}, "buy Province"),
        (7, 16, {}, "buy Gardens"),
        (7, 16, {"Gardens": 0}, "buy Duchy"),
        (3, 16, {}, "buy Estate"),
        (1, 16, {}, "end turn"),
    ],
)
def test_bmfsm_buys_as_the_thesis_lists(coins: int, turn: int, left: dict[str, int], expected: str) -> None:
    assert chosen(buying(coins, turn, **left), "bmfsm") == expected


@looped(
    "coins, owned, left, expected",
    [
        (8, {"Gold": 1}, {}, ("buy Province", "buy Province")),
        (8, {}, {}, ("buy Witch", "buy Witch")),
        (5, {"Witch": 1}, {}, ("buy Silver", "buy Witch")),
        (5, {"Witch": 2}, {"Province": 3}, ("buy Duchy", "buy Duchy")),
        (5, {"Witch": 1}, {"Province": 3}, ("buy Duchy", "buy Witch")),
        (2, {"Witch": 2}, {"Province": 1}, ("buy Estate", "buy Estate")),
        (2, {"Witch": 2}, {"Province": 2}, ("end turn", "end turn")),
        (6, {"Witch": 2}, {}, ("buy Gold", "buy Gold")),
        (5, {}, {"Witch": 0}, ("buy Silver", "buy Silver")),
    ],
)
def test_witches_buy_as_the_thesis_lists(
    coins: int, owned: dict[str, int], left: dict[str, int], expected: tuple[str, str]
) -> None:
    state = buying(coins, owned=owned, **left)
    assert (chosen(state, "single_witch"), chosen(state, "double_witch")) == expected


def test_witches_play_one_witch_a_turn_and_nothing_else() -> None:
    state = arranged([{"Witch": 2, "Village": 1}, {"Copper": 1}], [{"Copper": 7}, {"Copper": 7}])
    assert chosen(state, "double_witch") == "play Witch"
    assert chosen(state, "bmfsm") == "end actions"
    state = play(state, "Village", draws=("Copper",))
    assert chosen(state, "double_witch") == "end actions"


def test_greedy_prefers_actions_that_give_actions_and_buys_the_dearest() -> None:
    state = arranged([{"Village": 1, "Market": 1, "Witch": 1, "Smithy": 1}, {"Copper": 1}], [{"Copper": 7}] * 2)
    assert all_chosen(state, "greedy") == {"play Village", "play Market"}
    assert all_chosen(state, "greedy_dearest") == {"play Market", "play Witch"}
    assert all_chosen(buying(3), "greedy") == {
        f"buy {n}" for n in ("Silver", "Village", "Woodcutter", "Chancellor", "Workshop")
    }
    assert all_chosen(buying(0), "greedy") == {"buy Copper"}
    assert "end turn" in all_chosen(buying(0), "eps15")


def test_big_money_turns_to_duchies_when_provinces_run_out() -> None:
    assert chosen(buying(8), "big_money") == "buy Province"
    assert chosen(buying(6), "big_money") == "buy Gold"
    assert chosen(buying(6, Province=5), "big_money") == "buy Duchy"
    assert chosen(buying(2, Province=2), "big_money") == "buy Estate"


def test_scripted_players_answer_attacks() -> None:
    state = arranged([{"Militia": 1}, {"Estate": 1, "Gold": 2, "Copper": 1, "Moat": 1}], [{"Copper": 5}] * 2)
    state = play(state, "Militia")
    assert chosen(state, "bmfsm") == "reveal Moat"
    state = play(state, "end")
    assert chosen(state, "bmfsm") == "discard Estate"
    assert chosen(play(state, "Estate"), "bmfsm") == "discard Copper"


def duel(one: str, other: str, matches: int, seed: int) -> tuple[float, float]:
    """Shares of matches that `one` wins alone as first and as second seat."""
    rules = GAME.kernels()
    apply, settle = rules.apply, rules.settle
    buffer, j = np.zeros(rules.MAX_ACTIONS, np.int32), np.zeros(1, np.int32)
    start, wins = GAME.initial_state(GAME.options(), 2), [0, 0]
    for number in range(matches):
        place = number % 2
        names = (one, other) if place == 0 else (other, one)
        policies = [(GAME.policy(name), GAME.policies.index(name)) for name in names]
        state, r = start.copy(), streams.new_stream(seed, streams.ANALYSIS, number)
        settle(state, r, j)
        while (player := state[layout.PLAYER]) >= 0:
            choose, policy = policies[player]
            apply(state, int(choose(policy, state, r, buffer, j)), j)
            if state[layout.PLAYER] == CHANCE:
                settle(state, r, j)
        ranks = GAME.ranks(state)
        wins[place] += ranks[place] == 1 and ranks[1 - place] == 2
    return wins[0] / (matches / 2), wins[1] / (matches / 2)


def tolerance(matches: int) -> float:
    """Four standard errors of a share of so many matches."""
    return float(4 * (0.25 / matches) ** 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "other", "matches", "first", "second"),
    [
        ("double_witch", "single_witch", 20_000, 0.7255, 0.5506),
        ("single_witch", "bmfsm", 4000, 0.9980, 0.9951),
        ("greedy", "bmfsm", 4000, 0.237, 0.170),
        ("eps15", "bmfsm", 4000, 0.083, 0.070),
    ],
)
def test_scripted_players_are_as_strong_as_in_an_independent_program(
    one: str, other: str, matches: int, first: float, second: float
) -> None:
    as_first, as_second = duel(one, other, matches, 1)
    assert as_first == pytest.approx(first, abs=tolerance(matches // 2))
    assert as_second == pytest.approx(second, abs=tolerance(matches // 2))
    assert (as_first + as_second) / 2 == pytest.approx((first + second) / 2, abs=tolerance(matches))
