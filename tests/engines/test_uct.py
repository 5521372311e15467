"""UCT as a search: it finds what expectimax finds, keeps its books, and never depends on slices or processes."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from engines import registry, uct_forest
from engines.protocol import Budget, Decision
from engines.tallies import table_of
from engines.uct_forest import merge_roots
from games import rng
from games.loader import FRAME
from tests.engines import growing
from tests.engines.growing import Grown, grow
from tests.games import walks
from tests.looping import looped
from tests.trees import nodes
from tests.trees.nodes import END, Node, chance, seat

DEADLINE_S = 300
MODES = ("explicit", "open_loop", "sampled", "fixed")


def search(tree: Node, count: int, **options: Any) -> Grown:
    return grow("tree", nodes.state(tree, len(tree.totals)), count, **{"c": 60.0, **options})


def means(grown: Grown) -> dict[int, float]:
    """Mean of every tried action of the root."""
    visits, totals, labels = (grown.column(name) for name in ("VISITS", "TOTAL", "LABEL"))
    return {int(labels[k]) // 2: totals[k] / visits[k] for k in grown.children(0)}


def most_visited(grown: Grown) -> int:
    visits, labels = grown.column("VISITS"), grown.column("LABEL")
    return int(labels[max(grown.children(0), key=lambda k: visits[k])]) // 2


def roots(count: int, depth: int, num_seats: int, seed: int) -> list[Node]:
    """Random trees whose root is a seat's choice among several actions."""
    r, found = random.Random(seed), []
    while len(found) < count:
        tree = nodes.grown(r, depth, num_seats)
        if tree.player >= 0 and len(tree.children) > 1 and tree.size() > 15:
            found.append(tree)
    return found


# ---- convergence


@pytest.mark.long
@pytest.mark.parametrize("num_seats", [pytest.param(2, marks=pytest.mark.slow), 3])  # 2: variants, below
def test_it_converges_to_expectimax(num_seats: int) -> None:
    """Every seat for itself (max^n): with two seats that is expectimax."""
    for tree in roots(6, 3, num_seats, seed=7):
        exact = [nodes.slow_maxn(child, 9, 1e9)[tree.player] for child in tree.children]
        errors = []
        for count in (300, 30_000):
            grown = search(tree, count)
            errors.append(abs(grown.column("TOTAL")[0] / count - max(exact)))
        # exploration costs C sqrt(ln N / n) on the way: a tenth of the range of 400 at most
        assert errors[1] <= min(20.0, errors[0] + 2.0)
        chosen = most_visited(grown)
        assert exact[chosen] >= max(exact) - 10.0
        assert abs(means(grown)[chosen] - exact[chosen]) < 12.0


@pytest.mark.long
@pytest.mark.parametrize("options", [{"selection": "ucb1_tuned"}, {"first_play": "siblings"}, {"rave": 1.0}])
def test_variants_of_selection_converge_too(options: dict[str, Any]) -> None:
    for tree in roots(5, 2, 2, seed=11):
        exact = [nodes.slow_value(child, 9, tree.player, 1e9) for child in tree.children]
        grown = search(tree, 20_000, **options, c=300.0 if "selection" in options else 200.0)
        assert exact[most_visited(grown)] >= max(exact) - 10.0


DEPENDS = seat(0, chance((1, seat(0, 10, 0)), (1, seat(0, 0, 10))), 7)
"""A seat that sees the draw gets 10, one that does not gets 5; 7 is certain."""


def test_explicit_nodes_see_the_draw_and_open_loops_do_not() -> None:
    explicit = means(search(DEPENDS, 20_000, c=3.0))
    assert explicit[0] == pytest.approx(10.0, abs=0.2)
    open_loop = search(DEPENDS, 20_000, c=30.0, chance="open_loop")
    assert means(open_loop)[0] == pytest.approx(5.0, abs=0.3)
    assert most_visited(open_loop) == 1


def test_open_loops_converge_where_the_best_action_is_the_same_after_every_draw() -> None:
    tree = seat(0, chance((3, seat(1, 20, 40)), (1, seat(1, -8, 60, 90))), 6, 10)
    # seat 1 takes its first action whatever is drawn: (3 * 20 - 8) / 4 = 13
    for mode in ("explicit", "open_loop"):
        grown = search(tree, 20_000, c=10.0, chance=mode)
        assert most_visited(grown) == 0
        assert means(grown)[0] == pytest.approx(13.0, abs=2.0)


def test_outcomes_are_drawn_with_their_frequencies() -> None:
    grown = search(seat(0, chance((7, nodes.leaf(1)), (2, nodes.leaf(2)), (1, nodes.leaf(3)))), 10_001)
    visits, tile_node = grown.column("VISITS"), grown.child(0, 0)
    counts = [visits[grown.child(tile_node, 2 * outcome + 1)] for outcome in range(3)]
    assert sum(counts) == 10_000
    # binomial standard deviations of at most 46 visits: 4 of them
    assert counts == pytest.approx([7000, 2000, 1000], abs=4 * 46)


def test_a_sampled_node_keeps_its_draw() -> None:
    tree = seat(0, chance((1, nodes.leaf(0)), (1, nodes.leaf(100))), 30)
    seen = set()
    for seed in range(12):
        grown = search(tree, 50, chance="sampled", seed=seed)
        value = means(grown)[0]
        node = grown.child(0, 0)
        assert grown.column("SQUARES")[node] == grown.column("VISITS")[node] * value**2, "one draw for good"
        assert grown.line(face_of_trees(), 0) == (0, int(value > 0))
        seen.add(value)
    assert seen == {0.0, 100.0}


def test_a_tree_with_one_draw_sees_the_same_luck_after_every_action() -> None:
    # both actions lead to a coin; below the second one it is tossed in the playout's first step
    def coin() -> nodes.Node:
        return chance((1, nodes.leaf(0)), (1, nodes.leaf(100)))

    seen = set()
    for seed in range(12):
        grown = search(seat(0, coin(), coin(), seat(0, coin())), 60, chance="fixed", seed=seed)
        assert len(set(means(grown).values())) == 1, "one draw for all"
        assert grown.line(face_of_trees(), 0) == (0, int(means(grown)[0] > 0))
        seen.add(means(grown)[0])
    assert seen == {0.0, 100.0}


def face_of_trees() -> Any:
    """The part of a game's face that follows a line."""
    rules = growing.TREE.kernels()

    class Face:
        def apply(self, state: Any, number: int) -> Any:
            after = state.copy()
            rules.apply(after, int(number), np.ones(1, np.int32))
            return after

        def current_player(self, state: Any) -> int:
            return int(rules.current_player(state))

        def is_terminal(self, state: Any) -> bool:
            return self.current_player(state) == END

        def sample_chance(self, state: Any, r: Any) -> int:
            return int(rules.sample_chance(state, r))

    return Face()


def test_open_loops_count_how_often_a_child_could_be_chosen() -> None:
    # after the first outcome (3 of 4) one action is legal, after the second three are
    grown = search(seat(0, chance((3, seat(0, 5)), (1, seat(0, 5, 6, 7)))), 4_001, chance="open_loop")
    node = grown.child(0, 0)
    visits, available = grown.column("VISITS"), grown.column("AVAILABLE")
    first, second, third = (grown.child(node, 2 * action) for action in range(3))
    assert visits[node] == 4_001
    assert available[first] == pytest.approx(4_000, abs=30)
    for child in (second, third):
        assert available[child] == pytest.approx(1_000, abs=4 * math.sqrt(4_000 * 3 / 16))
    assert all(visits[child] <= available[child] for child in (first, second, third))


# ---- books


def cards(number: int, seats: int = 2) -> Any:
    """A position of the game of cards: one is drawn, nothing has been handed out."""
    game = walks.game_of("toy")
    return game.apply(game.initial_state(game.options(cards=number), seats), 3)


@looped("mode", MODES)
@looped("num_seats", [2, 3])
def test_every_simulation_adds_one_node_and_one_visit(mode: str, num_seats: int) -> None:
    count = 400 if mode == "explicit" else 40  # fewer than reach an end of the match
    grown = grow("toy", cards(8, num_seats), count, chance=mode, c=1000.0)
    assert grown.num_nodes == count + 1
    visits, totals, parents = (grown.column(name) for name in ("VISITS", "TOTAL", "PARENT"))
    seats = grown.column("SEAT")
    assert visits[0] == count
    assert visits[0] == sum(visits[k] for k in grown.children(0))
    assert totals[0] == sum(totals[k] for k in grown.children(0)), "the children are the root's seat's"
    for node in range(1, grown.num_nodes):
        below = grown.children(node)
        # the simulation that added a node went no further inside the tree
        assert visits[node] == 1 + sum(visits[k] for k in below)
        assert parents[node] < node
        assert all(seats[k] == (seats[node] + 1) % num_seats or grown.column("LABEL")[k] % 2 for k in below)


def test_a_tree_that_is_complete_adds_nothing_more() -> None:
    tree = seat(0, chance((1, nodes.leaf(4)), (1, seat(1, 1, 2))), 3)
    assert search(tree, 5_000).num_nodes == tree.size()


@pytest.mark.parametrize("chance_mode", MODES)
@pytest.mark.parametrize("bias", [0.0, pytest.param(0.5, marks=pytest.mark.slow)])  # 0.5: trees made by hand have it
def test_compiled_and_plain_kernels_grow_the_same_tree(chance_mode: str, bias: float) -> None:
    """Plain Python checks bounds, too: NumPy raises where an index is beyond an array."""
    options = {"chance": chance_mode, "bias": bias, "rave": 20.0, "epsilon": 0.3, "first_play": "siblings"}
    for one, other in zip(
        grow("toy", cards(6, 3), 150, **options).used(),
        grow("toy", cards(6, 3), 150, mode="plain", **options).used(),
        strict=True,
    ):
        assert np.allclose(one, other, rtol=1e-12, atol=0.0)


@pytest.mark.parametrize(
    "options",
    [{}, {"chance": "open_loop", "rave": 10.0}, pytest.param({"widening": 1.0, "rave": 10.0}, marks=pytest.mark.slow)],
)
def test_slices_and_growing_arrays_change_no_byte(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = grow("toy", cards(7), 700, **options)
    monkeypatch.setattr(uct_forest, "FIRST_NODES", 2)
    monkeypatch.setattr(uct_forest, "FIRST_EDGES", 1)
    sliced = growing.planted("toy", cards(7), **options)
    for first, count in ((0, 1), (1, 6), (7, 300), (307, 393)):
        sliced.simulate(first, count)
    assert [a.tobytes() for a in whole.used()] == [a.tobytes() for a in sliced.used()]


@pytest.mark.slow  # tests/golden compares what it decides with what another process has stored
def test_same_seed_gives_the_same_bytes_in_another_process() -> None:
    command = [sys.executable, "-m", "tests.engines.growing"]
    answer = subprocess.run(command, cwd=FRAME.parent, check=True, capture_output=True, text=True, timeout=DEADLINE_S)
    found = growing.digests()
    assert json.loads(answer.stdout) == found
    assert len(set(found)) == len(found)


@pytest.mark.slow
def test_a_million_simulations_fit() -> None:
    grown = grow("toy", cards(8, 3), 1_000_000, c=1000.0)
    assert grown.column("VISITS")[0] == 1_000_000
    assert grown.num_nodes > 500_000


# ---- decisions


def decide(state: Any, simulations: int, seed: int = 1, **options: Any) -> Decision:
    game = walks.game_of("toy")
    r = rng.new_stream(seed, rng.SEARCH)
    return registry.make("uct", options).choose(
        game, state, game.current_player(state), Budget(simulations=simulations), r
    )


@pytest.mark.parametrize("simulations", [3, 90, 91])
def test_trees_in_parallel_are_single_trees_added_up(simulations: int) -> None:
    state = cards(6, 3)
    actions = walks.game_of("toy").legal_actions(state)
    decision = decide(state, simulations, seed=5, trees=3)
    seed = rng.next_u64(rng.new_stream(5, rng.SEARCH))
    singles = []
    for number in range(3):
        tree = growing.planted("toy", state, seed=0)
        tree.seed = np.uint64(rng.mix2(seed, number))
        tree.simulate(0, (simulations + 2 - number) // 3)
        singles.append(tree)
    expected = merge_roots([tree.root(actions) for tree in singles])
    table = decision.table
    assert table is not None
    assert table.visits.tolist() == expected.visits.tolist()
    tried = expected.visits > 0
    assert table.values[tried].tolist() == (expected.totals[tried] / expected.visits[tried]).tolist()
    assert decision.value == table.values[tried].max()
    assert decision.depth == max(tree.depth for tree in singles)
    assert decision.playouts == simulations == sum(tree.column("VISITS")[0] for tree in singles)
    assert decision.nodes == sum(tree.moves for tree in singles)
    assert len({tree.arrays.stats[:10].tobytes() for tree in singles}) > 1, "every tree has luck of its own"


def test_the_table_says_means_and_deviations() -> None:
    tree = seat(0, chance((2, nodes.leaf(1)), (1, nodes.leaf(4))))
    tried = (search(tree, 3, seed=seed) for seed in range(100))
    grown = next(grown for grown in tried if grown.column("TOTAL")[0] == 6)  # 1, 1 and 4 in some order
    root = grown.root(np.zeros(1, np.int32))
    table = table_of(root.actions, root.totals, root.squares, root.visits)
    assert (table.values.tolist(), table.visits.tolist()) == ([2.0], [3])
    # deviations of -1, -1 and 2 from the mean: a variance of 6 / 2
    assert table.deviations[0] == pytest.approx(math.sqrt(3))


@pytest.mark.long
@pytest.mark.slow
def test_keeping_is_best_in_the_game_of_cards_whatever_the_options() -> None:
    """Under best play everybody keeps everything: the root's seat should keep its card."""
    variants: tuple[dict[str, Any], ...] = (
        {},
        {"chance": "open_loop"},
        {"utility": "wdl", "c": 1.0},
        {"scale": "unit", "c": 0.015},
        {"scale": "unit", "utility": "wdl", "c": 0.5},
        {"selection": "ucb1_tuned", "c": 20.0},
        {"bias": 2.0, "final": "visits"},
        {"win_bias": 2.0, "final": "visits"},
        {"rave": 100.0},
        {"mast": 3.0},
        {"policy": "greedy", "epsilon": 0.2},
        {"playout_plies": 2},
        {"widening": 1.0},
        {"first_play": "siblings", "first_play_reduction": 0.1},
        {"min_visits": 50},
        {"trees": 4},
        {"opponent": "total"},
    )
    for number, options in enumerate(variants):
        assert decide(cards(6, 2 + number % 2), 3_000, **options).action == 0, options


@pytest.mark.long
@looped("game_id", ["toy", "carcassonne"])
@looped("mode", MODES)
def test_the_line_can_be_played(game_id: str, mode: str) -> None:
    game = walks.game_of(game_id)
    for state in walks.some(walks.turns(game_id), 4)[:3]:
        engine = registry.make("uct", {"chance": mode})
        r = rng.new_stream(1, rng.SEARCH)
        decision = engine.choose(game, state, game.current_player(state), Budget(simulations=600, wants_line=True), r)
        assert decision.line[0] == decision.action
        assert len(decision.line) > (1 if mode != "open_loop" else 0)
        rules = game.kernels()
        for number in decision.line:
            assert rules.is_legal(state, number)
            state = game.apply(state, number)


def test_the_final_choice_is_the_best_mean_or_the_most_visited() -> None:
    differed = 0
    for seed in range(40):
        by_mean, by_visits = (decide(cards(8, 3), 8, seed, final=final, c=0.1) for final in ("mean", "visits"))
        assert by_mean.table is not None
        assert by_visits.table is not None
        assert by_mean.table.visits.tolist() == by_visits.table.visits.tolist()
        assert by_mean.value == np.nanmax(by_mean.table.values)
        chosen = by_visits.table.actions.tolist().index(by_visits.action)
        assert by_visits.table.visits[chosen] == by_visits.table.visits.max()
        differed += by_mean.action != by_visits.action
    assert differed


def test_equal_actions_are_told_apart_by_lot_or_by_points() -> None:
    # 0 to 7 behind, with the 1 in hand and the 2 to come for the other seat: lost whatever happens
    game = walks.game_of("toy")
    lost = game.initial_state(game.options(cards=4), 2)
    for number in (4, 1, 3, 1, 1):
        lost = game.apply(lost, number)
    by_lot, by_points = (
        {decide(lost, 8, seed, utility="wdl", tie_break=rule).action for seed in range(30)} for rule in ("lot", "gain")
    )
    assert by_lot == {0, 1}
    assert by_points == {0}, "keeping the 1 brings a point"


def test_hidden_information_unknown_policies_and_two_playout_rules_are_refused() -> None:
    toy, secret = walks.game_of("toy"), walks.game_of("toy_secret")
    assert "set chance to open_loop" in str(registry.make("uct", {}).refuses(secret))
    assert "not 'timid'" in str(registry.make("uct", {"policy": "timid"}).refuses(toy))
    both = registry.make("uct", {"policy": "greedy", "mast": 1.0})
    assert "either MAST or the policy" in str(both.refuses(toy))
    assert registry.make("uct", {"policy": "greedy"}).refuses(toy) is None
