"""Numbers that Jansen and Tollisen (2014) count: the tree of one player's turns, and the most points."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games import rng as streams
from games.dominion import cards, reading
from games.dominion import state as layout
from games.protocol import CHANCE, State
from tests.games.dominion.tables import GAME

NODES = [21, 99, 2_077, 23_631, 681_365, 15_366_943]
"""Table 3: nodes of the tree to the end of turns 1 to 6."""


def hands(state: State) -> list[State]:
    """Every position after the draws that are due, whatever their order."""
    found = {GAME.key(state): state}
    while any(GAME.current_player(one) == CHANCE for one in found.values()):
        further = [GAME.apply(one, int(outcome)) for one in found.values() for outcome in GAME.chance_outcomes(one)[0]]
        found = {GAME.key(one): one for one in further}
    return list(found.values())


def nodes() -> Iterator[int]:
    """Nodes to the end of each turn: one for each hand and one for each buy; equal positions count anew."""
    start = GAME.initial_state(GAME.options(kingdom="none"), 1)
    standing, total = {GAME.key(start): (start, 1)}, 1
    while True:
        following: dict[int, tuple[State, int]] = {}
        for state, times in standing.values():
            for hand in hands(state):
                actions = GAME.legal_actions(hand).tolist()
                total += times * (1 + len(actions))
                for action in actions:
                    after = GAME.apply(hand, action)
                    key = GAME.key(after)
                    following[key] = (after, times + following.get(key, (after, 0))[1])
        standing = following
        yield total


def test_the_tree_of_the_first_four_turns_has_the_published_size() -> None:
    counted = nodes()
    assert [next(counted) for _ in range(4)] == NODES[:4]


@pytest.mark.slow
def test_the_tree_of_six_turns_has_the_published_size() -> None:
    counted = nodes()
    assert [next(counted) for _ in range(6)] == NODES


def thrifty(state: State) -> int:
    """Money first, then all green cards, the last Province last."""
    names = {card.name: card.number for card in cards.table()}
    legal, supply = set(GAME.legal_actions(state).tolist()), reading.supply(state)
    own = reading.owned_cards(state, 0)
    is_last = supply[names["Province"]] == 1 and supply[names["Duchy"]] + supply[names["Estate"]] > 0
    wanted = [
        "Province" if not is_last else "",
        "Gold" if own.get(names["Gold"], 0) < 12 else "",
        "Duchy",
        "Silver" if own.get(names["Silver"], 0) < 6 else "",
        "Estate",
    ]
    return next((names[name] for name in wanted if name and names[name] in legal), layout.END)


def test_one_player_can_reach_83_points() -> None:
    """8 Provinces, 8 Duchies, 8 + 3 Estates: the thesis' bound of a match without Gardens."""
    options = GAME.options(kingdom="none")
    for seed in range(3):
        state, deal = GAME.initial_state(options, 1), GAME.deal(options, 1, streams.new_stream(seed, streams.DEAL))
        while not GAME.is_terminal(state):
            is_chance = GAME.current_player(state) == CHANCE
            state = GAME.apply(state, deal.draw(state) if is_chance else thrifty(state))
        assert GAME.scores(state) == (83,)
