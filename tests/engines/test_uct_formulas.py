"""The formulas of UCT, worked out by hand on trees of a few nodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from games import rng
from tests.engines import growing
from tests.engines.growing import Grown
from tests.games import walks
from tests.looping import looped
from tests.trees import nodes
from tests.trees.nodes import Node, chance, seat


@pytest.fixture(params=["plain", "jit"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def planted(tree: Node, **options: Any) -> Grown:
    return growing.planted("tree", nodes.state(tree, len(tree.totals)), **options)


def worth(mode: str, parent: int, visits: int, mean: float, *, square: float = 0.0, **more: Any) -> float:
    """Worth of one child; square: mean of its squared utilities, more: options, gain, amaf."""
    amaf, gain = more.pop("amaf", (0, 0.0)), more.pop("gain", 0.0)
    grown = planted(seat(0, 1, 2), mode=mode, **more)
    tree, stats = grown.kernels.tree, grown.arrays.stats
    stats[1, tree.VISITS], stats[1, tree.TOTAL], stats[1, tree.SQUARES] = visits, visits * mean, visits * square
    stats[1, tree.AMAF_VISITS], stats[1, tree.AMAF_TOTAL] = amaf[0], amaf[0] * amaf[1]
    stats[1, tree.HEURISTIC] = gain
    p = grown.settings
    r = rng.new_stream(1, rng.ANALYSIS)
    return float(tree.worth(stats, p, 1, math.log(parent), tree.rave_share(p, float(parent)), r))


@pytest.mark.parametrize(("c", "expected"), [(0.3, {7: 1.05, 17: 1.03, 1: 0.84}), (1.0, {7: 1.53, 17: 1.34, 1: 2.09})])
def test_ucb1(mode: str, c: float, expected: dict[int, float]) -> None:
    """Three children of a parent with 25 visits; the thesis on Dominion prints the results for C = 0.3."""
    for visits, mean in ((7, 0.85), (17, 0.9), (1, 0.3)):
        assert worth(mode, 25, visits, mean, c=c) == pytest.approx(expected[visits], abs=0.005)


def test_ucb1_tuned(mode: str) -> None:
    tuned = {"selection": "ucb1_tuned", "utility": "wdl", "scale": "unit", "c": 1.0}
    # ln N / n = 0.02: v + sqrt(0.04) = 0.01 + 0.2 = 0.21, below a quarter
    log_visits = 2.0
    assert worth(mode, round(math.e**log_visits), 100, 0.5, square=0.26, **tuned) == pytest.approx(
        0.5 + math.sqrt(0.02 * 0.21), abs=2e-3
    )
    # 4 visits: sqrt(2 ln 10 / 4) alone is above a quarter
    assert worth(mode, 10, 4, 0.5, square=0.25, **tuned) == pytest.approx(0.5 + math.sqrt(math.log(10) / 4 / 4))


def test_ucb1_tuned_takes_variances_on_the_unit_scale(mode: str) -> None:
    # a deviation of 40 points is 0.2 units: 0.04 + sqrt(2 * ln 20 / 400)
    low = 0.04 + math.sqrt(2 * math.log(20) / 400)
    assert low < 0.25
    found = worth(mode, 20, 400, 5.0, square=25.0 + 1600.0, selection="ucb1_tuned", c=10.0)
    assert found == pytest.approx(5.0 + 10.0 * math.sqrt(math.log(20) / 400 * low))


def test_progressive_bias(mode: str) -> None:
    # three points at weight 2 over 5 + 1
    assert worth(mode, 9, 5, 0.5, c=0.0, bias=2.0, gain=3.0) == pytest.approx(0.5 + 2 * 3 / 6)
    assert worth(mode, 9, 5, 0.5, c=0.0, bias=2.0, gain=-3.0) == pytest.approx(0.5 - 2 * 3 / 6)


@looped(
    "options, mean, losses",
    [
        ({"utility": "wdl", "scale": "unit"}, 0.75, 8 * 0.25),
        ({"utility": "wdl", "scale": "points"}, 0.5, 8 * 0.25),  # 0.5 of -1 .. 1 is 0.75 of 0 .. 1
        ({"utility": "difference", "scale": "points"}, 50.0, 8 * 0.25),  # 0.5 + 50 / 200
        ({"utility": "difference", "scale": "points"}, 500.0, 0.0),
        ({"utility": "difference", "scale": "unit"}, 0.75, 8 * 0.25),
        ({"utility": "relative", "scale": "points"}, 0.75, 8 * 0.25),  # a share is one already
        ({"utility": "relative", "scale": "unit"}, 0.75, 8 * 0.25),
        ({"utility": "own", "scale": "points"}, 75.0, 8 * 0.25),  # 75 of 100 points
        ({"utility": "own", "scale": "unit"}, 0.75, 8 * 0.25),
    ],
)
def test_progressive_win_bias_fades_with_losses(mode: str, options: Any, mean: float, losses: float) -> None:
    found = worth(mode, 9, 8, mean, c=0.0, win_bias=0.1, gain=6.0, **options)
    assert found == pytest.approx(mean + 0.1 * 6 / (losses + 1))


def test_rave_weighs_both_means_alike_at_the_equivalence_parameter(mode: str) -> None:
    assert worth(mode, 50, 4, 2.0, c=0.0, rave=50.0, amaf=(7, 6.0)) == pytest.approx(4.0)
    # b = sqrt(8 / (3 * 8 + 8)) at N = 8 = k; at N = 30: sqrt(8 / 98)
    share = math.sqrt(8 / 98)
    assert worth(mode, 30, 4, 2.0, c=0.0, rave=8.0, amaf=(7, 6.0)) == pytest.approx((1 - share) * 2 + share * 6)
    assert worth(mode, 30, 4, 2.0, c=0.0, rave=8.0) == 2.0, "without a later move its own mean stands"


def test_an_action_counts_as_a_later_move_of_its_seat_once(mode: str) -> None:
    grown = planted(seat(0, 1, 2, 3), rave=10.0, mode=mode)
    tree, search, b = grown.kernels.tree, grown.kernels.search, grown._buffers
    children = [tree.add(grown.arrays, 0, 2 * action, 0, 0.0) for action in range(3)]
    # (seat, outcome before, action): the root's decision, then what followed
    b.log[:6] = [(0, -1, 0), (1, -1, 1), (0, -1, 2), (0, 4, 1), (0, -1, 2), (1, -1, 0)]
    b.utilities[:2] = 5.0, -5.0
    search.learn(grown.arrays, grown.settings, b, children[0], 1, 6)
    stats = grown.arrays.stats
    assert [stats[child, tree.AMAF_VISITS] for child in children] == [1, 0, 1]
    assert [stats[child, tree.AMAF_TOTAL] for child in children] == [5, 0, 5]


@pytest.mark.long
def test_moves_that_did_well_are_drawn_by_their_temperature(mode: str) -> None:
    state = walks.game_of("toy").apply(walks.game_of("toy").initial_state(walks.game_of("toy").options(), 3), 4)
    grown = growing.planted("toy", state, mast=2.0, mode=mode)
    search, b, t = grown.kernels.search, grown._buffers, grown.arrays
    b.s[:], b.r[:] = state, rng.new_stream(1, rng.ANALYSIS)
    for action, (visits, total) in enumerate([(4, 12.0), (2, 2.0)]):  # means 3 and 1; the third is new: 0
        t.tally[grown.kernels.tree.remembered(t, 0, 4, action)] = visits, total
    drawn = [int(search.gibbs_action(t, grown.settings, b, 0, 4)) for _ in range(2000)]
    weights = np.exp([0.0, -1.0, -1.5])
    assert b.weights[:3] == pytest.approx(weights)
    expected = 2000 * weights / weights.sum()
    # four binomial standard deviations of at most 22.4 draws
    assert [drawn.count(action) for action in range(3)] == pytest.approx(expected, abs=90)


@pytest.mark.long
def test_moves_are_remembered_with_the_draw_before_them(mode: str) -> None:
    root = seat(0, chance((1, seat(1, 10, 20)), (1, seat(1, 30, 40))))
    grown = planted(root, mast=1.0, mode=mode).simulated(200)
    t, tree = grown.arrays, grown.kernels.tree
    # seat 1 loses what seat 0 gets: after outcome 0 its actions are worth -10, -20, after 1 -30, -40
    for outcome, action, value in ((0, 0, -10), (0, 1, -20), (1, 0, -30), (1, 1, -40)):
        visits, total = t.tally[tree.remembered(t, 1, outcome, action)]
        assert visits > 0
        assert total / visits == value
    assert t.tally[:, 0].sum() == 400, "two plies a simulation"


# ---- what is tried, and when


def counts(grown: Grown) -> list[int]:
    """Visits of the root's actions, by action; untried ones are 0."""
    tried = {int(grown.column("LABEL")[k]) // 2: int(grown.column("VISITS")[k]) for k in grown.children(0)}
    return [tried.get(action, 0) for action in range(max(tried) + 1)]


WIDE = seat(0, 10, 80, 30, 60, 20, 50, 70, 40)


def test_every_child_is_tried_once_first() -> None:
    grown = planted(WIDE, c=0.0).simulated(8)
    assert counts(grown) == [1] * 8
    assert counts(grown.simulated(0)) == [1] * 8
    grown.simulate(8, 5)
    assert counts(grown)[1] == 6, "without exploration the best one is followed"


def test_children_are_tried_in_random_order() -> None:
    firsts = {int(planted(WIDE, seed=seed).simulated(1).column("LABEL")[1]) // 2 for seed in range(60)}
    assert firsts == set(range(8))


def test_an_unvisited_child_may_count_as_the_mean_of_the_others() -> None:
    few = planted(WIDE, c=0.0, first_play="siblings").simulated(50)
    assert sum(count > 0 for count in counts(few)) == 1, "no child seems better than the first"
    eager = planted(WIDE, c=0.0, first_play="siblings", first_play_reduction=-100.0).simulated(8)
    assert counts(eager) == [1] * 8
    grown = planted(WIDE, first_play="siblings", first_play_reduction=2.0, c=1.0)
    tree, p = grown.kernels.tree, grown.settings
    r = rng.new_stream(1, rng.ANALYSIS)
    assert tree.urgency(p, 30.0, math.log(9), 0.0, r) == pytest.approx(28.0 + math.sqrt(math.log(9)))


@pytest.mark.parametrize("mode_of_chance", ["explicit", "open_loop"])
def test_minimum_visits_at_the_root_come_before_the_formula(mode_of_chance: str) -> None:
    grown = planted(WIDE, c=0.0, min_visits=5, chance=mode_of_chance).simulated(5)
    assert sorted(counts(grown))[-1] == 5
    grown.simulate(5, 35)
    assert counts(grown) == [5] * 8
    grown.simulate(40, 10)
    assert counts(grown) == [5, 15, 5, 5, 5, 5, 5, 5]


@pytest.mark.parametrize("mode_of_chance", ["explicit", "open_loop"])
def test_widening_admits_children_by_visits(mode_of_chance: str) -> None:
    grown = planted(WIDE, widening=1.0, widening_exponent=0.5, chance=mode_of_chance, c=50.0)
    for number in range(64):
        # simulation number k meets a root of k visits: at most sqrt(k) children, at least one
        grown.simulate(number, 1)
        assert len(grown.children(0)) == min(8, max(1, math.isqrt(number)))


def test_widening_and_bias_try_the_most_promising_first() -> None:
    for options in ({"widening": 1.0}, {"bias": 1.0}, {"win_bias": 1.0}):
        grown = planted(WIDE, c=0.0, **options).simulated(8)
        edges, gains = grown.arrays.edges, grown.arrays.gains
        assert edges[:8, grown.kernels.tree.ACTION].tolist() == [1, 6, 3, 5, 7, 2, 4, 0]
        assert gains[:8].tolist() == [80, 70, 60, 50, 40, 30, 20, 10]
        assert int(grown.column("LABEL")[1]) // 2 == 1


def test_the_gain_of_an_action_is_the_change_of_the_margin() -> None:
    tree = Node(1, [Node(totals=(4, 9, 1)), Node(totals=(10, 10, 0))], totals=(5, 3, 8))
    for opponent, before, after in (("best", 3 - 8, [9 - 4, 10 - 10]), ("total", 3 - 13, [9 - 5, 10 - 10])):
        grown = planted(tree, bias=1.0, opponent=opponent).simulated(1)
        assert sorted(grown.arrays.gains[:2]) == sorted(value - before for value in after)


# ---- utilities and playouts


@looped(
    "options, expected",
    [
        ({}, [7 - 12, 12 - 7, 2 - 12]),
        ({"opponent": "total"}, [7 - 14, 12 - 9, 2 - 19]),
        ({"utility": "wdl"}, [-1, 1, -1]),
        ({"scale": "unit"}, [0.5 - 5 / 200, 0.5 + 5 / 200, 0.5 - 10 / 200]),
        ({"scale": "unit", "utility": "wdl"}, [0, 1, 0]),
        ({"scale": "unit", "utility": "wdl", "opponent": "total"}, [0, 1, 0]),
        ({"utility": "relative"}, [7 / 19, 12 / 19, 2 / 14]),
        ({"utility": "relative", "opponent": "total"}, [7 / 21, 12 / 21, 2 / 21]),
        ({"utility": "relative", "scale": "unit"}, [7 / 19, 12 / 19, 2 / 14]),
        ({"utility": "own"}, [7, 12, 2]),
        ({"utility": "own", "opponent": "total"}, [7, 12, 2]),
        ({"utility": "own", "scale": "unit"}, [0.07, 0.12, 0.02]),
    ],
)
def test_utilities_of_three_seats(mode: str, options: Any, expected: list[float]) -> None:
    grown = planted(seat(0, 1), mode=mode, **options)
    out = np.zeros(3)
    grown.kernels.tree.judge(grown.settings, np.array([7, 12, 2]), 3, out)
    assert out == pytest.approx(expected)


@pytest.mark.parametrize("utility", ["difference", "wdl"])
@pytest.mark.parametrize("scale", ["points", "unit"])
def test_two_seats_are_antisymmetric(utility: str, scale: str) -> None:
    grown, out = planted(seat(0, 1), utility=utility, scale=scale), np.zeros(3)
    even = 0.5 if scale == "unit" else 0.0
    for points in ([3, 3], [50, 8], [0, 300]):
        grown.kernels.tree.judge(grown.settings, np.array(points), 2, out)
        assert out[0] - even == pytest.approx(even - out[1])
        assert (out[0] == even) == (points[0] == points[1])


def test_shares_of_two_seats_make_one_and_nothing_is_an_even_share(mode: str) -> None:
    grown, out = planted(seat(0, 1), mode=mode, utility="relative"), np.zeros(2)
    for points, expected in (([0, 0], 0.5), ([30, 20], 0.6), ([0, 5], 0.0), ([17, 17], 0.5)):
        grown.kernels.tree.judge(grown.settings, np.array(points), 2, out)
        assert out == pytest.approx([expected, 1 - expected])


@pytest.mark.parametrize(("utility", "factor"), [("difference", 200), ("wdl", 2)])
def test_the_thesis_constant_maps_to_the_unit_scale(utility: str, factor: int) -> None:
    """C = 3 in points is C = 3 / 200 in units of 200 points, and 3 / 2 for win, draw or loss."""
    # no two sums are alike, so that rounding decides nothing
    tree = seat(0, seat(1, 3, 1017, 55), chance((1, seat(1, -70, 211)), (2, seat(0, 401, 90))), seat(0, 7, 19))
    points = planted(tree, utility=utility, c=3.0).simulated(400)
    unit = planted(tree, utility=utility, c=3.0 / factor, scale="unit").simulated(400)
    assert points.arrays.links[: points.num_nodes].tobytes() == unit.arrays.links[: unit.num_nodes].tobytes()
    shifted = np.array(unit.column("TOTAL")) - 0.5 * np.array(unit.column("VISITS"))
    assert shifted * factor == pytest.approx(np.array(points.column("TOTAL")))


CHAIN = Node(0, [Node(1, [Node(0, [Node(totals=(100, 0))], (7, 0))], (5, 0))], (1, 0))
"""One action after another; the totals stand at 1, 5, 7 and, at the end, 100."""


@looped("plies, value", [(0, 100), (1, 7), (2, 100), (9, 100)])
def test_a_playout_may_stop_early_at_the_projected_points(plies: int, value: int, mode: str) -> None:
    grown = planted(CHAIN, playout_plies=plies, mode=mode).simulated(1)
    assert grown.column("TOTAL") == [value, value]
    assert grown.moves == min(3, 1 + plies) if plies else 3
    assert grown.depth == 1


@pytest.mark.long
@pytest.mark.parametrize("mode", ["plain", pytest.param("jit", marks=pytest.mark.slow)])  # jit: a variant for it alone
@pytest.mark.parametrize(("epsilon", "kept"), [(0.0, 1.0), (0.5, 0.75), (1.0, 0.5)])
def test_playouts_follow_the_policy_but_for_epsilon(epsilon: float, kept: float, mode: str) -> None:
    """The greedy policy keeps every card; a random action of two seats keeps half of them."""
    game = walks.game_of("toy")
    state = game.apply(game.initial_state(game.options(cards=8), 2), 4)
    grown = growing.planted("toy", state, mode=mode, policy="greedy", epsilon=epsilon, rave=1.0)
    search, b, log = grown.kernels.search, grown._buffers, []
    b.r[:] = rng.new_stream(1, rng.ANALYSIS)
    for _ in range(200):
        b.s[:] = state
        assert search.play_on(grown.arrays, grown.settings, b, 0, -1) == 8
        log += [seat == action for seat, _, action in b.log[:7].tolist()]  # the last card must be kept
    # four binomial standard deviations of 1,400 choices
    assert np.mean(log) == pytest.approx(kept, abs=4 * 0.5 / math.sqrt(1400) if epsilon else 0.0)


# ---- the thesis on Dominion: whose positions learn, listed order, search seeding, history

TURNS = seat(0, seat(1, seat(0, 6), 6), 4)
"""Seat 0 takes 4 points, or lets seat 1 choose between two ways to the same 6."""


def books(grown: Grown) -> dict[str, tuple[float, float]]:
    """(visits, total) of the nodes of TURNS that there are, by name."""
    first, second = (grown.child(0, 2 * action) for action in range(2))
    found = {"root": 0, "A": first, "B": second}
    if first >= 0:
        found |= {"A0": grown.child(first, 0), "A1": grown.child(first, 2)}
    visits, totals = grown.column("VISITS"), grown.column("TOTAL")
    return {name: (visits[node], totals[node]) for name, node in found.items() if node >= 0}


def test_every_position_on_the_way_learns() -> None:
    grown = planted(TURNS, c=0.0, order="listed").simulated(5)
    # A, B, then A is better: A0, A1, and below A0 again
    assert books(grown) == {"root": (5, 28), "A": (4, 24), "B": (1, 4), "A0": (2, -12), "A1": (1, -6)}


@pytest.mark.parametrize(("ties", "a0", "a1"), [("first", (1, -6), (1, -6)), ("last", (1, -6), (2, -12))])
def test_only_positions_of_the_last_seat_learn(ties: str, a0: tuple[int, int], a1: tuple[int, int]) -> None:
    grown = planted(TURNS, c=0.0, order="listed", propagation="leaf", ties=ties)
    grown.simulate(0, 2)
    assert books(grown) == {"root": (2, 10), "A": (1, 6), "B": (1, 4)}
    grown.simulate(2, 2)  # leaves of seat 1: nothing of seat 0 changes
    assert books(grown) == {"root": (2, 10), "A": (1, 6), "B": (1, 4), "A0": (1, -6), "A1": (1, -6)}
    grown.simulate(4, 1)  # the first of the equal replies has another position below it, of seat 0; the last one ends
    learned = {"root": (3, 16), "A": (2, 12)} if ties == "first" else {"root": (2, 10), "A": (1, 6)}
    assert books(grown) == learned | {"B": (1, 4), "A0": a0, "A1": a1}
    passed = grown.column("PASSED")
    assert [passed[0], passed[grown.child(0, 0)]] == [5, 4]


def test_a_listed_order_tries_actions_as_the_rules_list_them() -> None:
    for chance_mode in ("explicit", "open_loop"):
        grown = planted(WIDE, order="listed", chance=chance_mode).simulated(8)
        assert [int(label) // 2 for label in grown.column("LABEL")[1:]] == list(range(8))


@pytest.mark.parametrize(
    ("propagation", "expected"),
    [
        # A, B, A0, A1, then A0 again and what lies below it; nodes of seat 0 learn from all of them, others never
        ("own", {"root": (5, 28), "A": (4, 24), "B": (1, 4), "A0": (0, 0), "A1": (0, 0)}),
        # the same way, seat 1 liking what seat 0 gets
        ("as_own", {"root": (5, 28), "A": (4, 24), "B": (1, 4), "A0": (2, 12), "A1": (1, 6)}),
        # A0 ends with seat 1, so that A is visited for nothing: a mean of 3, and B has 4
        ("counted", {"root": (5, 18), "A": (2, 6), "B": (3, 12), "A0": (1, -6)}),
    ],
)
def test_other_readings_of_whose_positions_learn(propagation: str, expected: dict[str, tuple[float, float]]) -> None:
    grown = planted(TURNS, c=0.0, order="listed", propagation=propagation).simulated(5)
    found = books(grown)
    assert {name: found[name] for name in expected} == expected


@looped("parents, expected", [("most", 2.0), ("passed", 3.0), ("own", 1.0)])
def test_visits_of_a_parent_whose_children_alone_learn(parents: str, expected: float) -> None:
    """Of A's three simulations one ended with seat 0, in A itself, and one in each of its two children."""
    grown = planted(TURNS, c=0.0, order="listed", propagation="leaf", parent_visits=parents).simulated(4)
    tree, node = grown.kernels.tree, grown.child(0, 0)
    first, tried = (int(grown.arrays.links[node, column]) for column in (tree.FIRST, tree.TRIED))
    assert tree.parent_visits(grown.arrays, grown.settings, node, first, tried) == expected


@looped(
    "order, listing, expected",
    [
        ("reversed", "none", range(7, -1, -1)),
        ("listed", "order1", range(7, -1, -1)),  # ranks action 7 first
        ("listed", "order2", (0, 4, 3, 7, 2, 6, 1, 5)),  # ranks 3 a mod 4
        ("reversed", "order2", (5, 1, 6, 2, 7, 3, 4, 0)),
    ],
)
def test_actions_are_tried_by_the_list_asked_for(order: str, listing: str, expected: Sequence[int]) -> None:
    for chance_mode in ("explicit", "open_loop"):
        grown = planted(WIDE, order=order, listing=listing, chance=chance_mode).simulated(8)
        assert [int(label) // 2 for label in grown.column("LABEL")[1:]] == list(expected)


EQUAL_WINS = Node(0, [Node(totals=totals) for totals in ((5, 1), (9, 1), (9, 3), (2, 7))])
"""Three wins, two of them with 9 points, and a loss."""


@pytest.mark.parametrize("mode_of_chance", ["explicit", "open_loop"])
def test_equal_children_go_by_points_and_then_by_lot(mode_of_chance: str) -> None:
    options = {"utility": "win", "c": 0.0, "order": "listed", "chance": mode_of_chance}
    assert counts(planted(EQUAL_WINS, **options).simulated(44)) == [41, 1, 1, 1]
    few, nine, other, lost = counts(planted(EQUAL_WINS, ties="points", **options).simulated(44))
    assert (few, lost, nine + other) == (1, 1, 42)
    assert min(nine, other) > 8, "forty throws of a coin"


def test_points_are_those_of_the_seat_that_decides_at_the_other_s_nodes_too() -> None:
    tree = seat(0, Node(1, [Node(totals=(5, 1)), Node(totals=(9, 1)), Node(totals=(7, 1))]))
    grown = planted(tree, utility="win", c=0.0, order="listed", ties="points").simulated(20)
    below = grown.child(0, 0)
    assert [grown.column("VISITS")[grown.child(below, 2 * action)] for action in range(3)] == [1, 17, 1]


def test_the_policy_s_action_begins_with_visits_of_the_best_utility() -> None:
    """The greedy policy keeps the card: action 0 of seat 0."""
    game = walks.game_of("toy")
    state = game.apply(game.initial_state(game.options(cards=6), 3), 4)
    options = {"policy": "greedy", "seeding": 3.0, "utility": "win", "order": "listed"}
    grown = growing.planted("toy", state, mode="plain", **options).simulated(3)
    visits, totals = grown.column("VISITS"), grown.column("TOTAL")
    kept, given = grown.child(0, 0), grown.child(0, 2)
    assert [visits[kept], visits[given]] == [4, 1]
    assert totals[kept] in (3.0, 4.0)


def test_history_adds_the_mean_of_the_move_wherever_it_was_made(mode: str) -> None:
    grown = planted(seat(0, 1, 2), mode=mode, history=2.0, utility="wdl")
    tree, t = grown.kernels.tree, grown.arrays
    child = tree.add(t, 0, 2 * 1, 0, 0.0)
    t.stats[child, tree.VISITS], t.stats[child, tree.TOTAL] = 4, 2  # a mean of a half: three quarters of the unit
    t.tally[tree.remembered(t, 0, -1, 1)] = 10, -5  # anywhere: a quarter
    assert tree.history(t, grown.settings, child, -1) == pytest.approx(2.0 * 0.25 / (4 * 0.25 + 1))
    assert tree.history(t, grown.settings, child, 3) == pytest.approx(2.0 * 0.5 / (4 * 0.25 + 1)), "never made: even"
