"""Searches over hands, known or believed, against their definitions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games import loader
from games.dominoes import house_rules, searching, valuing, weights
from games.dominoes import state as layout
from games.dominoes.searching import TO_THE_END
from games.dominoes.valuing import How
from games.protocol import State
from tests.games.dominoes import minimax
from tests.games.dominoes.tables import GAME, position

USUAL = How()
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
    searching.compiled(GAME.kernels())


def searched(state: State, depth: int, how: How = USUAL) -> list[float]:
    actions = np.array(minimax.legal(state), np.int32)
    return searching.values(GAME.kernels(), state, actions, depth, how).values.tolist()


@pytest.mark.parametrize("rules", RULES, ids=("paper", "bonuses", "three passes"))
def test_rounds_are_solved_to_their_end_by_the_points_of_the_rules(rules: dict[str, Any]) -> None:
    for state in minimax.rounds(12, 18, **rules):
        assert searched(state, TO_THE_END) == minimax.values(state, 60)


@pytest.mark.parametrize("rules", RULES, ids=("paper", "bonuses", "three passes"))
@pytest.mark.parametrize("depth", [0, 3, 5])
def test_a_search_with_a_limit_values_what_it_finds_there_by_pips(rules: dict[str, Any], depth: int) -> None:
    for state in minimax.rounds(8, 14, seed=2, **rules):
        assert searched(state, depth) == minimax.values(state, depth)


def test_the_table_changes_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    states = minimax.rounds(6, 12, seed=3)
    found = [searched(state, depth) for state in states for depth in (6, TO_THE_END)]
    monkeypatch.setattr(valuing, "TABLE_BITS", 0)
    monkeypatch.setattr(valuing, "FEWER_BITS", 0)
    assert [searched(state, depth) for state in states for depth in (6, TO_THE_END)] == found


def test_undecorated_kernels_find_the_same() -> None:
    """NumPy raises where an index is wrong."""
    plain = loader.rules(GAME.folder, False, "plain")
    for state in minimax.rounds(3, 17, seed=4):
        actions = np.array(minimax.legal(state), np.int32)
        for depth in (3, TO_THE_END):
            expected = searching.values(GAME.kernels(), state, actions, depth, How()).values.tolist()
            assert searching.values(plain, state, actions, depth, How()).values.tolist() == expected
        expected = searching.imperfect(GAME.kernels(), state, actions, 3, How()).values.tolist()
        assert searching.imperfect(plain, state, actions, 3, How()).values.tolist() == pytest.approx(expected)


def test_more_than_one_generation_of_the_table_is_never_mixed_up() -> None:
    states = minimax.rounds(2, 12, seed=5)
    first = [searched(state, TO_THE_END) for state in states]
    searching._memory.generation = GAME.kernels().solving.GENERATIONS - 2
    assert [searched(state, TO_THE_END) for state in states * 2] == first * 2


def test_the_authors_reckon_ends_of_rounds_by_pips() -> None:
    state = position([[(1, 2)], [(4, 4)], [(5, 6)], [(0, 0)]], (1, 3), 0)
    assert searched(state, TO_THE_END, How(payoff="authors")) == [8.0]
    assert searched(state, TO_THE_END, How(payoff="points")) == [8.0]
    blocked = position([[(1, 2), (0, 0)], [(4, 4)], [(5, 5)], [(0, 3)]], (1, 2), 0)
    assert searched(blocked, TO_THE_END, How(payoff="authors"))[0] == 8 + 3 - 10.0
    assert searched(blocked, TO_THE_END, How(payoff="points"))[0] == 11.0


def test_tiles_laid_may_count() -> None:
    state = minimax.rounds(1, 10, seed=6)[0]
    plain, with_tiles = (np.array(searched(state, 0, How(name, "points", 7))) for name in ("pips", "pips_tiles"))
    seat = int(state[layout.PLAYER])
    counts = state[layout.COUNT : layout.COUNT + 4].astype(int)
    ahead = counts[(seat + 1) % 4] + counts[(seat + 3) % 4] - counts[seat] - counts[seat ^ 2] + 1
    assert (with_tiles - plain).tolist() == [7.0 * ahead] * len(plain)


def test_the_fitted_value_weighs_what_it_says() -> None:
    state = minimax.rounds(1, 10, seed=7)[0]
    worlds = GAME.kernels().worlds
    w, row = searching.words(GAME.kernels(), state, How("fitted")), np.zeros(4 * worlds.TERMS)
    worlds.begin(state, w, *(int(word) for word in state[layout.HAND : layout.COUNT]))
    seat, left, right = (int(state[word]) for word in (layout.PLAYER, layout.LEFT, layout.RIGHT))
    worlds.list_terms(w, seat, left, right, row)
    wanted = float(np.append(row, 1.0) @ weights.value())
    found = GAME.kernels().worlds.evaluate(w, seat, left, right) / valuing.FINE
    assert found == pytest.approx(wanted, abs=0.01 * row.sum())
    assert row[0] == sum(minimax.tiles.PIPS[t] for t in minimax.tiles.listed(int(state[layout.HAND + seat])))
    assert [row[k * worlds.TERMS + 3 : (k + 1) * worlds.TERMS].argmax() for k in range(4)] == [
        state[layout.COUNT + (seat + k) % 4] for k in range(4)
    ]


@pytest.mark.parametrize("depth", [0, 2, 4])
def test_imperfect_minimax_is_the_papers_algorithm(depth: int) -> None:
    for state in minimax.rounds(8, 15, seed=8):
        actions = np.array(minimax.legal(state), np.int32)
        view = GAME.view(state, int(state[layout.PLAYER]))
        exact = searching.imperfect(GAME.kernels(), view, actions, depth, How(), is_exact=True).values
        assert exact.tolist() == pytest.approx(minimax.imperfect(state, depth).tolist())
        pruned = searching.imperfect(GAME.kernels(), view, actions, depth, How()).values
        assert pruned.argmax() == exact.argmax()
        assert pruned.max() == pytest.approx(exact.max())


def test_a_search_that_would_take_too_many_turns_is_made_less_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    state = minimax.rounds(1, 4, seed=8)[0]
    actions = np.array(minimax.legal(state), np.int32)
    monkeypatch.setattr(valuing, "MOST_TURNS", 3000)

    def known(depth: int) -> searching.Found:
        return searching.values(GAME.kernels(), state, actions, depth, How(), valuing.MOST_TURNS)

    def believed(depth: int) -> searching.Found:
        return searching.imperfect(GAME.kernels(), state, actions, depth, How())

    for search, deep in ((known, TO_THE_END), (believed, 60)):
        found = search(deep)
        assert 2 <= found.depth < 20
        assert found.nodes < 8 * 3000
        assert found.visits.sum() < 3100
        assert search(found.depth).values.tolist() == found.values.tolist()
        assert search(found.depth + 1).depth == found.depth
        with monkeypatch.context() as without:
            without.setattr(valuing, "MOST_TURNS", 10_000_000)
            free = search(found.depth)
            assert (free.depth, free.values.tolist()) == (found.depth, found.values.tolist())


def test_the_authors_pruning_loses_values() -> None:
    differ = 0
    for state in minimax.rounds(30, 12, seed=9):
        actions = np.array(minimax.legal(state), np.int32)
        sound, unsound = (
            searching.imperfect(GAME.kernels(), state, actions, 4, How(), is_unsound=is_unsound).values.max()
            for is_unsound in (False, True)
        )
        differ += abs(sound - unsound) > 1e-9
    assert differ > 0


def test_depths_are_those_that_the_papers_logs_print() -> None:
    def depths(alpha: float, beta: float) -> list[int]:
        state = np.zeros(layout.SIZE, np.int32)
        found = []
        for turns in range(0, 28, 4):
            state[layout.NUM_TURNS] = turns
            found.append(searching.depth_at(state, alpha, beta))
        return found

    assert depths(5, 1 / 3) == depths(5, 0.333333) == [5, 6, 7, 10, 12, 15, 20]
    assert depths(6, 0.5) == [6, 8, 12, 16, 24, 33, 48]
    assert depths(4, 1 / 3) == [4, 5, 6, 8, 10, 12, 16]
    assert depths(5, 3)[:2] == [5, 40]


def test_equal_values_go_to_the_tile_with_the_most_pips() -> None:
    actions = np.array([2 * 3, 2 * 27 + 1, 2 * 5, 2 * 5 + 1, layout.PASS], np.int32)
    assert searching.sorted_actions(actions).tolist() == [55, 10, 11, 6, layout.PASS]


def test_the_fit_says_how_it_holds_on_play_that_it_has_not_seen() -> None:
    fitted = weights.data()
    assert fitted["value"]["rms_error_fitted"] < fitted["value"]["rms_error_pips_scaled"]
    assert fitted["value"]["rms_error_pips_scaled"] < fitted["value"]["rms_error_nothing"]
    assert fitted["manner"]["log_loss"] < 0.9 * fitted["manner"]["log_loss_by_chance"]
    assert len(weights.value()) == 4 * GAME.kernels().worlds.TERMS + 1
    assert Path(weights.FILE).name == "fitted.json"


def test_every_house_rule_can_be_searched() -> None:
    for options in house_rules.PRESETS.values():
        state = minimax.rounds(1, 16, seed=10, **{**options, "length": "round"})[0]
        assert searched(state, TO_THE_END) == minimax.values(state, 60)
