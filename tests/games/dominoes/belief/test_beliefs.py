"""Counting, sampling and listing of deals against brute force; the paper's belief in both forms."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from games import rng as streams
from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.belief import beliefs
from games.dominoes.belief.beliefs import PaperBelief
from tests import chances
from tests.games.dominoes import reference
from tests.games.dominoes.tables import GAME, Tables, set_of

LEVEL = 1e-6
"""A chi-square test with a fixed seed fails a right game with this chance, once and for all."""
RULES: dict[str, Any] = {"length": "round", "first_opener": "any"}


def rounds(count: int, least_laid: int, seed: int = 1, **rules: Any) -> list[Tables]:
    """Random rounds in the middle, with at least so many tiles on the table."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        tables = Tables(RULES | rules, reference.random_hands(rng), rng.randrange(4))
        while tables.slow.playing:
            if len(tables.slow.row) // 2 >= least_laid and rng.random() < 0.3:
                found.append(tables)
                break
            tables.play(rng.choice(tables.slow.legal()))
    return found


def brute(tables: Tables, seat: int) -> list[tuple[int, ...]]:
    """Every deal that a seat cannot tell apart, as sets of tiles by seat."""
    return [tuple(set_of(sorted(hand)) for hand in deal) for deal in reference.possible_deals(tables.slow, seat)]


def test_deals_are_counted_as_by_brute_force() -> None:
    with_exclusions = 0
    for tables in rounds(50, 16):
        for seat in range(4):
            deals = brute(tables, seat)
            assert beliefs.consistent_deals(GAME.kernels(), tables.state, seat) == len(deals)
            assert beliefs.log_probability(GAME.kernels(), tables.state, seat) == pytest.approx(-math.log(len(deals)))
            with_exclusions += any(turn.move == "PASS" for turn in tables.slow.turns)
    assert with_exclusions > 80


def test_all_deals_are_listed_once() -> None:
    for tables in rounds(25, 16, seed=2):
        deals = brute(tables, tables.slow.player)
        listed = beliefs.all_deals(GAME.kernels(), tables.state, tables.slow.player, len(deals))
        assert listed is not None
        assert sorted(map(tuple, listed.tolist())) == sorted(deals)
        assert beliefs.all_deals(GAME.kernels(), tables.state, tables.slow.player, len(deals) - 1) is None


def test_chances_are_shares_of_all_deals() -> None:
    for tables in rounds(20, 15, seed=3):
        seat = tables.slow.player
        deals = np.array(brute(tables, seat))
        held = deals[:, None, :] >> np.arange(tiles.NUM_TILES)[None, :, None] & 1
        exact = beliefs.exact(GAME.kernels(), tables.state, seat)
        np.testing.assert_allclose(exact, held.mean(axis=0), atol=1e-12)
        # unlike the paper's belief, a seat's chances add up to the tiles that it holds
        np.testing.assert_allclose(exact.sum(axis=0), [len(hand) for hand in tables.slow.hands], atol=1e-9)


def test_nothing_is_known_at_the_start() -> None:
    tables = Tables(RULES, reference.random_hands(random.Random(4)))
    number = math.factorial(21) // math.factorial(7) ** 3
    assert beliefs.consistent_deals(GAME.kernels(), tables.state, 0) == number == 399_072_960


def test_passes_prove_nothing_where_anybody_may_pass() -> None:
    (tables,) = rounds(1, 12, seed=5, enforce_pass=False)
    held = [len(hand) for hand in tables.slow.hands]
    seat, n = tables.slow.player, sum(held) - held[tables.slow.player]
    others = [count for other, count in enumerate(held) if other != seat]
    number = math.factorial(n) // math.prod(map(math.factorial, others))
    assert any(turn.move == "PASS" for turn in tables.slow.turns)
    assert beliefs.consistent_deals(GAME.kernels(), tables.state, seat) == number


def with_few_deals() -> Tables:
    """A position with passes and between 20 and 300 deals."""
    for tables in rounds(40, 12, seed=6):
        passes = {turn.seat for turn in tables.slow.turns if turn.move == "PASS"} - {tables.slow.player}
        if len(passes) >= 2 and 20 <= beliefs.consistent_deals(GAME.kernels(), tables.state, tables.slow.player) <= 300:
            return tables
    raise AssertionError("no such position")


def test_deals_are_drawn_with_equal_chance() -> None:
    tables = with_few_deals()
    seat, deals = tables.slow.player, brute(tables, tables.slow.player)
    number = 100 * len(deals)
    drawn = beliefs.sample(GAME.kernels(), tables.state, seat, number, streams.new_stream(1, streams.SEARCH))
    counts = Counter(map(tuple, drawn.tolist()))
    assert set(counts) == set(deals)
    assert chances.of_counts([counts[deal] for deal in deals]) > LEVEL


def test_determinizations_are_drawn_with_equal_chance() -> None:
    tables = with_few_deals()
    seat, deals = tables.slow.player, brute(tables, tables.slow.player)
    view, r = GAME.view(tables.state, seat), streams.new_stream(2, streams.SEARCH)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(30 * len(deals)):
        hands = GAME.determinize(view, r)[layout.HAND : layout.HAND + 4]
        counts[tuple(hands.tolist())] += 1
    assert set(counts) == set(deals)
    assert chances.of_counts([counts[deal] for deal in deals]) > LEVEL


def test_first_hands_are_drawn_fairly_by_chance_and_by_settling() -> None:
    """Each of 21 tiles of the others is with each of them in a third of the samples, and pairs are not bound."""
    r, number = streams.new_stream(3, streams.SEARCH), 4000
    start = GAME.initial_state(GAME.options(**RULES), 4)
    together = np.zeros((2, 4, 4))
    for _ in range(number):
        settled, by_hand = start.copy(), start.copy()
        GAME.kernels().settle(settled, r, np.ones(1, np.int32))
        while GAME.current_player(by_hand) < 0:
            by_hand = GAME.apply(by_hand, GAME.sample_chance(by_hand, r))
        for which, state in enumerate((settled, by_hand)):
            hands = state[layout.HAND : layout.HAND + 4].tolist()
            assert sum(hands) == tiles.ALL
            owners = [next(seat for seat in range(4) if hands[seat] >> tile & 1) for tile in (0, 27)]
            together[which, owners[0], owners[1]] += 1
    same, other = 6 / 27 / 4, 7 / 27 / 4  # of two tiles: in one given hand, in two given hands
    expected = number * (np.full((4, 4), other) + np.eye(4) * (same - other))
    for counts in together:
        assert chances.of_counts(counts.ravel(), expected.ravel()) > LEVEL


def test_the_papers_belief_in_closed_form_is_the_one_updated_turn_by_turn() -> None:
    compared = 0
    for tables in rounds(30, 8, seed=7):
        for seat in range(4):
            updated = PaperBelief(seat, set_of(tables.slow.first_hands[seat]))
            for turn in reading.turns(tables.state):
                if turn.tile is not None:
                    updated.laid(turn.seat, turn.tile)
                elif turn.ends is not None:
                    updated.passed(turn.seat, turn.ends)
            np.testing.assert_allclose(beliefs.paper(GAME.kernels(), tables.state, seat), updated.chances, atol=1e-12)
            compared += 1
    assert compared == 120


def test_the_papers_belief_ignores_hand_sizes() -> None:
    worst = 0.0
    for tables in rounds(20, 10, seed=8):
        seat = tables.slow.player
        paper, exact = (reckon(GAME.kernels(), tables.state, seat) for reckon in (beliefs.paper, beliefs.exact))
        worst = max(worst, float(np.abs(paper - exact).max()))
    assert worst > 0.05
