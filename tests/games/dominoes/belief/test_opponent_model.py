"""Inference from plays: likelihoods against a plain search, weights, learnt opponent_model."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from games import rng as streams
from games.dominoes import state as layout
from games.dominoes.belief import beliefs, opponent_model
from games.dominoes.belief.opponent_model import GRID, Model
from tests.games.dominoes import minimax, reference
from tests.games.dominoes.reference import Tile
from tests.games.dominoes.tables import GAME, Tables, action_of, after, tiles_in
from tests.looping import looped

RULES: dict[str, Any] = {"length": "round", "first_opener": "any"}
BUFFERS = (np.zeros(layout.MAX_ACTIONS, np.int32), np.ones(1, np.int32))


def played(seed: int, turns: int, greedy: float = 0.0, **rules: Any) -> Tables:
    """A round so far; others than seat 0 lay the most pips with this chance, else any tile."""
    rng = random.Random(seed)
    tables = Tables(RULES | rules, reference.random_hands(rng), rng.randrange(4))
    policy = list(GAME.policies).index("greedy")
    for _ in range(turns):
        if not tables.slow.playing:
            return played(seed + 1000, turns, greedy, **rules)
        move = rng.choice(tables.slow.legal())
        if tables.slow.player and rng.random() < greedy:
            chosen = GAME.policy("greedy")(policy, tables.state, np.ones(4, np.uint64), *BUFFERS)
            move = next(one for one in tables.slow.legal() if action_of(one) == chosen)
        tables.play(move)
    return tables


def slow_value(
    hands: list[list[Tile]], seat: int, ends: tuple[int, int], depth: int, last: int, passes: int = 0
) -> int:
    """Margin of pips for the seat's team after so many turns of best play. last: passes that end a round."""
    if depth == 0 or not hands[(seat - 1) % 4] or passes == last:
        pips = [sum(a + b for a, b in hand) for hand in hands]
        return pips[(seat + 1) % 4] + pips[(seat + 3) % 4] - pips[seat] - pips[(seat + 2) % 4]
    values = [-slow_value(after, (seat + 1) % 4, new, depth - 1, last) for _, after, new in ways(hands, seat, ends)]
    return max(values) if values else -slow_value(hands, (seat + 1) % 4, ends, depth - 1, last, passes + 1)


def ways(hands: list[list[Tile]], seat: int, ends: tuple[int, int] | None) -> list[tuple[Any, Any, Any]]:
    """Every tile that may be laid: (move, hands after, ends after)."""
    found = []
    for tile in hands[seat]:
        for side in (0, 1):
            if ends is None:
                new = tile if side == 0 else None
            else:
                fits = ends[side] in tile and not (side == 1 and ends[0] == ends[1])
                outer = sum(tile) - ends[side]
                new = ((outer, ends[1]) if side == 0 else (ends[0], outer)) if fits else None
            if new is not None:
                after = [[one for one in hand if one != tile] for hand in hands]
                found.append(((tile, "LR"[side]), after, new))
    return found


def slow_likelihood(tables: Tables, seat: int, other: int, level: float, model: Model) -> float:
    """Log-likelihood of another seat's tiles, given the true hands."""
    hands, total = [list(hand) for hand in tables.slow.first_hands], 0.0
    for turn in tables.slow.turns:
        if turn.move == "PASS":
            continue
        options = ways(hands, turn.seat, turn.ends)
        worth = [
            sum(move[0]) if model.depth == 0 else -slow_value(after, (turn.seat + 1) % 4, new, model.depth - 1, 4)
            for move, after, new in options
        ]
        best = [way[0] for way, value in zip(options, worth, strict=True) if value == max(worth)]
        if turn.seat == other and len(options) > 1:
            base = 1.0 if model.base == "flat" else 1 / len(options)
            total += math.log(max(1e-12, (1 - level) * base + level * (turn.move in best) / len(best)))
        hands[turn.seat].remove(turn.move[0])
    return total


@looped("model", [Model(), Model("per_legal"), Model("flat", 1), Model("per_legal", 2), Model("flat", 4)])
def test_likelihoods_are_those_of_a_plain_search(model: Model) -> None:
    for seed in range(3):
        tables = played(seed, 12)
        deals = np.array([tables.state[layout.HAND : layout.HAND + 4]], np.int64)
        found = opponent_model.likelihoods(GAME.kernels(), tables.state, 0, deals, model)[0]
        assert not found[0].any(), "the own plays say nothing new"
        for other in (1, 2, 3):
            for k in (0, 5, 10):
                wanted = slow_likelihood(tables, 0, other, float(GRID[k]), model)
                assert found[other, k] == pytest.approx(wanted, abs=1e-9)


@looped("block_end, last", [("at_once", 4), ("four_passes", 4), ("three_passes", 3)])
def test_others_know_which_passes_end_a_round(block_end: str, last: int) -> None:
    """Tiles that are best by the one rule alone, laid in ends of rounds."""
    num_judged = 0
    for before in minimax.certain(60, seed=3, block_end=block_end):
        seat, ends = int(before[layout.PLAYER]), (int(before[layout.LEFT]), int(before[layout.RIGHT]))
        left = [tiles_in(hand) for hand in before[layout.HAND : layout.HAND + 4].tolist()]
        best = {of: best_moves(left, seat, ends, 8, of) for of in (3, 4)}
        for move in best[3] ^ best[4]:
            state = after(before, move)
            if state[layout.NUM_DEALT]:
                deals = np.array([state[layout.HAND : layout.HAND + 4]], np.int64)
                logs = opponent_model.likelihoods(GAME.kernels(), state, (seat + 1) % 4, deals, Model("flat", 8))
                wanted = 1 / len(best[last]) if move in best[last] else 1e-12
                assert logs[0, seat, -1] == pytest.approx(math.log(wanted))
                num_judged += 1
    assert num_judged > 3


def best_moves(left: list[list[Tile]], seat: int, ends: tuple[int, int], depth: int, last: int) -> set[Any]:
    """Moves of the best value so many turns deep."""
    options = ways(left, seat, ends)
    values = [-slow_value(then, (seat + 1) % 4, new, depth - 1, last) for _, then, new in options]
    return {option[0] for option, value in zip(options, values, strict=True) if value == max(values)}


def same(level: float) -> np.ndarray:
    return np.array([opponent_model.known(level)] * 4)


def weighed(tables: Tables, level: float, model: Model, number: int = 400) -> opponent_model.Posterior:
    r = streams.new_stream(1, streams.SEARCH)
    return opponent_model.posterior(GAME.kernels(), tables.state, 0, same(level), model, number, r)


def test_flat_level_zero_says_nothing() -> None:
    found = weighed(played(1, 14), 0.0, Model())
    np.testing.assert_allclose(found.weights, 1 / 400)
    assert found.effective == pytest.approx(400)
    assert not found.is_mixed


def test_the_true_deal_is_possible_where_others_are_greedy() -> None:
    for seed in range(5):
        tables = played(seed, 12, greedy=1.0)
        true = np.array([tables.state[layout.HAND : layout.HAND + 4]], np.int64)
        logs = opponent_model.likelihoods(GAME.kernels(), tables.state, 0, true, Model())
        assert (logs[0, 1:, -1] > math.log(0.2) * 12).all()


def test_effective_size_is_told_and_poor_samples_are_mixed() -> None:
    found = weighed(played(5, 16, greedy=1.0), 1.0, Model())
    assert found.effective < 40
    assert found.is_mixed
    assert found.weights.min() >= opponent_model.MIXED / 400
    assert found.weights.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(
        found.belief.sum(axis=0), [len(hand) for hand in map(tiles_in, hands(played(5, 16, greedy=1.0)))]
    )


def hands(tables: Tables) -> list[int]:
    return [int(word) for word in tables.state[layout.HAND : layout.HAND + 4]]


def test_the_right_level_makes_the_true_deal_more_probable() -> None:
    """Mean log-probability of the true deal, in the posterior over it and the deals drawn."""
    gain = []
    for seed in range(40):
        tables = played(seed, 11, greedy=0.9)
        r = streams.new_stream(seed, streams.SEARCH)
        drawn = beliefs.sample(GAME.kernels(), tables.state, 0, 300, r)
        deals = np.vstack([np.array([hands(tables)]), drawn])
        logs = opponent_model.likelihoods(GAME.kernels(), tables.state, 0, deals, Model("per_legal"))
        found = opponent_model.weighted_posterior(logs, deals, same(0.9))
        gain.append(math.log(found.weights[0]) - math.log(1 / len(deals)))
    assert np.mean(gain) > 3 * np.std(gain, ddof=1) / math.sqrt(len(gain)) > 0


def test_levels_are_learnt_over_rounds() -> None:
    for share, wanted in ((1.0, 0.7), (0.0, 0.5)):
        prior = np.array([opponent_model.uniform_prior()] * 4)
        for seed in range(8):
            tables = played(100 + seed, 14, greedy=share)
            r = streams.new_stream(seed, streams.SEARCH)
            prior = opponent_model.posterior(GAME.kernels(), tables.state, 0, prior, Model("per_legal"), 300, r).levels
        means = (prior * GRID).sum(axis=1)[1:]
        assert (means > wanted).all() if share else (means < wanted).all(), means
        np.testing.assert_allclose(prior.sum(axis=1), 1.0)


def test_an_unknown_level_is_a_mean_over_levels_of_each_seat() -> None:
    # deal 0: seat 1 has laid its best tile (chance g), seat 2 another (1 - g); deal 1: both their best, twice
    g = np.where(GRID == 0.0, 1e-300, GRID)
    nothing = np.zeros(len(GRID))
    logs = np.array([[nothing, np.log(g), np.log(g[::-1]), nothing], [nothing, 2 * np.log(g), 2 * np.log(g), nothing]])
    # means of 0, 0.1, .. 1 and of their squares: 0.5 and 0.35
    np.testing.assert_allclose(np.exp(opponent_model.log_of_unknown_levels(logs)), [0.5 * 0.5, 0.35 * 0.35])


def test_an_unknown_level_weighs_deals_as_the_posterior_of_uniform_priors_does() -> None:
    tables, prior = played(3, 14, greedy=0.9), np.array([opponent_model.uniform_prior()] * 4)
    deals = beliefs.sample(GAME.kernels(), tables.state, 0, 200, streams.new_stream(1, streams.SEARCH))
    logs = opponent_model.likelihoods(GAME.kernels(), tables.state, 0, deals, Model("per_legal"))
    found = opponent_model.weighted_posterior(logs, deals, prior)
    weights = np.exp(opponent_model.log_of_unknown_levels(logs))
    assert not found.is_mixed
    np.testing.assert_allclose(weights / weights.sum(), found.weights)


@pytest.mark.parametrize(("call", "message"), [(lambda: Model("flatt"), "base"), (lambda: Model(depth=99), "depth")])
def test_bad_models_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
    with pytest.raises(ValueError, match="level"):
        opponent_model.known(1.5)
