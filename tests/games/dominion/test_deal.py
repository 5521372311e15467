"""The luck of a match: like decks are shuffled alike, whatever else happens."""

from __future__ import annotations

import pytest

from games import rng as streams
from games.dominion import cards
from games.dominion import state as layout
from games.dominion.deal import ShuffleDeal
from games.protocol import CHANCE, State
from tests.games.dominion.tables import GAME, arranged


def order(state: State, seed: int, seat: int = 0) -> list[str]:
    """A whole deck of a seat as a deal draws it."""
    deal = ShuffleDeal(streams.new_stream(seed, streams.DEAL))
    state = state.copy()
    state[layout.PLAYER], state[layout.KIND], state[layout.DRAWER] = CHANCE, layout.RESOLVE, seat
    state[layout.DRAWS], state[layout.DRAW_TO] = 99, layout.TO_ASIDE
    drawn = []
    while GAME.current_player(state) == CHANCE:
        drawn.append(deal.draw(state))
        state = GAME.apply(state, drawn[-1])
    return [cards.name(card) for card in drawn]


DECK = {"Copper": 5, "Silver": 3, "Estate": 2, "Village": 1}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_deck_with_one_card_more_is_shuffled_like_the_one_without(seed: int) -> None:
    one = order(arranged([{}, {}], [DECK, {}]), seed)
    other = order(arranged([{}, {}], [DECK | {"Gold": 1}, {}]), seed)
    assert [name for name in other if name != "Gold"] == one
    assert order(arranged([{}, {}], [DECK, {"Gold": 9}]), seed) == one
    fewer = order(arranged([{}, {}], [DECK | {"Copper": 4}, {}]), seed)
    assert [name for name in fewer if name != "Copper"] == [name for name in one if name != "Copper"]


def test_shuffles_and_seeds_differ() -> None:
    start = arranged([{}, {}], [DECK, {}])
    later = start.copy()
    later[layout.SEATS + layout.SHUFFLES] = 2
    assert len({tuple(order(start, 1)), tuple(order(later, 1)), tuple(order(start, 2))}) == 3


def test_like_decks_of_two_seats_are_shuffled_differently() -> None:
    state = arranged([{}, {}], [DECK, DECK])
    assert order(state, 1, seat=0) != order(state, 1, seat=1)
