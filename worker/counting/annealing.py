"""Looks for kingdoms with many points: simulated annealing of full boards, one after the other.

A board is a tessellation and a domino on each of its slots. A step (`kernels/annealing.py`) is kept as Metropolis et
al. (1953) say, at a temperature that falls (Kirkpatrick, Gelatt, Vecchi 1983). Dominoes that the rule of contacts does
not reach from the castle cost points, so that boards end legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games import loader, rng
from games.kingdomino import dominoes
from games.protocol import Rng
from worker.counting.board import Board, Slot
from worker.counting.laying_order import Kingdom, laying_order

TEMPLATE = Path(__file__).parent / "kernels" / "annealing.py"
HOT, COLD = 6.0, 0.5
"""Temperatures in points at the start and at the end."""
UNREACHED = 4
"""Points that a domino costs which the rule does not reach."""

ALL = tuple(range(1, dominoes.NUM_DOMINOES + 1))
Small = NDArray[np.int16]


class Tables(NamedTuple):
    """What all boards with one castle share; C squares."""

    terrain: Small  # [48, 2]: of each end of a domino
    crowns: Small  # [48, 2]
    beside: Small  # [C, 4]: squares beside each, then -1
    fours: Small  # [n, 4]: squares of four, row by row
    castle: int


class Laying(NamedTuple):
    """One board of S slots, with buffers. Dominoes are numbered from 0."""

    slots: Small  # [S, 2]: squares of both ends
    box: Small  # [B]: dominoes, the first S of which lie on the slots
    kept_slots: Small
    kept_box: Small
    best_slots: Small
    best_box: Small
    terrain: Small  # [C]
    crowns: Small  # [C]
    owner: Small  # [C]: slot on each square, -1 under the castle
    seen: Small  # [C]
    stack: Small  # [C]


class NoKingdomError(ValueError):
    """No board became legal."""


class Annealing:
    """Searches with one castle cell. numbers: dominoes that may be laid, as many as there are slots or more."""

    def __init__(self, board: Board, numbers: Sequence[int] = ALL) -> None:
        assert board.castle is not None
        self._board, self._numbers = board, np.array(numbers, np.int16) - 1
        self._tables, self._kernels = _tables(board), _load()

    def run(self, tiling: Sequence[Slot], steps: int, stream: Rng) -> Kingdom:
        """Cool one board down; the best legal one that was met. Raises NoKingdomError where none was.

        tiling: tessellation to begin with. The stream is consumed.
        """
        laying = _laying(self._board, tiling, self._numbers)
        _shuffle(laying.box, stream)
        points = int(self._kernels.run(laying, self._tables, steps, HOT, COLD, UNREACHED, stream))
        if points < 0:
            raise NoKingdomError("no board became legal; more steps are needed")
        lying = zip(laying.best_box.tolist(), laying.best_slots.tolist(), strict=False)
        return Kingdom(points, laying_order(self._board, [(number + 1, a, b) for number, (a, b) in lying]))


@cache
def _load() -> ModuleType:
    """The kernels, compiled and loaded."""
    module = loader.template(TEMPLATE, loader.FRAME, "counting_annealing", "jit", loader.frame())

    def exercise() -> None:
        board = Board(3, 3, 4)
        laying = _laying(board, [(0, 1), (2, 5), (7, 8), (3, 6)], np.arange(5, dtype=np.int16))
        module.run(laying, _tables(board), 1, HOT, COLD, UNREACHED, rng.new_stream(0, rng.ANALYSIS))

    loader.ensure_loaded(module, exercise)
    return module


def _tables(board: Board) -> Tables:
    shown = dominoes.load()
    beside = np.full((board.size, 4), -1, np.int16)
    for square in range(board.size):
        others = board.neighbours(square)
        beside[square, : len(others)] = others
    fours = [
        (square, square + 1, square + board.width, square + board.width + 1)
        for square in range(board.size - board.width)
        if (square + 1) % board.width
    ]
    return Tables(
        shown.terrain.reshape(-1, 2).astype(np.int16),
        shown.crowns.reshape(-1, 2).astype(np.int16),
        beside,
        np.array(fours, np.int16),
        board.castle or 0,
    )


def _laying(board: Board, tiling: Sequence[Slot], numbers: Small) -> Laying:
    slots = np.array(tiling, np.int16)
    squares = [np.full(board.size, -1, np.int16) for _ in range(5)]
    return Laying(slots, numbers.copy(), *(part.copy() for _ in range(2) for part in (slots, numbers)), *squares)


def _shuffle(box: Small, stream: Rng) -> None:
    """Fisher and Yates."""
    for place in range(len(box) - 1, 0, -1):
        other = rng.below(stream, place + 1)
        box[place], box[other] = box[other], box[place]
