"""One decision by a single tree over all worlds that a seat cannot tell apart (information-set tree search)."""

from __future__ import annotations

import math
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games.dominoes import state as layout
from games.dominoes.belief.beliefs import Deals
from games.dominoes.search import determinization, fitted_weights, workspace
from games.hands import TreeGrowth
from games.protocol import State

SELECTIONS = ("ucb", "manner")
FIRST_NODES = 1 << 10


class OneTree:
    """See the module. `simulations`: how many were made; the tree is the same however they are shared out."""

    def __init__(
        self, kernels: ModuleType, view: State, seat: int, actions: NDArray[np.int32], growth: TreeGrowth, seed: int
    ) -> None:
        self._kernels, self._view, self._seat, self._growth, self._seed = kernels, view, seat, growth, seed
        self._moves = np.array([kernels.double_dummy.move_of(int(action)) for action in actions], np.int64)
        self._w = workspace.words(kernels, view, growth.valuation)
        self._sharp = growth.sharpness * fitted_weights.playout_policy()
        module = kernels.ismcts
        self._nodes, self._totals = np.zeros((FIRST_NODES, module.COLUMNS), np.int64), np.zeros((FIRST_NODES, 2))
        self._path, self._size = np.zeros(module.MOST_DEPTH, np.int64), 1
        self._kept, self._level = np.zeros(layout.MAX_SEATS, np.int64), np.full(1, -math.inf)
        self.simulations = 0

    def add(self, first: int, count: int) -> None:
        """Simulations number first, ..., first + count - 1, in order."""
        module, growth, r = self._kernels.ismcts, self._growth, np.zeros(4, np.uint64)
        while self._size + count > len(self._nodes):
            self._nodes = np.concatenate([self._nodes, np.zeros_like(self._nodes)])
            self._totals = np.concatenate([self._totals, np.zeros_like(self._totals)])
        arrays = self._nodes, self._totals, self._path
        how = (
            self._sharp,
            fitted_weights.playout_policy(),
            growth.c,
            SELECTIONS.index(growth.selection),
            np.unique(self._moves),
        )
        drawn = self._deals(first, count), self._seed, first, r
        self._size = int(module.simulate(self._view, self._w, *how, *drawn, *arrays, self._size))
        self.simulations += count

    def _deals(self, first: int, count: int) -> Deals:
        growth, view, seat = self._growth, self._view, self._seat
        deals = determinization.draw_worlds(self._kernels, view, seat, self._seed, range(first, first + count))
        if growth.inference.kind != "none":
            logs = determinization.log_likelihoods(self._kernels, view, self._w, seat, deals, growth.inference)
            r = np.zeros(4, np.uint64)
            self._kernels.ismcts.accept(deals, logs, self._seed, first, r, self._kept, self._level)
        return deals

    def statistics(self) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """Statistics by action: mean value, number of tries, deviation of one value; NaN where there is none."""
        module, n = self._kernels.ismcts, len(self._moves)
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
