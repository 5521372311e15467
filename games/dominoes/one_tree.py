"""One decision by a single tree over all worlds that a seat cannot tell apart (information-set tree search)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games.dominoes import many_worlds, searching, weights
from games.dominoes import state as layout
from games.dominoes.beliefs import Deals
from games.dominoes.valuing import How
from games.protocol import State

SELECTIONS = ("ucb", "manner")
FIRST_NODES = 1 << 10
USUAL = How()


@dataclass(frozen=True)
class Growing:
    """How the tree grows: c in points, `tree.choose`; the rest as in `many_worlds.Drawn`.

    With inference worlds come up as often as they weigh, by a chain (`tree.accept`).
    """

    c: float = 30.0
    selection: str = "manner"
    sharpness: float = 4.0
    inference: str = "none"
    level: float = 0.5
    level_depth: int = 0
    how: How = USUAL


class OneTree:
    """See the module. `simulations`: how many were made; the tree is the same however they are shared out."""

    def __init__(
        self, kernels: ModuleType, view: State, seat: int, actions: NDArray[np.int32], growing: Growing, seed: int
    ) -> None:
        self._kernels, self._view, self._seat, self._growing, self._seed = kernels, view, seat, growing, seed
        self._moves = np.array([kernels.solving.move_of(int(action)) for action in actions], np.int64)
        self._w = searching.words(kernels, view, growing.how)
        self._sharp = growing.sharpness * weights.manner()
        module = kernels.tree
        self._nodes, self._totals = np.zeros((FIRST_NODES, module.COLUMNS), np.int64), np.zeros((FIRST_NODES, 2))
        self._path, self._size = np.zeros(module.MOST_DEPTH, np.int64), 1
        self._kept, self._level = np.zeros(layout.MAX_SEATS, np.int64), np.full(1, -math.inf)
        self.simulations = 0

    def add(self, first: int, count: int) -> None:
        """Simulations number first, ..., first + count - 1, in order."""
        module, growing, r = self._kernels.tree, self._growing, np.zeros(4, np.uint64)
        while self._size + count > len(self._nodes):
            self._nodes = np.concatenate([self._nodes, np.zeros_like(self._nodes)])
            self._totals = np.concatenate([self._totals, np.zeros_like(self._totals)])
        arrays = self._nodes, self._totals, self._path
        how = self._sharp, weights.manner(), growing.c, SELECTIONS.index(growing.selection), np.unique(self._moves)
        drawn = self._deals(first, count), self._seed, first, r
        self._size = int(module.simulate(self._view, self._w, *how, *drawn, *arrays, self._size))
        self.simulations += count

    def _deals(self, first: int, count: int) -> Deals:
        growing, view, seat = self._growing, self._view, self._seat
        deals = many_worlds.draw_worlds(self._kernels, view, seat, self._seed, range(first, first + count))
        if growing.inference != "none":
            inferred = many_worlds.Inferred(growing.inference, growing.level, growing.level_depth)
            logs = many_worlds.log_likelihoods(self._kernels, view, self._w, seat, deals, inferred)
            r = np.zeros(4, np.uint64)
            self._kernels.tree.accept(deals, logs, self._seed, first, r, self._kept, self._level)
        return deals

    def found(self) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """By action: mean value, how often it was tried, and the deviation of one value; NaN where there is none."""
        module, n = self._kernels.tree, len(self._moves)
        values, visits, deviations = np.full(n, np.nan), np.zeros(n, np.int64), np.full(n, np.nan)
        for i, move in enumerate(self._moves):
            node = int(module.child_of(self._nodes, 0, int(move)))
            if node:
                visits[i] = self._nodes[node, module.VISITS]
                total, squares = (float(value) for value in self._totals[node])
                values[i] = total / visits[i]
                if visits[i] > 1:
                    deviations[i] = math.sqrt(max(0.0, squares - total * values[i]) / (visits[i] - 1))
        return values, visits, deviations

    @property
    def nodes(self) -> int:
        """The turns that were made in all."""
        return int(self._w[self._kernels.worlds.NODES])
