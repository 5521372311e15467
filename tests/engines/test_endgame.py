"""Exact endgames, against max^n from its definition."""

from __future__ import annotations

import random

import pytest

from engines import endgame, registry, utilities
from engines.protocol import Budget
from games import registry as game_registry
from games import rng
from games.protocol import CHANCE, State
from tests.engines import slow
from tests.engines.growing import TREE
from tests.toy.tree import nodes
from tests.toy.tree.nodes import Node, chance, seat

GAME = game_registry.get("kingdomino")
PLENTY = 1 << 40


@pytest.fixture(params=["plain", "jit"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def solved(tree: Node, mode: str, limit: int = PLENTY, utility: str = "difference") -> endgame.Solved | None:
    kernels = utilities.load("endgame", nodes.FOLDER, False, mode)
    state = nodes.state(tree, len(tree.totals))
    return endgame.search(TREE.kernels(mode=mode), kernels, state, (utility, "best"), limit)


def plain_tree(r: random.Random, depth: int, num_seats: int) -> Node:
    """A random tree without chance."""
    if depth == 0 or r.random() < 0.1:
        return Node(totals=tuple(r.randint(-100, 100) for _ in range(num_seats)))
    children = [plain_tree(r, depth - 1, num_seats) for _ in range(r.randint(1, 4))]
    return Node(r.randrange(num_seats), children, (0,) * num_seats)


@pytest.mark.parametrize("num_seats", [2, 3])
def test_every_action_has_its_value(mode: str, num_seats: int) -> None:
    r = random.Random(3)
    for _ in range(20):
        tree = Node(0, [plain_tree(r, 4, num_seats) for _ in range(3)], (0,) * num_seats)
        found = solved(tree, mode)
        assert found is not None
        assert found.values.tolist() == [nodes.slow_maxn(child, 99, 1e9)[0] for child in tree.children]
        assert found.nodes == tree.size() - 1


def test_every_seat_plays_for_itself(mode: str) -> None:
    # seat 1 has 9 to 8 rather than 1 to 0, though seat 0 would rather lose by ten less
    left, right = Node(totals=(8, 9)), Node(totals=(0, 12))
    found = solved(Node(0, [Node(1, [left, right]), Node(totals=(3, 5))]), mode)
    assert found is not None
    assert found.values.tolist() == [-12.0, -2.0]
    own = solved(Node(0, [Node(1, [left, right]), Node(totals=(3, 5))]), mode, utility="own")
    assert own is not None
    assert own.values.tolist() == [0.0, 3.0]


def test_chance_and_too_many_actions_leave_it_unsolved(mode: str) -> None:
    assert solved(seat(0, 4, chance((1, nodes.leaf(1)), (1, nodes.leaf(2)))), mode) is None
    tree = seat(0, seat(1, 1, 2), seat(1, 3, 4))
    assert solved(tree, mode, 5) is None
    exact = solved(tree, mode, 6)
    assert exact is not None
    assert exact.values.tolist() == [1.0, 3.0]


def last_plies(seed: int, plies: int) -> State:
    """A position of Kingdomino with two seats and so many plies to come, after random play."""
    r = rng.new_stream(seed, rng.ANALYSIS)
    state = GAME.initial_state(GAME.options(), 2)
    while sum(GAME.plies_left(state, number) for number in range(2)) > plies:
        if GAME.current_player(state) == CHANCE:
            state = GAME.apply(state, GAME.sample_chance(state, r))
            continue
        actions = GAME.legal_actions(state)
        state = GAME.apply(state, int(actions[rng.below(r, len(actions))]))
    return state


def test_the_last_plies_of_kingdomino_are_played_exactly() -> None:
    engine = registry.make("flat_mc", {"policy": "random", "endgame": 100_000})
    for seed in range(6):
        state = last_plies(seed, 5)
        mover = GAME.current_player(state)
        decision = engine.choose(GAME, state, mover, Budget(playouts=1), rng.new_stream(seed, rng.SEARCH))
        if len(GAME.legal_actions(state)) == 1:
            continue
        assert decision.table is not None
        assert decision.playouts == 0
        expected = [
            slow.maxn(GAME, GAME.scores, GAME.apply(state, action), 9, 1e9)[mover]
            for action in GAME.legal_actions(state).tolist()
        ]
        assert decision.table.values.tolist() == expected
        assert decision.value == max(expected)
