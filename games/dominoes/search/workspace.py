"""Workspace of a search over hands: its array of numbers, and this thread's table of positions."""

from __future__ import annotations

import threading
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games.dominoes.search import valuations, win_chances
from games.dominoes.search.valuations import TABLE_BITS
from games.hands import Valuation
from games.protocol import State


class _Memory(threading.local):
    """A thread's table of positions, and its numbers that outlive a search."""

    def __init__(self) -> None:
        self.table = np.zeros(2 << TABLE_BITS, np.int64)
        self.generation: int = 0


_memory = _Memory()


def table() -> NDArray[np.int64]:
    """The table of positions of this thread."""
    return _memory.table


def words(kernels: ModuleType, state: State, valuation: Valuation) -> NDArray[np.int64]:
    """Settings of a search for kernels (`worlds`), with the values of a valuation."""
    worths = win_chances.worths(kernels, state) if valuation.payoff == "match" else valuations.points()
    w = valuations.words(kernels, state, valuation, worths)
    w[kernels.worlds.GENERATION] = _memory.generation
    return w


def resume(kernels: ModuleType, w: NDArray[np.int64]) -> NDArray[np.int64]:
    """Go on with a search after others of this thread: what these left in the table is old."""
    w[kernels.worlds.GENERATION] = _memory.generation
    return w


def end(kernels: ModuleType, w: NDArray[np.int64]) -> int:
    """Remember which entries of the table are old; return the turns that were made."""
    _memory.generation = int(w[kernels.worlds.GENERATION])
    return int(w[kernels.worlds.NODES])
