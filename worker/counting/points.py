"""Points of many small kingdoms at once, and the best of them. Bonuses are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.counting.board import Board, Slot
from worker.counting.faces import Faces

Small = NDArray[np.int16]
CHUNK = 100_000
"""Kingdoms whose points are counted at once."""


@dataclass(frozen=True)
class Best:
    """A kingdom with the most points: where its dominoes lie, and the kinds of square on their ends."""

    points: int
    slots: tuple[Slot, ...]
    kinds: tuple[tuple[int, int], ...]


def better(
    board: Board, faces: Faces, slots: Sequence[Slot], kinds: Mapping[int, Small], best: Best | None
) -> Best | None:
    """The best kingdom of these, or `best` where none has more points. kinds: of each covered square [kingdoms]."""
    squares = np.array(list(kinds.values()))
    bound = at_most(faces, squares)
    order = np.argsort(-bound, kind="stable")
    for start in range(0, len(order), CHUNK):
        some = order[start : start + CHUNK]
        limit = best.points if best else -1
        some = some[bound[some] > limit]
        if not len(some):
            break
        found = points(board, faces, list(kinds), squares[:, some])
        top = int(found.argmax())
        if found[top] > limit:
            shown = {square: int(row[some[top]]) for square, row in kinds.items()}
            best = Best(int(found[top]), tuple(slots), tuple((shown[a], shown[b]) for a, b in slots))
    return best


def at_most(faces: Faces, kinds: Small) -> Small:
    """Points if all squares of a terrain were one area: never less than the true ones. kinds: [squares, kingdoms]."""
    total = np.zeros(kinds.shape[1], np.int16)
    for terrain in np.unique(faces.terrain):
        own = (faces.terrain == terrain).astype(np.int8)
        squares = own[kinds].sum(axis=0, dtype=np.int16)
        total += squares * (own * faces.crowns)[kinds].sum(axis=0, dtype=np.int16)
    return total


def points(board: Board, faces: Faces, squares: Sequence[int], kinds: Small) -> Small:
    """Points of each kingdom: every square brings the crowns of its area. kinds: [squares, kingdoms]."""
    terrain, crowns = faces.terrain[kinds].astype(np.int8), faces.crowns[kinds].astype(np.int8)
    beside = [(squares.index(a), squares.index(b)) for a, b in board.pairs() if a in squares and b in squares]
    is_one = [terrain[a] == terrain[b] for a, b in beside]
    label = np.repeat(np.arange(len(squares), dtype=np.int8)[:, None], kinds.shape[1], axis=1)
    while True:
        before = label.copy()
        for (a, b), joins in zip(beside, is_one, strict=True):
            lower = np.minimum(label[a], label[b])
            label[a], label[b] = np.where(joins, lower, label[a]), np.where(joins, lower, label[b])
        if (label == before).all():
            break
    found = np.zeros(kinds.shape[1], np.int16)
    for a in range(len(squares)):
        for b in range(len(squares)):
            found += (label[a] == label[b]) * crowns[b]
    return found
