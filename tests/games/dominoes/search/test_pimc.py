"""Worlds drawn, weighed, searched and averaged."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from games import loader, rng
from games.dominoes import state as layout
from games.dominoes import tiles
from games.dominoes.belief import beliefs, opponent_model
from games.dominoes.search import compilation, fitted_weights, workspace
from games.dominoes.search.pimc import ManyWorlds
from games.hands import TO_THE_END, Inference, Sampling, Valuation
from games.protocol import State
from tests import chances
from tests.games.dominoes import minimax
from tests.games.dominoes.tables import GAME, position
from tests.looping import looped

LEVEL = 1e-6
"""A chi-square test with a fixed seed fails a right sampler with this chance, once and for all."""


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    compilation.compile_searches(GAME.kernels())


def run(state: State, worlds: int, seed: int = 1, kernels: Any = None, **drawn: Any) -> ManyWorlds:
    seat = int(state[layout.PLAYER])
    actions = np.array(minimax.legal(state), np.int32)
    many = ManyWorlds(kernels or GAME.kernels(), GAME.view(state, seat), seat, actions, Sampling(**drawn), seed)
    many.add(0, many.number or worlds)
    return many


def few_deals(count: int, seed: int = 1, most: int = 60) -> list[State]:
    states = minimax.rounds(6 * count, 18, seed=seed)
    kernels = GAME.kernels()
    found = [one for one in states if 1 < beliefs.consistent_deals(kernels, one, int(one[layout.PLAYER])) <= most]
    return found[:count]


def test_all_worlds_are_averaged_where_they_are_few() -> None:
    states = few_deals(4)
    assert len(states) == 4
    for state in states:
        seat = int(state[layout.PLAYER])
        deals = beliefs.all_deals(GAME.kernels(), state, seat, 60)
        assert deals is not None
        wanted = np.zeros(len(minimax.legal(state)))
        for deal in deals:
            world = state.copy()
            world[layout.HAND : layout.COUNT] = deal
            wanted += minimax.values(world, 60)
        many = run(state, 0, all_below=60)
        assert many.worlds == many.number == len(deals)
        assert many.means()[0].tolist() == pytest.approx((wanted / len(deals)).tolist())


def test_sampled_means_come_to_those_of_all_worlds() -> None:
    state = few_deals(1, seed=2)[0]
    exact = run(state, 0, all_below=60).means()[0]
    means, deviations = run(state, 4000).means()
    assert np.abs(means - exact).max() < 5 * deviations.max() / math.sqrt(4000) + 1e-9


def test_worlds_do_not_depend_on_how_they_are_shared_out() -> None:
    state = minimax.rounds(1, 10, seed=3)[0]
    for drawn in ({"depth": 4}, {"playouts": 2}, {"depth": 3, "is_postponed": True}, {"depth": 3, "is_common": False}):
        whole = run(state, 12, **drawn)
        parts = run(state, 5, **drawn)
        parts.add(5, 7)
        assert parts.means()[0].tolist() == pytest.approx(whole.means()[0].tolist())


def test_the_papers_sampler_draws_each_tile_by_the_papers_belief() -> None:
    state = minimax.rounds(1, 9, seed=4)[0]
    seat, number = int(state[layout.PLAYER]), 4000
    deals, r = np.zeros((number, 4), np.int64), np.zeros(4, np.uint64)
    classes = np.zeros(GAME.kernels().dealing.WORK, np.int64)
    GAME.kernels().determinization.draw(GAME.view(state, seat), seat, 7, 0, False, r, classes, deals)
    believed = beliefs.paper(GAME.kernels(), state, seat)
    held = (deals[:, None, :] >> np.arange(tiles.NUM_TILES)[None, :, None] & 1).sum(axis=0)
    for tile in tiles.tile_indices(int(state[layout.UNPLAYED])):
        assert held[tile].sum() == number
        may = believed[tile] > 0
        assert held[tile][~may].sum() == 0
        if may.sum() > 1:
            assert chances.of_counts(held[tile][may], number * believed[tile][may]) > LEVEL
    sizes = np.array([[int(hand).bit_count() for hand in deal] for deal in deals.tolist()])
    assert (sizes != state[layout.COUNT : layout.COUNT + 4]).any(axis=1).mean() > 0.5


def test_a_level_of_nothing_says_nothing() -> None:
    state = minimax.rounds(1, 12, seed=5)[0]
    plain = run(state, 40, depth=2)
    for inference in ("flat", "manner"):
        many = run(state, 40, depth=2, inference=Inference(inference, 0.0))
        assert many.means()[0].tolist() == pytest.approx(plain.means()[0].tolist())
        assert many.effective == pytest.approx(40.0)


def test_worlds_weigh_by_what_the_others_laid() -> None:
    state = few_deals(1, seed=6)[0]
    seat = int(state[layout.PLAYER])
    deals = beliefs.all_deals(GAME.kernels(), state, seat, 60)
    assert deals is not None
    model = opponent_model.Model("flat", 0)
    logs = opponent_model.likelihoods(GAME.kernels(), state, seat, deals, model)[:, :, 8].sum(axis=1)
    weigh = np.exp(logs)
    of_world = np.array([_values_of(state, deal) for deal in deals])
    many = run(state, 0, all_below=60, inference=Inference("flat", 0.8))
    assert many.effective == pytest.approx(weigh.sum() ** 2 / (weigh**2).sum())
    assert many.means()[0].tolist() == pytest.approx((weigh @ of_world / weigh.sum()).tolist())


def test_worlds_weigh_by_levels_that_are_learned() -> None:
    state = few_deals(1, seed=6)[0]
    seat = int(state[layout.PLAYER])
    deals = beliefs.all_deals(GAME.kernels(), state, seat, 60)
    assert deals is not None
    logs = opponent_model.likelihoods(GAME.kernels(), state, seat, deals, opponent_model.Model("flat", 0))
    weigh = np.exp(logs).mean(axis=2).prod(axis=1)
    many = run(state, 0, all_below=60, inference=Inference("flat", 0.8, adapts=True))
    assert many.effective == pytest.approx(weigh.sum() ** 2 / (weigh**2).sum())
    assert many.effective != pytest.approx(run(state, 0, all_below=60, inference=Inference("flat", 0.8)).effective)


def test_worlds_that_explain_nothing_well_weigh_by_how_much_worse_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Likelihoods so small that a number cannot hold them, smaller by each part of the worlds or larger."""
    state = minimax.rounds(1, 12, seed=5)[0]
    usual = ManyWorlds._likelihoods
    for drawn in ({"depth": 2}, {"depth": 2, "is_common": False}, {"depth": 2, "is_postponed": True}):
        plain = run(state, 40, inference=Inference("manner"), **drawn)
        with monkeypatch.context() as patched:
            patched.setattr(ManyWorlds, "_likelihoods", lambda self, deals: usual(self, deals) - 2000.0)
            many = run(state, 13, inference=Inference("manner"), **drawn)
            many.add(13, 27)
        assert many.effective == pytest.approx(plain.effective)
        for found, wanted in zip(many.means(), plain.means(), strict=True):
            assert found.tolist() == pytest.approx(wanted.tolist())


def _values_of(state: State, deal: Any) -> list[int]:
    world = state.copy()
    world[layout.HAND : layout.COUNT] = deal
    return minimax.values(world, 60)


def test_manner_gives_every_choice_a_chance_and_all_of_them_one() -> None:
    """The likelihood of a deal is the product over the tiles that others laid where they had a choice."""
    state = minimax.rounds(1, 6, seed=7)[0]
    seat = int(state[layout.PLAYER])
    deals = beliefs.sample(GAME.kernels(), state, seat, 20, rng.new_stream(1, rng.ANALYSIS))
    w, logs = workspace.words(GAME.kernels(), state, Valuation()), np.zeros(20)
    GAME.kernels().determinization.weigh(state, w, fitted_weights.playout_policy(), seat, deals, logs)
    assert (logs < 0).all()
    level = np.zeros_like(fitted_weights.playout_policy())  # no weights: any tile that fits, alike likely
    GAME.kernels().determinization.weigh(state, w, level, seat, deals, logs)
    per_legal = opponent_model.likelihoods(GAME.kernels(), state, seat, deals, opponent_model.Model("per_legal", 0))
    assert logs.tolist() == pytest.approx(per_legal[:, :, 0].sum(axis=1).tolist())


def test_playouts_come_to_what_a_search_finds_where_all_is_forced() -> None:
    """Each other seat has a single tile left: it lays it, goes out, or passes."""
    state = position([[(1, 2), (1, 3)], [(2, 4)], [(3, 5)], [(6, 6)]], (1, 1), 0)
    searched = run(state, 0, all_below=60)
    played = run(state, 0, all_below=60, playouts=3, sharpness=0.0)
    assert searched.worlds == played.worlds == 6
    assert played.means()[0].tolist() == pytest.approx(searched.means()[0].tolist())
    middle = run(minimax.rounds(1, 12, seed=9)[0], 50, playouts=4).means()[0]
    assert (np.abs(middle) <= 168).all()


@looped("block_end", minimax.BLOCK_ENDS)
@looped("block", minimax.BLOCKS)
def test_rounds_end_in_each_world_as_in_the_game(block: dict[str, Any], block_end: str) -> None:
    """Where all hands are certain: minimax, one choice for all worlds, the paper's worlds; playouts without choices."""
    for state in minimax.certain(4, seed=13, block_end=block_end, **block):
        wanted = pytest.approx(minimax.values(state, 60))
        assert run(state, 2).means()[0].tolist() == wanted
        assert run(state, 2, is_postponed=True).means()[0].tolist() == wanted
        assert run(state, 2, sampler="paper").means()[0].tolist() == wanted
    for state in minimax.certain(4, seed=14, sizes=(2, 1, 1, 1), block_end=block_end, **block):
        assert run(state, 2, playouts=1).means()[0].tolist() == pytest.approx(minimax.values(state, 60))


def test_a_seat_that_knows_all_hands_loses_nothing_by_choosing_for_all_worlds() -> None:
    state = position([[(1, 2), (1, 3), (0, 0)], [(2, 4), (4, 4)], [(3, 5), (5, 5)], [(6, 6), (1, 6)]], (1, 1), 0)
    state[layout.LACKS + 1], state[layout.LACKS + 2] = 1 << 3 | 1 << 5 | 1 << 6, 1 << 4 | 1 << 6
    assert beliefs.consistent_deals(GAME.kernels(), state, 0) == 1
    assert run(state, 3, is_postponed=True).means()[0].tolist() == pytest.approx(minimax.values(state, 60))


def test_choosing_for_all_worlds_is_never_better_than_in_each() -> None:
    for state in few_deals(5, seed=11):
        fused, chosen = (run(state, 0, all_below=60, is_postponed=one).means()[0] for one in (False, True))
        assert (chosen <= fused + 1e-9).all()


def test_undecorated_kernels_find_the_same() -> None:
    plain = loader.rules(GAME.folder, False, "plain")
    state = minimax.rounds(1, 17, seed=12)[0]
    for drawn in (
        {"depth": 2, "sampler": "paper"},
        {"playouts": 1, "inference": Inference("manner")},
        {"depth": TO_THE_END, "is_postponed": True},
    ):
        expected = run(state, 3, **drawn).means()[0].tolist()
        assert run(state, 3, kernels=plain, **drawn).means()[0].tolist() == pytest.approx(expected)
