"""The toy counted, solved and averaged by hand.

For two seats: a card handed out at random moves the margin by nothing on average, so a position's mean
margin under random play is the present one plus, or minus, the mean of the cards left, after the seat that
draws the last one. Under best play everybody keeps everything.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest

from games.protocol import CHANCE
from games.toy.game import Cards, Options
from tests.games import walks


def count_matches(game: Cards, state: Any) -> int:
    if game.is_terminal(state):
        return 1
    chance = game.current_player(state) == CHANCE
    numbers = game.chance_outcomes(state)[0] if chance else game.legal_actions(state)
    return sum(count_matches(game, game.apply(state, int(number))) for number in numbers)


@pytest.mark.parametrize(("cards", "seats"), [(4, 2), (4, 3)])
def test_number_of_matches(cards: int, seats: int) -> None:
    game = Cards()
    # every order of the cards, a choice of seats for all but the last one
    expected = math.factorial(cards) * seats ** (cards - 1)
    assert count_matches(game, game.initial_state(Options(cards), seats)) == expected


def solve(game: Cards, cards: int, plays_best: bool) -> float:
    """Margin of seat 0 from the start, two seats: under best play, or under random play."""
    states: dict[int, Any] = {}

    @cache
    def value(key: int) -> float:
        state = states[key]
        if game.is_terminal(state):
            scores = game.scores(state)
            return float(scores[0] - scores[1])
        player = game.current_player(state)
        if player == CHANCE:
            outcomes, probabilities = game.chance_outcomes(state)
            after = [seen(game.apply(state, int(outcome))) for outcome in outcomes]
            return float(sum(p * value(k) for p, k in zip(probabilities, after, strict=True)))
        values = [value(seen(game.apply(state, int(action)))) for action in game.legal_actions(state)]
        if not plays_best:
            return sum(values) / len(values)
        return max(values) if player == 0 else min(values)

    def seen(state: Any) -> int:
        key = game.key(state)
        states.setdefault(key, state)
        return key

    return value(seen(game.initial_state(Options(cards), 2)))


@pytest.mark.parametrize("cards", [4, 5, 6])
def test_under_best_play_everybody_keeps_everything(cards: int) -> None:
    # seat 0 draws one card more when their number is odd, of the mean value (K + 1) / 2
    assert solve(Cards(), cards, plays_best=True) == pytest.approx((cards % 2) * (cards + 1) / 2)


@pytest.mark.parametrize("cards", [4, 5, 6])
def test_under_random_play_only_the_last_card_counts(cards: int) -> None:
    sign = 1 if cards % 2 else -1  # who draws the last card
    assert solve(Cards(), cards, plays_best=False) == pytest.approx(sign * (cards + 1) / 2)


def play(game: Cards, seats: int, *numbers: int) -> Any:
    state = game.initial_state(Options(4), seats)
    for number in numbers:
        state = game.apply(state, number)
    return state


def test_key_forgets_the_order_and_the_tallies() -> None:
    game = Cards()
    one, other = play(game, 2, 3, 0, 1, 1), play(game, 2, 1, 1, 3, 0)
    assert game.key(one) == game.key(other)
    assert game.metrics(play(game, 2, 1, 0, 2, 0, 3, 1, 4, 1)) != game.metrics(play(game, 2, 3, 0, 2, 1, 1, 1, 4, 1))
    two_for_one, one_for_two = play(game, 2, 1, 0, 2, 0, 3, 1), play(game, 2, 3, 0, 2, 1, 1, 1)
    assert game.scores(two_for_one) == game.scores(one_for_two) == (3, 3)
    assert game.key(two_for_one) == game.key(one_for_two)


def test_the_last_card_is_kept() -> None:
    game = Cards()
    state = play(game, 2, 1, 0, 2, 0, 3, 0, 4)
    assert game.legal_actions(state).tolist() == [game.current_player(state)] == [1]


def test_secret_cards_count_at_the_end() -> None:
    game = walks.game_of("toy_secret")
    state = play(game, 2, 1, 4, 3, 0)
    assert game.scores(state) == (3, 0)
    state = game.apply(game.apply(state, 2), 1)
    assert game.scores(state) == (3 + 1, 2 + 4)
    assert game.ranks(state) == (2, 1)
