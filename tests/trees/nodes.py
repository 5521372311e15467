"""Trees as Python objects: made by hand or at random, searched slowly, written to a state."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.trees import layout

FOLDER = Path(__file__).parent
END, CHANCE = -2, -1


@dataclass
class Node:
    """player: seat, CHANCE or END; weight: of this outcome; totals: what it is worth to each seat."""

    player: int = END
    children: list[Node] = field(default_factory=list)
    totals: tuple[int, ...] = (0, 0)
    weight: int = 1

    def size(self) -> int:
        return 1 + sum(child.size() for child in self.children)


def leaf(value: int) -> Node:
    """An end that is worth `value` to seat 0, of two."""
    return Node(totals=(value, 0))


def seat(player: int, *values: int | Node) -> Node:
    """A seat chooses among positions."""
    return Node(player, [value if isinstance(value, Node) else leaf(value) for value in values])


def chance(*outcomes: tuple[int, Node]) -> Node:
    """Outcomes with their weights."""
    for weight, node in outcomes:
        node.weight = weight
    return Node(CHANCE, [node for _, node in outcomes])


def state(root: Node, num_seats: int = 2) -> NDArray[np.int32]:
    """The tree as a state whose first node is reached; children stand side by side."""
    s = np.zeros(layout.SIZE, np.int32)
    s[layout.NUM_SEATS] = num_seats
    queue = [root]
    for number, node in enumerate(queue):  # grows while it is walked
        record = layout.NODES + layout.WORDS * number
        s[record : record + 4] = node.player, len(queue), len(node.children), node.weight
        s[record + layout.TOTAL : record + layout.TOTAL + num_seats] = node.totals
        queue.extend(node.children)
    assert len(queue) <= layout.MAX_NODES
    return s


def hidden(worlds: Node, true: int, num_seats: int = 2) -> NDArray[np.int32]:
    """The state after chance has chosen a world (its first child is `true`) that no seat is told."""
    s = state(worlds, num_seats)
    s[layout.HERE] = 1 + true  # children of the first node come right after it
    s[layout.WORLDS] = len(worlds.children)
    return s


def grown(r: random.Random, depth: int, num_seats: int = 2, spread: int = 100) -> Node:
    """A random tree of at most `depth` plies: seats in any order, chance after chance, early ends."""
    totals = tuple(r.randint(-spread, spread) for _ in range(num_seats))
    kind = r.random()
    if depth == 0 or kind < 0.08:
        return Node(totals=totals)
    if kind < 0.5:
        children = [grown(r, depth - (r.random() < 0.6), num_seats, spread) for _ in range(r.randint(1, 3))]
        for child in children:
            child.weight = r.randint(1, 6)
        return Node(CHANCE, children, totals)
    children = [grown(r, depth - 1, num_seats, spread) for _ in range(r.randint(1, 5))]
    return Node(r.randrange(num_seats), children, totals)


def margins(node: Node, bound: float) -> list[float]:
    """Every seat's total minus the best other total, within the bounds."""
    pairs = [(own, max(node.totals[:i] + node.totals[i + 1 :])) for i, own in enumerate(node.totals)]
    return [max(-bound, min(bound, own - other)) for own, other in pairs]


def _mean(children: Sequence[Node], values: Sequence[float]) -> float:
    return sum(child.weight * v for child, v in zip(children, values, strict=True)) / sum(c.weight for c in children)


def slow_value(node: Node, depth: int, root: int, bound: float) -> float:
    """Expectimax straight from its definition: `root` maximises, all others minimise."""
    if node.player == END or depth == 0:
        return margins(node, bound)[root]
    values = [slow_value(child, depth - (node.player >= 0), root, bound) for child in node.children]
    if node.player == CHANCE:
        return _mean(node.children, values)
    return max(values) if node.player == root else min(values)


def slow_maxn(node: Node, depth: int, bound: float) -> list[float]:
    """Max^n: each seat maximises its own margin, the first of equals."""
    if node.player == END or depth == 0:
        return margins(node, bound)
    rows = [slow_maxn(child, depth - (node.player >= 0), bound) for child in node.children]
    if node.player == CHANCE:
        return [_mean(node.children, column) for column in zip(*rows, strict=True)]
    return max(rows, key=lambda row: row[node.player])


def slow_count(node: Node, depth: int) -> int:
    """Actions that a search without pruning makes."""
    if node.player == END or depth == 0:
        return 0
    own = node.player >= 0
    return sum(own + slow_count(child, depth - own) for child in node.children)


def slow_reply(node: Node, depth: int, root: int, bound: float, *, is_spent: bool = False) -> float:
    """Best reply: between two plies of `root` one other seat chooses, the rest take their first action."""
    if node.player == END or depth == 0:
        return margins(node, bound)[root]
    if node.player == CHANCE:
        values = [slow_reply(child, depth, root, bound, is_spent=is_spent) for child in node.children]
        return _mean(node.children, values)
    if node.player == root:
        return max(slow_reply(child, depth - 1, root, bound) for child in node.children)
    first, *others = node.children
    kept = slow_reply(first, depth - 1, root, bound, is_spent=is_spent)
    if is_spent:
        return kept
    return min([kept, *(slow_reply(child, depth - 1, root, bound, is_spent=True) for child in others)])


def largest_error(node: Node, depth: int, reduction: int, root: int, bound: float) -> float:
    """Most that a value behind an outcome is away from that `reduction` plies less deep, in all of a search."""
    if node.player == END or depth == 0:
        return 0.0
    found = 0.0
    if node.player == CHANCE and depth >= reduction:
        pairs = ((slow_value(child, d, root, bound) for d in (depth, depth - reduction)) for child in node.children)
        found = max(abs(deep - shallow) for deep, shallow in pairs)
    below = depth - (node.player >= 0)
    return max([found, *(largest_error(child, below, reduction, root, bound) for child in node.children)])


def in_order(node: Node, order: int) -> Node:
    """The tree with the actions of seats in move order 0 or 1 of `kernels/ordering.py`."""
    numbered = list(enumerate(in_order(child, order) for child in node.children))
    if node.player >= 0 and order == 1:
        numbered.sort(key=lambda pair: 7 - pair[0] % 8)
    return replace(node, children=[child for _, child in numbered])
