"""Exact endgames, against max^n from its definition."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from engines import driver, endgame, flat_mc, registry, templates
from engines.driver import NodeAllowance
from engines.protocol import Budget, Decision
from games import registry as game_registry
from games import rng
from games.kingdomino import state as layout
from games.protocol import CHANCE, State
from tests.engines import slow
from tests.engines.growing import TREE
from tests.games import walks
from tests.trees import nodes
from tests.trees.nodes import Node, chance, seat

GAME = game_registry.get("kingdomino")
PLENTY = 1 << 40


@pytest.fixture(params=["plain", "jit"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def solved(tree: Node, mode: str, limit: int = PLENTY, utility: str = "difference") -> endgame.Attempt:
    kernels = templates.load("endgame", nodes.FOLDER, False, mode)
    state, allowance = nodes.state(tree, len(tree.totals)), NodeAllowance(limit, None, True)
    return endgame.search(TREE.kernels(mode=mode), kernels, state, (utility, "best"), allowance)


def plain_tree(r: random.Random, depth: int, num_seats: int) -> Node:
    """A random tree without chance."""
    if depth == 0 or r.random() < 0.1:
        return Node(totals=tuple(r.randint(-100, 100) for _ in range(num_seats)))
    children = [plain_tree(r, depth - 1, num_seats) for _ in range(r.randint(1, 4))]
    return Node(r.randrange(num_seats), children, (0,) * num_seats)


@pytest.mark.long
@pytest.mark.parametrize("num_seats", [2, 3])
def test_every_action_has_its_value(mode: str, num_seats: int) -> None:
    r = random.Random(3)
    for _ in range(20 if mode == "jit" else 4):
        tree = Node(0, [plain_tree(r, 4, num_seats) for _ in range(3)], (0,) * num_seats)
        found = solved(tree, mode)
        assert found.values is not None
        assert found.values.tolist() == [nodes.slow_maxn(child, 99, 1e9)[0] for child in tree.children]
        assert found.nodes == tree.size() - 1


def test_every_seat_plays_for_itself(mode: str) -> None:
    # seat 1 has 9 to 8 rather than 1 to 0, though seat 0 would rather lose by ten less
    left, right = Node(totals=(8, 9)), Node(totals=(0, 12))
    found = solved(Node(0, [Node(1, [left, right]), Node(totals=(3, 5))]), mode)
    assert found.values is not None
    assert found.values.tolist() == [-12.0, -2.0]
    own = solved(Node(0, [Node(1, [left, right]), Node(totals=(3, 5))]), mode, utility="own")
    assert own.values is not None
    assert own.values.tolist() == [0.0, 3.0]


def test_chance_and_too_many_actions_leave_it_unsolved(mode: str) -> None:
    assert solved(seat(0, 4, chance((1, nodes.leaf(1)), (1, nodes.leaf(2)))), mode) == (None, 2, None)
    tree = seat(0, seat(1, 1, 2), seat(1, 3, 4))
    assert solved(tree, mode, 5) == (None, 5, None)
    exact = solved(tree, mode, 6)
    assert exact.values is not None
    assert exact.values.tolist() == [1.0, 3.0]


@pytest.mark.long
@pytest.mark.parametrize("most", [1, 7])
def test_slices_change_nothing(mode: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    r = random.Random(8)
    tree = Node(0, [plain_tree(r, 3, 3) for _ in range(3)], (0,) * 3)
    at_once = solved(tree, mode)
    monkeypatch.setattr(driver, "MAX_SLICE", most)
    in_slices = solved(tree, mode)
    assert in_slices.nodes == at_once.nodes > 4 * most
    assert in_slices.values is not None
    assert at_once.values is not None
    assert in_slices.values.tolist() == at_once.values.tolist()


def last_plies(seed: int, plies: int, **options: Any) -> State:
    """A position of Kingdomino with two seats and so many plies to come, after random play.

    Where dominoes may be discarded (`must_place`), all have been.
    """
    r = rng.new_stream(seed, rng.ANALYSIS)
    state = GAME.initial_state(GAME.options(**options), 2)
    while sum(GAME.plies_left(state, number) for number in range(2)) > plies:
        if GAME.current_player(state) == CHANCE:
            state = GAME.apply(state, GAME.sample_chance(state, r))
            continue
        actions = GAME.legal_actions(state)
        if options:
            actions = actions[actions // layout.CHOICES == layout.NOWHERE]
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


def long_endgame() -> State:
    """Kingdoms are empty with two rounds to come but for a ply: far more than ten million actions."""
    return last_plies(3, 7, must_place=False)


def decide(state: State, budget: Budget) -> Decision:
    engine = registry.make("flat_mc", {"policy": "random", "endgame": 10_000_000})
    return engine.choose(GAME, state, GAME.current_player(state), budget, rng.new_stream(2, rng.SEARCH))


@pytest.fixture
def _work_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks that work alone moves on: 100 ns a node, 10 us a playout; the wall clock runs twice as fast."""
    used, kernels, sample = [0.0], endgame.kernels_of(cast(Any, GAME)), flat_mc._Run.sample

    def solve(*arguments: Any) -> int:
        progress, before = arguments[4], int(arguments[4][kernels.NODES])
        answer: int = kernels.solve(*arguments)
        used[0] += 1e-7 * (int(progress[kernels.NODES]) - before)
        return answer

    def sampled(run: Any, places: Any, first: int, count: int) -> None:
        sample(run, places, first, count)
        used[0] += 1e-5 * count

    watched = SimpleNamespace(**vars(kernels) | {"solve": solve})
    clocks = SimpleNamespace(perf_counter=lambda: 2 * used[0], thread_time=lambda: used[0])
    monkeypatch.setattr(driver, "time", clocks)
    monkeypatch.setattr(endgame, "kernels_of", lambda game: watched)
    monkeypatch.setattr(flat_mc._Run, "sample", sampled)


@pytest.mark.long
@pytest.mark.usefixtures("_work_takes_time")
@pytest.mark.parametrize("cpu_clock", [True, False])
def test_an_attempt_counts_against_the_time_and_leaves_half_to_playouts(cpu_clock: bool) -> None:
    state = long_endgame()
    decision = decide(state, Budget(seconds_per_ply=0.2, cpu_clock=cpu_clock))
    spent = decision.cpu_s if cpu_clock else decision.elapsed_s
    assert 0.2 <= spent < 0.2 + driver.SLICE_S
    searched = (spent if cpu_clock else spent / 2) - 1e-5 * decision.playouts
    assert searched == pytest.approx(spent / 2 if cpu_clock else spent / 4, rel=0.2)
    assert decision.nodes > 7 * decision.playouts, "a playout is seven plies; the rest are of the attempt"
    clock = decide(state, Budget(seconds_per_match=0.2 * GAME.plies_left(state, GAME.current_player(state))))
    assert 0.2 <= clock.cpu_s < 0.2 + driver.SLICE_S


def test_an_attempt_given_up_leaves_the_playouts_as_they_are() -> None:
    state, plain = long_endgame(), registry.make("flat_mc", {"policy": "random"})
    budget = Budget(playouts=500)
    tried = registry.make("flat_mc", {"policy": "random", "endgame": 1000})
    first, second, without = (
        engine.choose(GAME, state, GAME.current_player(state), budget, rng.new_stream(2, rng.SEARCH))
        for engine in (tried, tried, plain)
    )
    assert first.nodes == second.nodes == without.nodes + 1000
    assert first.playouts == without.playouts == 500
    assert first.action == second.action == without.action
    assert first.table is not None
    assert without.table is not None
    assert np.array_equal(first.table.values, without.table.values, equal_nan=True)


@pytest.mark.long
def test_no_call_is_long() -> None:
    """However much is allowed: compiled code is back after a slice."""
    kernels = endgame.kernels_of(cast(Any, GAME))
    made = [0]

    def solve(*arguments: Any) -> int:
        answer: int = kernels.solve(*arguments)
        made.append(int(arguments[4][kernels.NODES]))
        return answer

    watched = cast(Any, SimpleNamespace(**vars(kernels) | {"solve": solve}))
    allowance = NodeAllowance(2_000_000, None, True)
    attempt = endgame.search(GAME.kernels(), watched, long_endgame(), ("difference", "best"), allowance)
    assert attempt[:2] == (None, 2_000_000) == (None, made[-1])
    assert max(np.diff(made)) <= driver.MAX_SLICE


# ---------------------------------------------------------------- over draws
def exact(game: Any, state: State, utility: str) -> list[float]:
    """Utility of every action for the seat on turn, each seat playing for itself, from the definition."""
    seat = game.current_player(state)
    return [_exact(game, game.apply(state, int(action)), seat, utility) for action in game.legal_actions(state)]


def _exact(game: Any, state: State, seat: int, utility: str) -> float:
    if game.is_terminal(state):
        points = game.scores(state)
        margin = float(points[seat] - points[1 - seat])
        return margin if utility == "difference" else float(np.sign(margin))
    if game.current_player(state) == CHANCE:
        outcomes, chances = game.chance_outcomes(state)
        values = [_exact(game, game.apply(state, int(outcome)), seat, utility) for outcome in outcomes]
        return float(np.dot(values, chances))
    values = [_exact(game, game.apply(state, int(action)), seat, utility) for action in game.legal_actions(state)]
    return max(values) if game.current_player(state) == seat else min(values)


@pytest.mark.parametrize("utility", ["difference", "wdl"])
@pytest.mark.parametrize("engine_id", ["flat_mc", "uct"])
def test_all_draws_that_are_left_are_searched(engine_id: str, utility: str) -> None:
    toy = walks.game_of("toy")
    for state in walks.turns("toy")[2:5]:
        worth = exact(toy, state, utility)
        engine = registry.make(engine_id, {"endgame": 10_000, "utility": utility})
        seat, count = toy.current_player(state), {"flat_mc": "playouts", "uct": "simulations"}[engine_id]
        found = engine.choose(toy, state, seat, Budget.from_json({count: 2}), rng.new_stream(1, rng.SEARCH))
        assert (found.value, found.playouts) == (pytest.approx(max(worth), abs=1e-9), 0)  # sums of thirds
        assert worth[toy.legal_actions(state).tolist().index(found.action)] == pytest.approx(max(worth), abs=1e-9)
        bounds = found.table.values if found.table is not None else []
        assert all(bound >= value - 1e-9 for bound, value in zip(bounds, worth, strict=True))


def test_draws_are_searched_in_the_last_plies_alone() -> None:
    toy = walks.game_of("toy")
    first = walks.turns("toy")[0]
    limits = ("difference", "best")
    assert endgame.solve(toy, first, limits, NodeAllowance(31, None, True)) == (None, 0, None)  # two actions, six plies
    assert endgame.solve(toy, first, limits, NodeAllowance(40, None, True))[0] is None  # begun, and not done
    assert endgame.solve(toy, first, limits, NodeAllowance(10_000, None, True))[0] is not None
    three = walks.turns("toy", 3)[1]
    assert endgame.solve(toy, three, limits, NodeAllowance(10_000, None, True))[0] is None, "chance is left"


def test_the_last_tiles_of_carcassonne_are_searched() -> None:
    carcassonne = game_registry.get("carcassonne")
    state = walks.turns("carcassonne")[-2]
    seat = carcassonne.current_player(state)
    found = endgame.solve(carcassonne, state, ("difference", "best"), NodeAllowance(10_000, None, True))
    assert found.values is not None
    options = {"evaluation": "own", "weight_score": 1.0, "bounds": "fixed", "bound": 1e9, "order": "none"}
    options |= {f"weight_{term}": 0.0 for term in ("meeples", "unfinished", "unfinished_city", "poor_field")}
    plain = registry.make("expectimax", {**options, "algorithm": "expectimax"})
    budget = Budget(depth=2)
    exact_table = plain.choose(carcassonne, state, seat, budget, rng.new_stream(1, rng.SEARCH)).table
    assert found.is_bound is not None
    assert exact_table is not None
    assert found.values[~found.is_bound].max() == exact_table.values.max()
    assert (found.values >= exact_table.values - 1e-9).all()
    assert found.nodes < exact_table.visits.sum()
