"""Matches that a value plays with itself, as Python sees them (kernels: `search/self_play.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engines import templates
from engines.policy_numbers import policy_number
from games import loader
from games import options as option_tools
from games.protocol import Game
from games.values import NONE, Training, Weights


class Positions(NamedTuple):
    """Positions of matches.

    features: float32[n, seats, F]; points: float64[n, seats], what they learn; finals: likewise, of the match's end;
    matches: int64[n]; plies: int64[n], from the start.
    """

    features: NDArray[np.float32]
    points: NDArray[np.float64]
    finals: NDArray[np.float64]
    matches: NDArray[np.int64]
    plies: NDArray[np.int64]


class Play(NamedTuple):
    """How matches are played, as kernels take it. teacher: number of a policy, -1: the value plays."""

    weights: Weights
    seed: np.uint64
    teacher: int
    epsilon: float
    rate: float
    trace: float


class Rows(NamedTuple):
    """What kernels write to: `Positions` with room."""

    positions: NDArray[np.float32]
    points: NDArray[np.float64]
    finals: NDArray[np.float64]
    matches: NDArray[np.int64]
    plies: NDArray[np.int64]


class Buffers(NamedTuple):
    """Scratch of kernels."""

    s: NDArray[np.int32]
    drawn: NDArray[np.int32]
    r: NDArray[np.uint64]
    actions: NDArray[np.int32]
    j: NDArray[np.int32]
    points: NDArray[np.int64]
    values: NDArray[np.float64]
    trail: NDArray[np.float64]  # float64[plies + 1, seats]: what the value expects after each ply


@dataclass(frozen=True)
class Round:
    """Matches of one round. weights: None where the teacher plays; seed: 64 bits."""

    weights: Weights | None
    seed: int
    matches: int


class SelfPlay:
    """Self-play of one game by the rules that its training names. Raises ValueError where the game has no value."""

    def __init__(self, game: Game, training: Training) -> None:
        if game.value is None:
            raise ValueError(f"{game.label} has no value that could be learned")
        self._game, self._training = game, training
        self._rules = game.kernels(journal=True)
        self._kernels = templates.load("self_play", game.folder, True, value=game.value)
        self.num_features = int(self._kernels.V.NUM_FEATURES)
        loader.ensure_loaded(self._kernels, lambda: self.play(Round(None, 0, 1)))

    def play(self, matches: Round) -> Positions:
        """Play one round; the same wherever it is played."""
        training, rules = self._training, self._rules
        options = option_tools.from_json(self._game.options, training.options)
        start = self._game.initial_state(options, training.seats)
        teacher = -1 if matches.weights is not None else policy_number(rules, training.teacher, 0)
        weights = NONE if matches.weights is None else matches.weights
        play = Play(weights, np.uint64(matches.seed), teacher, training.epsilon, training.rate, training.trace)
        room = int(matches.matches * (1 + 1.2 * training.rate * self._game.traits.max_plies))
        rows = Rows(
            np.zeros((room, training.seats, self.num_features), np.float32),
            np.zeros((room, training.seats)),
            np.zeros((room, training.seats)),
            np.zeros(room, np.int64),
            np.zeros(room, np.int64),
        )
        n = int(self._kernels.play(play, start, self._buffers(), rows, 0, matches.matches))
        return Positions(rows.positions[:n], rows.points[:n], rows.finals[:n], rows.matches[:n], rows.plies[:n])

    def _buffers(self) -> Buffers:
        rules = self._rules
        return Buffers(
            np.empty(rules.SIZE, np.int32),
            np.empty(rules.SIZE, np.int32),
            np.empty(4, np.uint64),
            np.empty(rules.MAX_ACTIONS, np.int32),
            np.ones(loader.JOURNAL_WORDS, np.int32),
            np.zeros(rules.MAX_SEATS, np.int64),
            np.zeros(self._kernels.V.ROOM),
            np.zeros((self._game.traits.max_plies + 1, self._training.seats)),
        )
