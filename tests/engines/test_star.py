"""The search kernels on trees: known answers, a slow search, every variant against every other."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from engines import templates
from tests.looping import looped
from tests.trees import nodes
from tests.trees.nodes import Node, chance, seat

INFINITE = math.inf
EXPECTIMAX, STAR1 = (0, 0, 0, 0), (1, 0, 0, 0)
SEQUENTIAL = [
    (1, probing, keeps, killers) for probing in (0, 1, 2, 3, 5, 100) for keeps in (0, 1) for killers in (0, 1)
]
CYCLIC = [(1, 3, keeps, killers, 1) for keeps in (0, 1) for killers in (0, 1)] + [(1, 100, 1, 0, 1)]
STARS = SEQUENTIAL + CYCLIC
"""(prunes, probing, keeps, killers, cycles)"""
CLOSE = 1e-9
"""Sums of products of numbers up to 100, rounded in another order."""


@dataclass(frozen=True)
class Found:
    value: float
    nodes: int
    is_left_as_it_was: bool
    stopped: int


STATES: dict[int, tuple[Node, Any]] = {}
"""Trees written once, by identity."""


def state_of(tree: Node) -> Any:
    if id(tree) not in STATES:
        STATES[id(tree)] = tree, nodes.state(tree, len(tree.totals))
    return STATES[id(tree)][1].copy()


@cache
def kernels(mode: str) -> Any:
    return templates.load("star", nodes.FOLDER, True, mode)


def search(
    tree: Node,
    depth: int,
    variant: tuple[int, ...] = EXPECTIMAX,
    window: tuple[float, float] = (-INFINITE, INFINITE),
    *,
    bound: float = 1000.0,
    order: int = 0,
    root: int = 0,
    unit: float = 1.0,
    limit: int = 1 << 40,
    replies: bool = False,
    reduces: int = 0,
    error: float = 0.0,
    lines: tuple[tuple[float, float], ...] = ((1.0, 0.0), (1.0, 0.0)),
    stack: int = 1 << 17,
    mode: str = "jit",
) -> Found:
    """Search a tree below its root; totals count `unit` each.

    reduces, error, lines: ChanceProbCut that leaves out so many plies, with (slope, offset) for others and the root.
    """
    star = kernels(mode)
    s = state_of(tree)
    before, j = s.tobytes(), np.ones(1000, np.int32)
    work = np.zeros(star.WORK, np.int64)
    work[star.HINT :] = -1
    work[star.SEAT], work[star.ORDER], work[star.DEPTH], work[star.LIMIT] = root, order, depth, limit
    work[star.PRUNES], work[star.PROBING], work[star.KEEPS], work[star.KILLERS], work[star.CYCLES] = (*variant, 0)[:5]
    work[star.REPLIES], work[star.REDUCES] = replies, reduces
    model = np.array([[(*line, error)] * (depth + 1) for line in lines])
    more = (work, bound, np.array([unit]), np.zeros(3), np.empty(stack, np.int32), np.empty((3, stack)), model)
    value = star.search(s, j, depth, *map(float, window), 0, star.ALL, 0, *more)
    assert j[0] == 1
    return Found(value, int(work[star.NODES]), s.tobytes() == before, int(work[star.STOPPED]))


# ---- by hand


@looped("mode", ["plain", "jit"])
@looped("variant", [EXPECTIMAX, *STARS])
def test_figure_5_3_of_the_thesis(mode: str, variant: tuple[int, ...]) -> None:
    # 0.25 * 0.8 + 0.75 * 2 = 1.7, in tenths
    tree = chance((1, seat(1, 12, 8)), (3, seat(1, 20, 31)))
    assert search(tree, 1, variant, unit=0.1, mode=mode).value == pytest.approx(1.7, abs=1e-12)


def figure_5_4(third: int) -> Node:
    return chance((12, seat(0, 40, 30)), (5, seat(0, 64)), (3, seat(0, third, third)))


@pytest.mark.parametrize("mode", ["plain", "jit"])
def test_figure_5_4_of_the_thesis_star1_cuts_before_the_third_outcome(mode: str) -> None:
    # 0.6 * 40 + 0.25 * 64 - 0.15 * 100 = 25: at least beta
    for third in (-100, 100):
        found = search(figure_5_4(third), 1, STAR1, (-10, 25), bound=100.0, mode=mode)
        assert found.value == pytest.approx(25, abs=CLOSE)
        assert found.value >= 25
        assert found.nodes == 3


def test_star1_does_not_cut_when_the_last_outcome_matters() -> None:
    found = search(figure_5_4(-100), 1, STAR1, (-10, 25.01), bound=100.0)
    assert (found.nodes, found.value) == (5, pytest.approx(25))
    assert search(figure_5_4(-100), 1, STAR1, (-10, 25), bound=101.0).nodes == 5


def figure_5_5() -> Node:
    # the opponent moves below both outcomes; first children -20 and 10
    return chance((4, seat(1, -20, -99, 7)), (1, seat(1, 10, -99, 7)))


@pytest.mark.parametrize("mode", ["plain", "jit"])
def test_figure_5_5_of_the_thesis_star2_cuts_after_the_second_probe(mode: str) -> None:
    found = search(figure_5_5(), 1, (1, 1, 0, 0), (-10, 10), bound=100.0, mode=mode)
    # 0.8 * -20 + 0.2 * 10 = -14, at most alpha
    assert (found.nodes, found.value) == (2, pytest.approx(-14))


def test_the_first_probe_of_figure_5_5_proves_at_most_4() -> None:
    # 0.8 * -20 + 0.2 * 100 = 4: enough for a window that begins there, not for one a little lower
    assert (search(figure_5_5(), 1, (1, 1, 0, 0), (4.001, 10), bound=100.0).nodes) == 1
    assert (search(figure_5_5(), 1, (1, 1, 0, 0), (3.999, 10), bound=100.0).nodes) == 2


def test_probes_of_own_nodes_are_lower_bounds() -> None:
    # figure 5.5 with the seats exchanged and all signs turned
    tree = chance((4, seat(0, 20, 99, -7)), (1, seat(0, -10, 99, -7)))
    found = search(tree, 1, (1, 1, 0, 0), (-10, 10), bound=100.0)
    assert (found.nodes, found.value) == (2, pytest.approx(14))


def test_the_most_probable_outcome_comes_first() -> None:
    tree = chance((1, seat(0, 0, 0)), (1, seat(0, 0, 0)), (8, seat(0, 90)))
    # 0.8 * 90 - 0.2 * 100 = 52
    assert search(tree, 1, STAR1, (-10, 50), bound=100.0).nodes == 1


def test_a_node_probed_whole_is_not_searched_again() -> None:
    tree = chance((1, seat(0, 1, 2)), (1, seat(0, 3, 4)), (1, seat(0, 5, 6, 7)))
    assert search(tree, 1).nodes == 7
    assert search(tree, 1, (1, 2, 0, 0)).nodes == 6 + 3
    assert search(tree, 1, (1, 2, 1, 0)).nodes == 7
    assert search(tree, 1, (1, 1, 1, 0)).nodes == 7
    assert search(tree, 1, (1, 1, 0, 0)).nodes == 3 + 7


def test_a_probe_that_fails_low_is_no_lower_bound() -> None:
    # both outcomes are worth little: a probe window from the first outcome's alpha must not lift them
    deep = chance((1, seat(0, chance((1, seat(1, -50, -60))))), (1, seat(0, chance((1, seat(1, -80, -90))))))
    for variant in STARS:
        assert search(deep, 2, variant, (-10, 10), bound=100.0).value <= -10


def test_chance_nodes_do_not_count_as_plies() -> None:
    tree = seat(0, chance((1, Node(1, [nodes.leaf(5)], totals=(9, 0))), (1, Node(1, [nodes.leaf(7)], totals=(9, 0)))))
    tree.children[0].totals = (3, 0)
    assert search(tree, 1).value == 3  # the draw is not resolved
    assert search(tree, 2).value == 6


def test_leaves_are_clamped_to_the_bounds() -> None:
    tree = chance((1, seat(0, 500)), (1, seat(0, -10)))
    for variant in (EXPECTIMAX, *STARS):
        assert search(tree, 1, variant, bound=100.0).value == 45


# ---- cyclic Star2.5


def figure_in_rounds() -> Node:
    # the opponent moves below both outcomes, which are equally likely
    return chance((1, seat(1, 40, -20, -30, 60)), (1, seat(1, 20, 10, -90, 60)))


@pytest.mark.parametrize("mode", ["plain", "jit"])
def test_cyclic_probes_come_in_rounds(mode: str) -> None:
    # after one round V <= (40 + 20) / 2 = 30; after the third action V <= (-20 + 20) / 2 = 0, at most alpha
    cyclic = search(figure_in_rounds(), 1, (1, 3, 0, 0, 1), (5, 50), bound=100.0, mode=mode)
    assert (cyclic.nodes, cyclic.value) == (3, pytest.approx(0))
    # in sequence all three of the first outcome come before the first of the second: (-30 + 20) / 2 = -5
    in_sequence = search(figure_in_rounds(), 1, (1, 3, 0, 0), (5, 50), bound=100.0, mode=mode)
    assert (in_sequence.nodes, in_sequence.value) == (4, pytest.approx(-5))


def test_with_one_probe_both_star25_are_star2() -> None:
    for tree in trees()[:40]:
        one = search(tree, 4, (1, 1, 0, 1), (-20, 30))
        assert search(tree, 4, (1, 1, 0, 1, 1), (-20, 30)) == one


# ---- ChanceProbCut


def figure_foretold() -> Node:
    # before its ply the opponent stands at 60 and 20 for seat 0; it makes 50 and 10 of them
    nodes_ = Node(1, [nodes.leaf(50), nodes.leaf(58)], (60, 0)), Node(1, [nodes.leaf(10), nodes.leaf(15)], (20, 0))
    return chance((1, nodes_[0]), (1, nodes_[1]))


@pytest.mark.parametrize("mode", ["plain", "jit"])
def test_chance_prob_cut_cuts_where_the_window_is_far_from_what_is_foretold(mode: str) -> None:
    def found(window: tuple[float, float], **how: Any) -> tuple[int, float]:
        result = search(figure_foretold(), 1, STAR1, window, bound=100.0, reduces=1, mode=mode, **how)
        return result.nodes, result.value

    # foretold (60 + 20) / 2 = 40 +- 5: the node is left at 45 and above or 35 and below, its true value is 30
    assert found((45, 90), error=5.0) == (0, 45)
    assert found((-90, 35), error=5.0) == (0, 35)
    assert found((30, 44), error=5.0)[0] > 0
    assert found((36, 90), error=5.0)[0] > 0
    # with a line that takes 10 away from others' positions it foretells 30 +- 5
    line = ((1.0, -10.0), (1.0, 0.0))
    assert found((35, 90), error=5.0, lines=line) == (0, 35)
    assert found((-90, 25), error=5.0, lines=line) == (0, 25)
    assert found((26, 34), error=5.0, lines=line) == (4, pytest.approx(30))
    # a slope of a half: 20 +- 5
    assert found((25, 90), error=5.0, lines=((0.5, 0.0), (1.0, 0.0))) == (0, 25)
    # own positions have a line of their own
    mine = chance((1, Node(0, [nodes.leaf(7)], (0, 0))))
    assert search(mine, 1, STAR1, (-90, 6), bound=100.0, reduces=1, lines=((1.0, 0.0), (1.0, 6.5))).nodes == 0


@pytest.mark.parametrize("reduces", [1, 2])
def test_chance_prob_cut_is_right_as_long_as_its_error_bars_are(reduces: int) -> None:
    r, saved, cut, wrong = random.Random(3), 0, 0, 0
    for number, tree in enumerate(trees()[:120]):
        depth, root, variant = r.randint(2, 4), number % 2, r.choice(STARS)
        error = nodes.largest_error(tree, depth, reduces, root, 250.0) + CLOSE
        expected = nodes.slow_value(tree, depth, root, 250.0)
        alpha = expected + r.uniform(-60, 60)
        window = (alpha, alpha + r.choice([0.01, 5, 40]))
        right = search(tree, depth, variant, window, bound=250.0, root=root, reduces=reduces, error=error)
        if right.value <= window[0]:
            assert expected <= right.value + CLOSE
        elif right.value >= window[1]:
            assert expected >= right.value - CLOSE
        else:
            assert right.value == pytest.approx(expected, abs=CLOSE)
        saved += right.nodes < search(tree, depth, variant, window, bound=250.0, root=root).nodes
        bold = search(tree, depth, variant, window, bound=250.0, root=root, reduces=reduces)
        cut += bold.nodes < right.nodes
        wrong += bold.value <= window[0] < expected - CLOSE or bold.value >= window[1] > expected + CLOSE
    assert saved > 0
    assert cut > 20
    assert wrong > 0  # error bars of nothing do harm


# ---- best reply


def node(value: int) -> Node:
    """An end that is worth `value` to seat 0, of three."""
    return Node(totals=(value, 0, 0))


def of_three(player: int, *values: int | Node) -> Node:
    """One of three seats chooses among positions."""
    return Node(player, [value if isinstance(value, Node) else node(value) for value in values], (0, 0, 0))


def test_best_reply_lets_one_of_two_others_choose() -> None:
    # seat 1 and then seat 2 move; only one of them may leave its first action
    tree = of_three(1, of_three(2, 50, 30), of_three(2, 45, -70))
    assert search(tree, 2, STAR1).value == -70  # paranoid: both against seat 0
    assert search(tree, 2, STAR1, replies=True).value == 30  # 50, then seat 2 chooses; or 45 by seat 1's choice
    drawn = chance((1, of_three(2, 50, 0)), (1, of_three(2, 10, 90)))
    drawn.totals = (0, 0, 0)
    waits = of_three(1, drawn, 35)
    assert search(waits, 2, STAR1, replies=True).value == (0 + 10) / 2  # seat 2 chooses once the draw is known


def test_a_ply_of_the_root_gives_the_others_a_new_reply() -> None:
    last = of_three(1, 8, -9)
    tree = of_three(1, 40, of_three(0, last))
    assert search(tree, 3, STAR1, replies=True).value == -9
    without = of_three(1, 40, of_three(2, last))
    assert search(without, 3, STAR1, replies=True).value == 8


@pytest.mark.parametrize("order", [0, 1])
def test_every_variant_has_the_best_reply_value_of_a_slow_search(order: int) -> None:
    differ = fewer = 0
    for number, tree in enumerate(three_seats()):
        root = number % 3
        ordered = nodes.in_order(tree, order)
        for depth in (2, 4):
            expected = nodes.slow_reply(ordered, depth, root, 250.0)
            differ += expected != pytest.approx(nodes.slow_value(tree, depth, root, 250.0))
            plain = search(tree, depth, bound=250.0, root=root, order=order, replies=True)
            for variant in (STAR1, *STARS[number % 5 :: 5]):
                found = search(tree, depth, variant, bound=250.0, root=root, order=order, replies=True)
                assert found.value == pytest.approx(expected, abs=CLOSE), (number, depth, variant)
            assert plain.value == pytest.approx(expected, abs=CLOSE)
            fewer += found.nodes < plain.nodes
    assert differ > 10
    assert fewer > 10


# ---- many random trees

SEATS = [2, 2, 2, 3]


@cache
def trees(count: int = 200, seed: int = 1) -> list[Node]:
    """Random trees, remembered: nobody may write to them."""
    r = random.Random(seed)
    found: list[Node] = []
    while len(found) < count:
        tree = nodes.grown(r, 4, SEATS[len(found) % len(SEATS)])
        if 20 < tree.size() <= 600:
            found.append(tree)
    return found


@cache
def three_seats() -> list[Node]:
    """The random trees that three seats play."""
    return [tree for tree in trees() if len(tree.totals) == 3]


@pytest.mark.long
@pytest.mark.parametrize("bound", [40.0, 250.0])
def test_every_variant_has_the_value_of_a_slow_search(bound: float) -> None:
    for number, tree in enumerate(trees()):
        for depth in (1, 2, 3, 4):
            expected = nodes.slow_value(tree, depth, number % 2, bound)
            plain = search(tree, depth, bound=bound, root=number % 2)
            assert plain.value == pytest.approx(expected, abs=CLOSE)
            assert plain.nodes == nodes.slow_count(tree, depth)
            for n, variant in enumerate(STARS):
                found = search(tree, depth, variant, bound=bound, root=number % 2, order=(n + number) % 3)
                assert found.value == pytest.approx(expected, abs=CLOSE), (number, depth, variant)
                assert found.is_left_as_it_was


@pytest.mark.parametrize("order", [0, 1, 2])
def test_narrow_windows_bound_the_value(order: int) -> None:
    r = random.Random(2)
    met = {"low": 0, "inside": 0, "high": 0}
    for number, tree in enumerate(trees()):
        depth, bound, root = r.randint(1, 4), r.choice([40.0, 250.0]), number % 2
        expected = nodes.slow_value(tree, depth, root, bound)
        for variant in STARS:
            alpha = expected + r.uniform(-60, 60)
            beta = alpha + r.choice([0.01, 5, 40])
            found = search(tree, depth, variant, (alpha, beta), bound=bound, root=root, order=order).value
            if found <= alpha:
                assert expected <= found + CLOSE
                met["low"] += 1
            elif found >= beta:
                assert expected >= found - CLOSE
                met["high"] += 1
            else:
                assert found == pytest.approx(expected, abs=CLOSE)
                met["inside"] += 1
    assert min(met.values()) > 100


def test_pruning_never_adds_nodes_without_probes() -> None:
    saved = 0
    for tree in trees():
        all_nodes = nodes.slow_count(tree, 4)
        for order in (0, 1, 2):
            pruned = search(tree, 4, STAR1, bound=250.0, order=order).nodes
            assert pruned <= all_nodes
            saved += pruned < all_nodes
            for probing in (1, 2, 5, 0):
                kept = search(tree, 4, (1, probing, 1, 0), bound=250.0, order=order).nodes
                assert kept <= search(tree, 4, (1, probing, 0, 0), bound=250.0, order=order).nodes
    assert saved > 100


def test_plain_python_does_the_same() -> None:
    for number, tree in enumerate(trees()[:12]):
        for variant in (EXPECTIMAX, STAR1, (1, 2, 0, 0), (1, 2, 1, 0), (1, 2, 0, 1), (1, 2, 1, 1)):
            both = [search(tree, 3, variant, (-20, 30), order=number % 3, mode=mode) for mode in ("plain", "jit")]
            assert both[0] == both[1]


def test_a_search_stops_at_its_limit() -> None:
    for tree in trees()[:40]:
        for variant in (EXPECTIMAX, STAR1, (1, 2, 0, 0)):
            whole = search(tree, 4, variant)
            for limit in (0, 1, whole.nodes // 2, whole.nodes - 1):
                found = search(tree, 4, variant, limit=limit)
                assert (found.nodes, found.stopped, found.is_left_as_it_was) == (limit, 1, True)
            assert search(tree, 4, variant, limit=whole.nodes) == whole


def test_a_list_that_has_no_room_stops_the_search() -> None:
    tree = chance((1, chance((1, chance((1, seat(0, 1)))))))
    room = kernels("jit").ROOM
    assert search(tree, 1, stack=room + 15).stopped == 0
    assert search(tree, 1, stack=room + 14).stopped == kernels("jit").OUT_OF_ROOM


@looped(
    "order, expected",
    [
        (0, range(8)),
        (2, (0, 4, 3, 7, 2, 6, 1, 5)),  # ranks 3 a mod 4
        (1, range(7, -1, -1)),
    ],
)
def test_what_is_ranked_alike_may_come_the_other_way_round(order: int, expected: Sequence[int]) -> None:
    star, stack = kernels("jit"), np.empty(100, np.int32)
    state = state_of(seat(0, *range(8)))

    def listed(number: int) -> list[int]:
        return stack[: star.list_actions(state, number, 0, stack)].tolist()

    assert listed(order) == list(expected)
    ranks = [[action for action in expected if rank(action, order) == k] for k in range(8)]
    assert listed(order + star.BACKWARDS) == [action for row in ranks for action in reversed(row)]


def rank(action: int, order: int) -> int:
    """Rank of an action of the first node, as `tests/trees/kernels/ordering.py` has it."""
    return (0, 7 - action, 3 * action % 4)[order]
