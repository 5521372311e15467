"""Imperfect Minimax against the paper's algorithm, and against open hands where all are certain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games.dominoes import house_rules
from games.dominoes import state as layout
from games.dominoes.search import compilation, double_dummy, imperfect_minimax
from games.hands import TO_THE_END, Valuation
from games.protocol import State
from tests.games.dominoes import minimax
from tests.games.dominoes.tables import GAME, position
from tests.looping import looped

AUTHORS = Valuation(payoff="authors")


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    compilation.compile_searches(GAME.kernels())


@looped("block_end", minimax.BLOCK_ENDS)
@looped("depth, laid", [(0, 15), (2, 15), (4, 15), (6, 19)])
def test_imperfect_minimax_is_the_papers_algorithm(depth: int, laid: int, block_end: str) -> None:
    """Late in a round what each seat lacks is known to all, so that they pass."""
    for known in minimax.rounds(4 if laid < 18 else 12, laid, seed=8, block_end=block_end):
        state = known if laid < 18 else minimax.reveal(known)
        actions = np.array(minimax.legal(state), np.int32)
        view = GAME.view(state, int(state[layout.PLAYER]))
        exact = imperfect_minimax.values(GAME.kernels(), view, actions, depth, Valuation(), is_exact=True).values
        assert exact.tolist() == pytest.approx(minimax.imperfect(state, depth).tolist())
        pruned = imperfect_minimax.values(GAME.kernels(), view, actions, depth, Valuation()).values
        assert pruned.argmax() == exact.argmax()
        assert pruned.max() == pytest.approx(exact.max())


def test_the_authors_pruning_loses_values() -> None:
    differ = 0
    for state in minimax.rounds(30, 12, seed=9):
        actions = np.array(minimax.legal(state), np.int32)
        sound, unsound = (
            imperfect_minimax.values(GAME.kernels(), state, actions, 4, Valuation(), is_unsound=is_unsound).values.max()
            for is_unsound in (False, True)
        )
        differ += abs(sound - unsound) > 1e-9
    assert differ > 0


def of_open_hands(state: State) -> list[float]:
    actions = np.array(minimax.legal(state), np.int32)
    return double_dummy.values(GAME.kernels(), state, actions, TO_THE_END, AUTHORS).values.tolist()


def of_certain_hands(state: State) -> list[float]:
    """Values to the seat on turn, which sees its own hand alone."""
    actions, view = np.array(minimax.legal(state), np.int32), GAME.view(state, int(state[layout.PLAYER]))
    return imperfect_minimax.values(GAME.kernels(), view, actions, 60, AUTHORS, is_exact=True).values.tolist()


@looped("block_end", minimax.BLOCK_ENDS)
@looped("block", minimax.BLOCKS)
def test_where_all_hands_are_certain_they_are_searched_as_open_ones(block: dict[str, Any], block_end: str) -> None:
    """By the game itself, whatever ends a round and whoever wins a block: the paper counts pips."""
    for state in minimax.certain(8, seed=11, block_end=block_end, **block):
        assert of_open_hands(state) == minimax.values(state, 60, by_pips=True)
        assert of_certain_hands(state) == pytest.approx(of_open_hands(state))


@looped("block_end", minimax.BLOCK_ENDS)
def test_certain_hands_are_open_ones_by_every_house_rule(block_end: str) -> None:
    for rules in house_rules.PRESETS.values():
        for state in minimax.certain(8, 12, **{**rules.options, "length": "round", "block_end": block_end}):
            assert of_certain_hands(state) == pytest.approx(of_open_hands(state))


def test_a_tile_after_which_three_pass_ends_the_round() -> None:
    """The fourth could lay. 4-5 at the right end brings -15, and not 15; at the left end -15, and not -26."""
    hands = [[(4, 5), (5, 6), (0, 4)], [(0, 2), (2, 2)], [(3, 3), (3, 6)], [(1, 1), (1, 6)]]
    for block_end, wanted in (("three_passes", [-24, -15, -15, 15]), ("four_passes", [-24, -26, 15, 15])):
        state = minimax.reveal(position(hands, (5, 4), 0, block_end=block_end))
        words = [GAME.notation(state, action) for action in minimax.legal(state)]
        assert words == ["0-4 right", "4-5 left", "4-5 right", "5-6 left"]
        assert of_open_hands(state) == of_certain_hands(state) == wanted
