"""One tree over all worlds: what it comes to, whatever the slices, and worlds that weigh."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from games.dominoes import state as layout
from games.dominoes import tiles
from games.dominoes.belief import beliefs
from games.dominoes.search import compilation
from games.dominoes.search.ismcts import SELECTIONS, OneTree
from games.hands import Inference, TreeGrowth
from games.protocol import State
from tests import chances
from tests.games.dominoes import minimax
from tests.games.dominoes.tables import GAME
from tests.looping import looped

LEVEL = 1e-6
"""A chi-square test with a fixed seed fails a right chain with this chance, once and for all."""


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    compilation.compile_searches(GAME.kernels())


def grown(state: State, simulations: int, seed: int = 1, **growing: Any) -> OneTree:
    seat = int(state[layout.PLAYER])
    actions, growth = np.array(minimax.legal(state), np.int32), TreeGrowth(**growing)
    tree = OneTree(GAME.kernels(), GAME.view(state, seat), seat, actions, growth, seed)
    tree.add(0, simulations)
    return tree


@cache
def known() -> list[State]:
    """Endings in which the seat knows where every tile is, and one of its moves is better than the others."""
    found = []
    for state in minimax.rounds(100, 20, seed=5):
        if beliefs.consistent_deals(GAME.kernels(), state, int(state[layout.PLAYER])) <= 1:
            values = np.sort(minimax.values(state, 60))
            if values[-1] > values[-2]:
                found.append(state)
    assert len(found) >= 2
    return found[:3]


@pytest.mark.parametrize("selection", SELECTIONS)
def test_where_all_is_known_the_tree_comes_to_perfect_play(selection: str) -> None:
    for state in known():
        exact = np.array(minimax.values(state, 60))
        values, visits, deviations = grown(state, 6000, selection=selection).statistics()
        assert int(visits.argmax()) == int(exact.argmax())
        assert values[visits.argmax()] == pytest.approx(exact.max(), abs=3.0)
        assert visits.sum() == 6000
        assert (deviations[visits > 1] >= 0).all()


@looped("block_end", minimax.BLOCK_ENDS)
@looped("block", minimax.BLOCKS)
def test_rounds_end_in_the_tree_as_in_the_game(block: dict[str, Any], block_end: str) -> None:
    """The others have a tile each and nobody has a choice after the first move."""
    for state in minimax.certain(4, seed=15, sizes=(2, 1, 1, 1), block_end=block_end, **block):
        values, visits, _ = grown(state, 40).statistics()
        tried = visits > 0
        assert values[tried].tolist() == pytest.approx(np.array(minimax.values(state, 60))[tried].tolist())


@pytest.mark.parametrize("inference", ["none", "per_legal", "manner"])
def test_the_tree_does_not_depend_on_how_simulations_are_shared_out(inference: str) -> None:
    state = minimax.rounds(1, 9, seed=3)[0]
    for selection in SELECTIONS:
        whole, parts = (grown(state, n, selection=selection, inference=Inference(inference, 0.5)) for n in (1500, 1))
        parts.add(1, 700)
        parts.add(701, 799)
        for part, column in zip(parts.statistics(), whole.statistics(), strict=True):
            assert np.array_equal(part, column, equal_nan=True)
        assert parts.nodes == whole.nodes


class Watched(OneTree):
    """Remembers the hands that it was grown over."""

    def _deals(self, first: int, count: int) -> beliefs.Deals:
        self.deals = super()._deals(first, count)
        return self.deals


def test_what_is_tried_first_has_nothing_to_do_with_the_hands_drawn() -> None:
    state, trees = minimax.rounds(1, 6, seed=2)[0], 400
    seat, actions = int(state[layout.PLAYER]), np.array(minimax.legal(state), np.int32)
    view, tried, holders = GAME.view(state, seat), np.zeros(trees, int), np.zeros((trees, tiles.NUM_TILES), int)
    for seed in range(trees):
        tree = Watched(GAME.kernels(), view, seat, actions, TreeGrowth(selection="ucb"), seed)
        tree.add(0, 1)
        tried[seed] = int(tree.statistics()[1].argmax())
        holders[seed] = (tree.deals[0][:, None] >> np.arange(tiles.NUM_TILES) & 1).argmax(axis=0)
    hidden = [tile for tile in range(tiles.NUM_TILES) if len(set(holders[:, tile])) > 1]
    assert len(hidden) > 10
    assert len(set(tried)) == len(actions)
    for tile in hidden:
        assert chances.of_independence(tried, holders[:, tile]) > LEVEL


def test_the_chain_visits_deals_as_often_as_they_weigh() -> None:
    weights, draws = np.array([0.1, 0.2, 0.7]), 30_000
    picked = np.random.Generator(np.random.PCG64(1)).integers(0, 3, draws)
    deals = np.repeat(picked[:, None], layout.MAX_SEATS, axis=1).astype(np.int64)
    kept, level = np.zeros(layout.MAX_SEATS, np.int64), np.full(1, -math.inf)
    GAME.kernels().ismcts.accept(deals, np.log(weights)[picked], 9, 0, np.zeros(4, np.uint64), kept, level)
    assert (deals == deals[:, :1]).all()
    thinned = deals[::30, 0]  # a chain that takes 7 of 10 proposals has forgotten by then
    counts = np.bincount(thinned, minlength=3)
    assert chances.of_counts(counts, weights * len(thinned)) > LEVEL
    assert deals[0, 0] == picked[0]


def test_a_move_that_was_never_tried_has_no_value() -> None:
    state = next(one for one in minimax.rounds(10, 6, seed=2) if len(minimax.legal(one)) > 2)
    values, visits, deviations = grown(state, 2, selection="ucb").statistics()
    assert sorted(visits.tolist())[-2:] == [1, 1]
    assert np.isnan(values).tolist() == (visits == 0).tolist()
    assert np.isnan(deviations).all()
