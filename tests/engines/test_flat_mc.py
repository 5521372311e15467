"""Flat Monte Carlo, against values worked out by hand in the game of cards."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from engines import flat_mc, registry, templates, utilities
from engines.flat_playouts import kernels_of
from engines.kernel_arguments import Stage
from engines.protocol import Budget, Decision
from games import registry as game_registry
from games import rng
from games.options import from_json
from tests.games import walks
from tests.looping import looped

ERRORS = 4
"""Means may be off by so many standard errors; with fixed seeds it holds once and for all."""


def position(cards: int, seats: int, *numbers: int) -> Any:
    """A position of the toy after draws and actions in turn."""
    game = walks.game_of("toy")
    state = game.initial_state(from_json(game.options, {"cards": cards}), seats)
    for number in numbers:
        state = game.apply(state, number)
    return state


def decide(state: Any, budget: Budget, seed: int = 1, **options: Any) -> Decision:
    game = walks.game_of("toy")
    engine = registry.make("flat_mc", options)
    return engine.choose(game, state, game.current_player(state), budget, rng.new_stream(seed, rng.SEARCH))


def check(decision: Decision, expected: dict[int, float]) -> None:
    """Compare a table with the true means; a deviation of nothing asks for the exact value."""
    assert decision.table is not None
    table = decision.table
    assert table.actions.tolist() == list(expected)
    errors = table.deviations / np.sqrt(table.visits)
    assert (np.abs(table.values - list(expected.values())) <= ERRORS * errors + 1e-12).all(), table.values
    best = max(expected, key=lambda action: expected[action])
    assert decision.action == best


# After the last choice the mean margin is fixed: see tests/games/toy/test_by_hand.py.
def test_five_cards_left_the_other_seat_takes_the_last() -> None:
    mean = (1 + 2 + 3 + 4 + 6) / 5
    check(decide(position(6, 2, 5), Budget(playouts=8000)), {0: 5 - mean, 1: -5 - mean})


def test_four_cards_left_the_own_seat_takes_the_last() -> None:
    # seat 0 kept the 5, seat 1 has drawn the 4; 1, 2, 3, 6 are left
    check(decide(position(6, 2, 5, 0, 4), Budget(playouts=8000)), {0: -5 - 4 + 3, 1: -5 + 4 + 3})


# Three seats, scores 6, 0, 3; seat 0 has drawn the 3; the 4 and the 5 are left: seat 1 hands
# out one of them, seat 2 keeps the other. Six ends, equally likely, for each action.
THREE_SEATS = (6, 3, 1, 2, 6, 0, 2, 2, 3)


@looped(
    "utility, opponent, expected",
    [
        ("difference", "best", {0: 9 / 6, 1: -10 / 6, 2: -27 / 6}),
        ("difference", "total", {0: 0.0, 1: -6.0, 2: -6.0}),
        ("wdl", "best", {0: 2 / 6, 1: -2 / 6, 2: -4 / 6}),
        ("wdl", "total", {0: -2 / 6, 1: -4 / 6, 2: -4 / 6}),
        (
            "relative",
            "best",
            {
                0: (13 / 21 + 14 / 21 + 9 / 17 + 9 / 16 + 9 / 21 + 9 / 21) / 6,
                1: (10 / 18 + 11 / 18 + 6 / 14 + 6 / 14 + 6 / 18 + 6 / 18) / 6,
                2: (10 / 21 + 11 / 21 + 6 / 17 + 6 / 16 + 6 / 21 + 6 / 21) / 6,
            },
        ),
        ("relative", "total", {0: 63 / 126, 1: 45 / 126, 2: 45 / 126}),
        ("own", "best", {0: 10.5, 1: 7.5, 2: 7.5}),
        ("own", "total", {0: 10.5, 1: 7.5, 2: 7.5}),
    ],
)
def test_utilities_and_opponents_on_three_seats(utility: str, opponent: str, expected: dict[int, float]) -> None:
    decision = decide(position(*THREE_SEATS), Budget(playouts=9000), utility=utility, opponent=opponent)
    check(decision, expected)
    assert decision.table is not None
    assert (decision.table.deviations > 0).all()


def test_a_playout_policy_that_keeps_a_journal() -> None:
    # under greedy play seat 1 keeps its card: only the order of 4 and 5 is open
    state = position(*THREE_SEATS)
    check(decide(state, Budget(playouts=900), policy="greedy"), {0: 1.5, 1: -2.0, 2: -4.5})
    total = decide(state, Budget(playouts=900), policy="greedy", opponent="total")
    check(total, {0: -3.0, 1: -9.0, 2: -9.0})


# Seat 1 keeps its card with probability 1 - epsilon, and hands it to anybody alike with epsilon.
@pytest.mark.parametrize(
    ("epsilon", "expected"),
    [
        (0.0, {0: 1.5, 1: -2.0, 2: -4.5}),
        (0.5, {0: 2 / 3 * 1.5 + 6 / 6 - 3 / 6, 1: -2 / 3 * 2 + 3 / 6 - 6 / 6, 2: -2 / 3 * 4.5 + 0 - 9 / 6}),
        (1.0, {0: 9 / 6, 1: -10 / 6, 2: -27 / 6}),
    ],
)
def test_playouts_leave_their_policy_for_a_random_action_now_and_then(
    epsilon: float, expected: dict[int, float]
) -> None:
    decision = decide(position(*THREE_SEATS), Budget(playouts=9000), policy="greedy", epsilon=epsilon)
    check(decision, expected)
    assert decision.table is not None
    assert decision.nodes == 3 * decision.playouts, "each playout is the action and two plies"


def utility(name: str, points: list[int], seat: int) -> float:
    """What a result is worth to a seat, by the compiled kernel."""
    kernels = templates.load("flat", walks.game_of("toy").folder, False)
    return float(kernels.utility(utilities.UTILITIES.index(name), np.array(points, np.int64), seat, len(points), False))


def test_nothing_for_anybody_is_an_even_share() -> None:
    assert utility("relative", [0, 0], 0) == 0.5
    assert utility("relative", [0, 0, 7], 0) == 0.0
    assert utility("relative", [0, 0, 7], 2) == 1.0


def test_shares_of_two_seats_make_one() -> None:
    for points in ([30, 20], [1, 99], [0, 5], [17, 17]):
        first, second = (utility("relative", points, seat) for seat in (0, 1))
        assert first == points[0] / sum(points)
        assert first + second == pytest.approx(1.0)
        assert (first > 0.5) == (points[0] > points[1])


def test_a_draw_is_worth_nothing() -> None:
    # 4 and 3 are kept; seat 0 has the 1, the 2 goes to seat 1: 5 to 5, or 4 to 6
    decision = decide(position(4, 2, 4, 0, 3, 1, 1), Budget(playouts=20), utility="wdl")
    assert decision.table is not None
    assert decision.table.values.tolist() == [0.0, -1.0]
    assert decision.table.deviations.tolist() == [0.0, 0.0]
    assert (decision.action, decision.value) == (0, 0.0)


@pytest.mark.long
def test_ties_are_broken_at_random() -> None:
    # 0 to 7 behind, with the 1 in hand and the 2 to come for seat 1: lost whatever happens
    lost = position(4, 2, 4, 1, 3, 1, 1)
    chosen = Counter(decide(lost, Budget(playouts=4), seed, utility="wdl").action for seed in range(400))
    assert set(chosen) == {0, 1}
    # a fair coin tossed 400 times has standard deviation 10
    assert abs(chosen[0] - 200) < 50


@looped("playouts", [1, 2, 3, 100, 101])
def test_playouts_are_shared_evenly(playouts: int) -> None:
    decision = decide(position(*THREE_SEATS), Budget(playouts=playouts))
    assert decision.table is not None
    visits = decision.table.visits
    assert visits.sum() == decision.playouts == playouts
    assert visits.max() - visits.min() <= 1


def test_an_action_without_a_playout_is_never_chosen() -> None:
    for seed in range(20):
        decision = decide(position(*THREE_SEATS), Budget(playouts=1), seed)
        assert decision.action == 0
        assert decision.table is not None
        assert np.isnan(decision.table.values[1:]).all()


def test_the_tighter_of_two_counts_holds() -> None:
    state = position(*THREE_SEATS)
    assert decide(state, Budget(playouts=100, playouts_per_action=5)).playouts == 15
    assert decide(state, Budget(playouts=10, playouts_per_action=5)).playouts == 10
    assert decide(state, Budget(playouts=30, seconds_per_ply=30.0)).playouts == 30


def test_every_action_gets_a_playout_however_short_the_time() -> None:
    decision = decide(position(*THREE_SEATS), Budget(seconds_per_ply=1e-9))
    assert decision.table is not None
    assert decision.table.visits.tolist() == [1, 1, 1]


def test_more_playouts_continue_the_same_sequence() -> None:
    few, many = (decide(position(*THREE_SEATS), Budget(playouts=n)).table for n in (3, 6))
    assert few is not None
    assert many is not None
    # the first playout of each action is among its two
    second = 2 * many.values - few.values
    assert (second == np.round(second)).all()


def test_halving_spends_its_playouts_on_the_better_actions() -> None:
    decision = decide(position(*THREE_SEATS), Budget(playouts=600), allocation="halving")
    assert decision.table is not None
    assert decision.action == 0
    # two stages of 300: three actions share the first, the two that did better the second
    assert decision.table.visits.tolist() == [250, 250, 100]


@looped("playouts", [1, 2, 3, 4, 7, 50])
def test_halving_makes_do_with_few_playouts(playouts: int) -> None:
    decision = decide(position(*THREE_SEATS), Budget(playouts=playouts), allocation="halving")
    assert decision.table is not None
    assert decision.table.visits.sum() == decision.playouts == playouts
    assert decision.table.visits[decision.action] == decision.table.visits.max()


def test_actions_of_a_pair_meet_the_same_luck() -> None:
    # whatever is drawn and handed out later, keeping the 5 or giving it away differs by 10 points
    for paired in (True, False):
        decision = decide(position(6, 2, 5), Budget(playouts=40), paired=paired)
        assert decision.table is not None
        assert (decision.table.values[0] - decision.table.values[1] == 10) == paired


def test_only_the_most_promising_candidates_are_tried() -> None:
    for allocation in ("even", "halving"):
        budget = Budget(playouts_per_action=10)
        decision = decide(position(*THREE_SEATS), budget, candidates=1, allocation=allocation)
        assert decision.table is not None
        assert decision.table.visits.tolist() == [10, 0, 0], "the seat gets a card by keeping it alone"
    wide = decide(position(*THREE_SEATS), Budget(playouts_per_action=10), candidates=3)
    assert wide.table is not None
    assert wide.table.visits.tolist() == [10, 10, 10]


def test_candidates_ask_for_a_guess_of_the_game() -> None:
    engine = registry.make("flat_mc", {"candidates": 4})
    assert "no guess" in str(engine.refuses(walks.game_of("carcassonne")))
    assert engine.refuses(walks.game_of("toy")) is None


def test_what_a_game_lacks_is_refused() -> None:
    secret, cards = walks.game_of("toy_secret"), walks.game_of("toy")
    assert "no end is exact" in str(registry.make("flat_mc", {"endgame": 100}).refuses(secret))
    assert registry.make("flat_mc", {"endgame": 100, "peek": True}).refuses(secret) is None
    assert "hides nothing" in str(registry.make("flat_mc", {"peek": True}).refuses(cards))
    assert "no actions that cost nothing" in str(registry.make("flat_mc", {"forced": "search"}).refuses(cards))
    assert "not 'timid'" in str(registry.make("flat_mc", {"policy": "timid"}).refuses(cards))
    assert registry.make("flat_mc", {"policy": "greedy"}).refuses(cards) is None


def test_a_stage_of_pairs_goes_on_with_the_deals_after_those_before() -> None:
    game, options = walks.game_of("toy"), flat_mc.FlatMonteCarloOptions(paired=True)
    view, kernels = position(*THREE_SEATS), kernels_of(walks.game_of("toy"), "random")
    actions = game.legal_actions(view).copy()
    task, n = kernels.task(game, options, view, actions, 1), len(actions)
    whole, parts, places = kernels.tally(n), kernels.tally(n), np.arange(n)
    kernels.flat.sample(task, Stage(places, 0, 0), whole.arrays, kernels.buffers(), 0, 20 * n)
    for stage in range(2):
        before = Stage(places, 10 * n * stage, 10 * stage)
        kernels.flat.sample(task, before, parts.arrays, kernels.buffers(), 0, 10 * n)
    assert parts.arrays.sums.tolist() == whole.arrays.sums.tolist()
    assert parts.arrays.squares.tolist() == whole.arrays.squares.tolist()


def test_kernels_of_a_second_game_know_the_types_of_their_arguments_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba asks Python for a type only where its own fast look has failed."""
    asked: list[type] = []
    find = Dispatcher.typeof_pyval
    monkeypatch.setattr(Dispatcher, "typeof_pyval", lambda self, value: asked.append(type(value)) or find(self, value))
    for game in (game_registry.get("kingdomino"), game_registry.get("dominoes")):
        kernels = kernels_of(game, game.usual_policy)
        task, sums, buffers = kernels.example(game)
        for _ in range(2):
            asked.clear()
            kernels.flat.sample(task, Stage(np.zeros(1, np.int64), 0, 0), sums, buffers, 0, 1)
        assert asked == []


def test_actions_drawn_by_lot_have_the_same_means_and_chance_counts() -> None:
    decision = decide(position(*THREE_SEATS), Budget(playouts=3000), allocation="lot")
    check(decision, {0: 9 / 6, 1: -10 / 6, 2: -27 / 6})
    assert decision.table is not None
    counts = decision.table.visits
    assert counts.sum() == 3000
    # four binomial standard deviations of 26
    assert counts == pytest.approx(np.full(3, 1000), abs=104)
    assert len(set(counts.tolist())) > 1
    assert "set paired to false" in str(
        registry.make("flat_mc", {"allocation": "lot", "paired": True}).refuses(walks.game_of("toy"))
    )


def test_means_cut_to_whole_numbers_tell_no_share_of_wins_from_another() -> None:
    """True means of 2/6, -2/6 and -4/6 are all 0 then, and one is drawn; points (1.5, -1.7, -4.5) hardly mind."""
    seen = {
        means: {
            decide(position(*THREE_SEATS), Budget(playouts=600), seed, utility="wdl", means=means).action
            for seed in range(20)
        }
        for means in ("exact", "whole")
    }
    assert seen["whole"] == {0, 1, 2}
    assert seen["exact"] == {0}
    assert decide(position(*THREE_SEATS), Budget(playouts=600), means="whole").action == 0
