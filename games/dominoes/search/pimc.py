"""One decision over worlds that a seat cannot tell apart: drawn, weighed, searched and averaged (PIMC)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games.dominoes.belief import beliefs, opponent_model
from games.dominoes.belief.beliefs import Deals
from games.dominoes.search import determinization, fitted_weights, workspace
from games.hands import Sampling
from games.protocol import State

ORDER = 1
"""Seed of the order in which all worlds are taken: as good as drawn where time ends it early."""


class ManyWorlds:
    """See the module. `worlds`: how many were searched; `number`: how many there are, where all are taken."""

    def __init__(
        self, kernels: ModuleType, view: State, seat: int, actions: NDArray[np.int32], sampling: Sampling, seed: int
    ) -> None:
        self._kernels, self._view, self._seat, self._sampling, self._seed = kernels, view, seat, sampling, seed
        self._actions, self._w = actions, workspace.words(kernels, view, sampling.valuation)
        self._tally, self._weights = np.zeros((5, len(actions))), np.zeros(2)
        self._sharp = sampling.sharpness * fitted_weights.playout_policy()
        self._top = -math.inf  # log-likelihood of the likeliest world so far, which weighs 1
        self._all = self._shuffled() if sampling.all_below else None
        self._followed: list[_Followed] = []
        self.worlds = 0

    def _shuffled(self) -> Deals | None:
        """All worlds, where they are few enough."""
        deals = beliefs.all_deals(self._kernels, self._view, self._seat, self._sampling.all_below)
        return None if deals is None else np.random.Generator(np.random.PCG64(ORDER)).permutation(deals)

    @property
    def number(self) -> int | None:
        """Number of all worlds, where they are taken one by one."""
        return None if self._all is None else len(self._all)

    @property
    def depth(self) -> int:
        """Turns searched from each action on, 0: to the end of the round."""
        return 0 if self._sampling.playouts or self._sampling.depth < 0 else self._sampling.depth + 1

    def add(self, first: int, count: int) -> None:
        """Search worlds number first, ..., first + count - 1."""
        if self._sampling.is_common or self._all is not None:
            self._add(first, count, self._actions, self._tally)
        else:
            for i in range(len(self._actions)):
                tally = np.zeros((5, 1))
                self._add((i + 1 << 40) + first, count, self._actions[i : i + 1], tally)
                self._tally[:, i] += tally[:, 0]
        self.worlds += count

    def _deals(self, first: int, count: int) -> Deals:
        if self._all is not None:
            return np.ascontiguousarray(self._all[first : first + count])
        numbers, is_exact = range(first, first + count), self._sampling.sampler == "exact"
        draw = determinization.draw_worlds
        return draw(self._kernels, self._view, self._seat, self._seed, numbers, is_exact=is_exact)

    def _likelihoods(self, deals: Deals) -> NDArray[np.float64]:
        """Logarithm of what each world weighs."""
        inference = self._sampling.inference
        return determinization.log_likelihoods(self._kernels, self._view, self._w, self._seat, deals, inference)

    def _weights_of(self, logs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights of worlds against the likeliest of all so far; what was added up before is weighed anew with it."""
        top = max(self._top, float(logs.max()))
        less = math.exp(self._top - top)
        self._top = top
        self._tally[:3] *= np.array([less, less**2, less**2])[:, None]
        self._weights *= less, less**2
        return np.exp(logs - top)

    def _add(self, first: int, count: int, actions: NDArray[np.int32], tally: NDArray[np.float64]) -> None:
        sampling, w, deals = self._sampling, workspace.resume(self._kernels, self._w), self._deals(first, count)
        logs = self._likelihoods(deals)
        weigh = self._weights_of(logs)
        self._weights += weigh.sum(), (weigh**2).sum()
        if sampling.is_postponed:
            self._follow(deals, logs)
        elif sampling.playouts:
            r, play = np.zeros(4, np.uint64), self._kernels.determinization.play_worlds
            play(self._view, w, self._sharp, actions, deals, weigh, sampling.playouts, self._seed, first, r, tally)
        else:
            search, out = self._kernels.determinization.search_worlds, np.zeros((2, len(actions)))
            search(self._view, w, workspace.table(), actions, deals, weigh, sampling.depth, out, tally)
        workspace.end(self._kernels, w)

    def _follow(self, deals: Deals, logs: NDArray[np.float64]) -> None:
        module, n, k = self._kernels.epimc, len(self._actions), len(deals)
        found = np.zeros((n, k), np.int64), np.zeros((n, k), np.int64), np.zeros((n, k, module.MOST_MOVES))
        moves = np.zeros(module.MOST_MOVES, np.int64)
        module.follow_worlds(
            self._view, self._w, workspace.table(), self._actions, deals, self._sampling.depth, moves, *found
        )
        self._followed.append(_Followed(*found, logs))

    @property
    def effective(self) -> float:
        """Size of an unweighted sample that is as good as the worlds with their weights."""
        return float(self._weights[0] ** 2 / self._weights[1] / self._draws)

    @property
    def _draws(self) -> int:
        """Draws that a world stands for."""
        return 1 if self._sampling.is_common or self._all is not None else len(self._actions)

    def means(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean value of each action, and the standard deviation of one world (NaN below two)."""
        tally, n = self._tally, self.worlds
        if self._sampling.is_postponed:
            tally = _Followed.joined(self._followed).tally()
        share = self._weights[0] / self._draws
        weighted = tally[0] / share
        spread = tally[2] - 2 * weighted * tally[1] + weighted**2 * self._weights[1] / self._draws
        deviations = (
            np.sqrt(np.maximum(spread, 0.0)) / share * math.sqrt(n) if n > 1 else np.full(len(weighted), np.nan)
        )
        if self.effective < opponent_model.FEW * n:
            weighted = (1 - opponent_model.MIXED) * weighted + opponent_model.MIXED * tally[3] / n
        return weighted, deviations

    @property
    def nodes(self) -> int:
        """The turns that were made in all."""
        return int(self._w[self._kernels.worlds.NODES])


@dataclass(frozen=True)
class _Followed:
    """Histories after each action in each world (`epimc.follow_worlds`), and logarithms of the worlds' weights."""

    histories: NDArray[np.int64]
    numbers: NDArray[np.int64]
    values: NDArray[np.float64]
    logs: NDArray[np.float64]

    @classmethod
    def joined(cls, parts: list[_Followed]) -> _Followed:
        """All parts as one."""
        return cls(
            np.concatenate([part.histories for part in parts], axis=1),
            np.concatenate([part.numbers for part in parts], axis=1),
            np.concatenate([part.values for part in parts], axis=1),
            np.concatenate([part.logs for part in parts]),
        )

    def tally(self) -> NDArray[np.float64]:
        """Tally as worlds are added up, the seat choosing one next action for all worlds of a history."""
        w = np.exp(self.logs - self.logs.max())
        rows, square = np.array([self._of_action(i, w) for i in range(len(self.histories))]), w**2
        return np.stack([rows @ w, rows @ square, rows**2 @ square, rows.sum(axis=1), (rows**2).sum(axis=1)])

    def _of_action(self, i: int, w: NDArray[np.float64]) -> NDArray[np.float64]:
        """Value of one first action in each world."""
        kinds, which = np.unique(self.histories[i], return_inverse=True)
        sums = np.zeros((len(kinds), self.values.shape[2]))
        np.add.at(sums, which, w[:, None] * self.values[i])
        numbers = np.zeros(len(kinds), np.int64)
        numbers[which] = self.numbers[i]
        sums[np.arange(sums.shape[1])[None, :] >= numbers[:, None]] = -np.inf
        return np.asarray(self.values[i][np.arange(len(which)), sums.argmax(axis=1)[which]], np.float64)
