"""Matches between two sets of weights that look one ply ahead (kernels: `search/duel.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engines import templates
from games import loader
from games.protocol import Game
from games.values import GameValue, Weights


class Buffers(NamedTuple):
    """Scratch of kernels."""

    s: NDArray[np.int32]
    r: NDArray[np.uint64]
    actions: NDArray[np.int32]
    j: NDArray[np.int32]
    points: NDArray[np.int64]
    totals: NDArray[np.float64]


@dataclass(frozen=True)
class Tally:
    """Matches of side 0. share: of won matches, a draw a half; its error and the margin's with deals as units."""

    wins: int
    draws: int
    losses: int
    share: float
    share_error: float
    margin: float
    margin_error: float


def tally(margins: NDArray[np.int64]) -> Tally:
    """Count matches of deals, int64[deals, 2]."""
    won = np.where(margins > 0, 1.0, np.where(margins == 0, 0.5, 0.0)).mean(axis=1)
    means, root = margins.mean(axis=1), max(1, len(margins)) ** 0.5
    error = [float(numbers.std(ddof=1)) / root if len(margins) > 1 else float("nan") for numbers in (won, means)]
    return Tally(
        wins=int((margins > 0).sum()),
        draws=int((margins == 0).sum()),
        losses=int((margins < 0).sum()),
        share=float(won.mean()),
        share_error=error[0],
        margin=float(means.mean()),
        margin_error=error[1],
    )


class Duels:
    """Two seats that hide nothing. value: the learned value of the game, None for its evaluation by hand."""

    def __init__(self, game: Game, value: GameValue | None) -> None:
        if game.traits.has_hidden_information or game.traits.min_seats > 2:
            raise ValueError(f"{game.label} has no duels of two seats that hide nothing")
        if value is None and not game.evaluations:
            raise ValueError(f"{game.label} has no evaluation")
        self._rules = game.kernels(journal=True)
        self._kernels = templates.load("duel", game.folder, True, value=value)
        self._start = game.initial_state(cast(Any, game.options)(), 2)
        self.num_weights = 1 + int(self._kernels.V.NUM_FEATURES) if value else len(self._rules.evaluation.WEIGHTS)
        nothing = np.zeros(self.num_weights)
        loader.ensure_loaded(self._kernels, lambda: self.play(nothing, nothing, 0, 0, 1))

    def play(self, one: Weights, other: Weights, seed: int, first: int, deals: int) -> NDArray[np.int64]:
        """Margins of `one`, int64[deals, 2], in the deals from number `first` on; the same wherever they are played."""
        margins = np.zeros((deals, 2), np.int64)
        self._kernels.play(self._start, np.stack([one, other]), np.uint64(seed), first, self._buffers(), margins)
        return margins

    def _buffers(self) -> Buffers:
        rules, value = self._rules, self._kernels.V
        return Buffers(
            np.empty(rules.SIZE, np.int32),
            np.empty(4, np.uint64),
            np.empty(rules.MAX_ACTIONS, np.int32),
            np.ones(loader.JOURNAL_WORDS, np.int32),
            np.zeros(rules.MAX_SEATS, np.int64),
            np.zeros(value.ROOM if value else rules.MAX_SEATS),
        )
