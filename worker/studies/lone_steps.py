"""Random steps of one kingdom: the next domino in its tree, and in the graph of kingdoms.

A node is a kingdom with the dominoes that lie in it. In the tree every order of laying is a path
of its own, so a step counts for all that may be laid. In the graph each kingdom is one node,
and a step is divided by the kingdoms that the new one can come from: the dominoes without which
the rest still hangs together by contacts that the rule allows (`worker.studies.populations`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games import rng
from games.kingdomino import dominoes
from games.protocol import Rng
from worker.counting.board import Board
from worker.counting.laying_order import Laid

CASTLE = len(dominoes.TERRAINS)
"""Number in place of a terrain."""
FREE = -1
ALL = (1 << len(dominoes.TERRAINS)) - 1
"""Terrains that may lie beside the castle, as bits."""


@dataclass(frozen=True)
class Node:
    """A kingdom. holds: what each square holds (terrain, CASTLE, FREE); laid: its dominoes."""

    board: Board
    holds: tuple[int, ...]
    laid: tuple[Laid, ...]


@dataclass(frozen=True)
class _Faces:
    """The 48 dominoes both ways round; those with equal ends once. terrains: bit of each end."""

    number: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]


def start(board: Board) -> Node:
    """The castle alone."""
    return Node(board, tuple(CASTLE if cell == board.castle else FREE for cell in range(board.size)), ())


def ply(node: Node, r: Rng) -> tuple[float, Node]:
    """Lay one of all dominoes that fit, each placement alike; factor: how many there are (0: none)."""
    slots, fits = _fitting(node)
    choices = np.argwhere(fits)
    if not len(choices):
        return 0.0, node
    slot, face = choices[rng.below(r, len(choices))]
    number, (a, b) = int(_faces().number[face]), slots[slot]
    holds = list(node.holds)
    holds[a], holds[b] = int(_faces().first[face]), int(_faces().second[face])
    return float(len(choices)), Node(node.board, tuple(holds), (*node.laid, (number, a, b)))


def kingdom(node: Node, r: Rng) -> tuple[float, Node]:
    """The same, divided by the kingdoms from which the new one is one domino away."""
    factor, after = ply(node, r)
    return (factor / removable(after) if factor else 0.0), after


def removable(node: Node) -> int:
    """Dominoes without which all others can still be laid."""
    beside = _contacts(node)
    return sum(_hangs_together(beside, without) for without in range(1, len(beside)))


def _fitting(node: Node) -> tuple[list[tuple[int, int]], NDArray[np.bool_]]:
    """Pairs of free squares of which one touches something, and which faces fit on each [pairs, faces]."""
    board = node.board
    pairs = [(a, b) for a, b in board.pairs() if node.holds[a] == FREE == node.holds[b]]
    touching = {cell: _touching(node, cell) for pair in pairs for cell in pair}
    slots = [(a, b) for a, b in pairs if touching[a] | touching[b]]
    faces = _faces()
    if not slots:
        return [], np.zeros((0, len(faces.number)), np.bool_)
    first, second = (np.array([touching[slot[end]] for slot in slots])[:, None] for end in (0, 1))
    lying = np.isin(faces.number, [number for number, *_ in node.laid])
    return slots, ((first >> faces.first & 1) | (second >> faces.second & 1)).astype(np.bool_) & ~lying


def _touching(node: Node, cell: int) -> int:
    """Terrains that may touch on a free square, as bits."""
    bits = 0
    for other in node.board.neighbours(cell):
        held = node.holds[other]
        bits |= ALL if held == CASTLE else 0 if held == FREE else 1 << held
    return bits


@cache
def _faces() -> _Faces:
    tables = dominoes.load()
    rows = []
    for domino in range(dominoes.NUM_DOMINOES):
        a, b = int(tables.terrain[2 * domino]), int(tables.terrain[2 * domino + 1])
        rows.append((domino + 1, a, b))
        if not tables.is_equal[domino]:
            rows.append((domino + 1, b, a))
    number, first, second = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    return _Faces(number, first, second)


def _contacts(node: Node) -> list[set[int]]:
    """Neighbours of each domino that touch it as the rule wants it, by their place in `laid` + 1; 0 is the castle."""
    whose = {square: i for i, (_, *ends) in enumerate(node.laid, start=1) for square in ends}
    beside: list[set[int]] = [set() for _ in range(len(node.laid) + 1)]
    for a, b in node.board.pairs():
        held = (node.holds[a], node.holds[b])
        if FREE not in held and (held[0] == held[1] or CASTLE in held):
            one, other = whose.get(a, 0), whose.get(b, 0)
            beside[one].add(other)
            beside[other].add(one)
    return beside


def _hangs_together(beside: list[set[int]], without: int) -> bool:
    """Whether everything but one domino hangs together with the castle."""
    seen, waiting = {0, without}, [0]
    while waiting:
        new = beside[waiting.pop()] - seen
        seen |= new
        waiting += new
    return len(seen) == len(beside)
