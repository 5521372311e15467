"""Searches over hands, known or believed, against their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games import loader
from games.dominoes import house_rules
from games.dominoes import state as layout
from games.dominoes.search import compilation, double_dummy, imperfect_minimax, valuations, workspace
from games.hands import TO_THE_END, ActionValues, Valuation
from games.protocol import State
from tests.games.dominoes import minimax
from tests.games.dominoes.tables import GAME, position
from tests.looping import looped

USUAL = Valuation()
BONUSES: dict[str, Any] = {
    "out_points": "all",
    "block_points": "difference",
    "block_compare": "player",
    "block_tie": "nearest",
    "capicua": 25,
    "chuchazo": 30,
    "all_pass_bonus": 25,
    "block_end": "four_passes",
    "first_rounds_bonus": True,
}
RULES: tuple[dict[str, Any], ...] = (
    {},
    BONUSES,
    {"block_end": "three_passes", "block_compare": "blocker", "block_tie": "opener_loses", "block_points": "all"},
)


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    compilation.compile_searches(GAME.kernels())


def searched(state: State, depth: int, how: Valuation = USUAL) -> list[float]:
    actions = np.array(minimax.legal(state), np.int32)
    return double_dummy.values(GAME.kernels(), state, actions, depth, how).values.tolist()


@pytest.mark.parametrize("rules", RULES, ids=("paper", "bonuses", "three passes"))
def test_rounds_are_solved_to_their_end_by_the_points_of_the_rules(rules: dict[str, Any]) -> None:
    for state in minimax.rounds(12, 18, **rules):
        assert searched(state, TO_THE_END) == minimax.values(state, 60)


@looped("rules", RULES)
@looped("depth", [0, 3, 5])
def test_a_search_with_a_limit_values_what_it_finds_there_by_pips(rules: dict[str, Any], depth: int) -> None:
    for state in minimax.rounds(8, 14, seed=2, **rules):
        assert searched(state, depth) == minimax.values(state, depth)


def test_the_table_changes_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    states = minimax.rounds(6, 12, seed=3)
    found = [searched(state, depth) for state in states for depth in (6, TO_THE_END)]
    monkeypatch.setattr(valuations, "TABLE_BITS", 0)
    monkeypatch.setattr(valuations, "FEWER_BITS", 0)
    assert [searched(state, depth) for state in states for depth in (6, TO_THE_END)] == found


def test_undecorated_kernels_find_the_same() -> None:
    """NumPy raises where an index is wrong."""
    plain = loader.rules(GAME.folder, False, "plain")
    for state in minimax.rounds(3, 17, seed=4):
        actions = np.array(minimax.legal(state), np.int32)
        for depth in (3, TO_THE_END):
            expected = double_dummy.values(GAME.kernels(), state, actions, depth, Valuation()).values.tolist()
            assert double_dummy.values(plain, state, actions, depth, Valuation()).values.tolist() == expected
        expected = imperfect_minimax.values(GAME.kernels(), state, actions, 3, Valuation()).values.tolist()
        found = imperfect_minimax.values(plain, state, actions, 3, Valuation()).values.tolist()
        assert found == pytest.approx(expected)


def test_more_than_one_generation_of_the_table_is_never_mixed_up() -> None:
    states = minimax.rounds(2, 12, seed=5)
    first = [searched(state, TO_THE_END) for state in states]
    workspace._memory.generation = GAME.kernels().double_dummy.GENERATIONS - 2
    assert [searched(state, TO_THE_END) for state in states * 2] == first * 2


def test_the_authors_reckon_ends_of_rounds_by_pips() -> None:
    state = position([[(1, 2)], [(4, 4)], [(5, 6)], [(0, 0)]], (1, 3), 0)
    assert searched(state, TO_THE_END, Valuation(payoff="authors")) == [8.0]
    assert searched(state, TO_THE_END, Valuation(payoff="points")) == [8.0]
    blocked = position([[(1, 2), (0, 0)], [(4, 4)], [(5, 5)], [(0, 3)]], (1, 2), 0)
    assert searched(blocked, TO_THE_END, Valuation(payoff="authors"))[0] == 8 + 3 - 10.0
    assert searched(blocked, TO_THE_END, Valuation(payoff="points"))[0] == 11.0


def test_tiles_laid_may_count() -> None:
    state = minimax.rounds(1, 10, seed=6)[0]
    plain, with_tiles = (np.array(searched(state, 0, Valuation(name, "points", 7))) for name in ("pips", "pips_tiles"))
    seat = int(state[layout.PLAYER])
    counts = state[layout.COUNT : layout.COUNT + 4].astype(int)
    ahead = counts[(seat + 1) % 4] + counts[(seat + 3) % 4] - counts[seat] - counts[seat ^ 2] + 1
    assert (with_tiles - plain).tolist() == [7.0 * ahead] * len(plain)


def test_a_search_that_would_take_too_many_turns_is_made_less_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    state = minimax.rounds(1, 4, seed=8)[0]
    actions = np.array(minimax.legal(state), np.int32)
    monkeypatch.setattr(valuations, "MOST_TURNS", 3000)

    def known(depth: int) -> ActionValues:
        return double_dummy.values(GAME.kernels(), state, actions, depth, Valuation(), valuations.MOST_TURNS)

    def believed(depth: int) -> ActionValues:
        return imperfect_minimax.values(GAME.kernels(), state, actions, depth, Valuation())

    for search, deep in ((known, TO_THE_END), (believed, 60)):
        found = search(deep)
        assert 2 <= found.depth < 20
        assert found.nodes < 8 * 3000
        assert found.visits.sum() < 3100
        assert search(found.depth).values.tolist() == found.values.tolist()
        assert search(found.depth + 1).depth == found.depth
        with monkeypatch.context() as without:
            without.setattr(valuations, "MOST_TURNS", 10_000_000)
            free = search(found.depth)
            assert (free.depth, free.values.tolist()) == (found.depth, found.values.tolist())


def test_every_house_rule_can_be_searched() -> None:
    for rules in house_rules.PRESETS.values():
        state = minimax.rounds(1, 16, seed=10, **{**rules.options, "length": "round"})[0]
        assert searched(state, TO_THE_END) == minimax.values(state, 60)
