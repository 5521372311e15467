"""Observations and masks of single positions, by the kernels of a game's encoding."""

from __future__ import annotations

import hashlib
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games import loader, readiness, rng
from games.encodings import Encoding
from games.protocol import CHANCE, Game, State
from worker.environments.setup import Setup

Observation = NDArray[np.int16]
Mask = NDArray[np.int8]
WHOLE = -1
"""In place of what has been chosen in earlier steps of an action: nothing."""


def digest(encoding: Encoding) -> str:
    """Stands in a tag for what a template over an encoding depends on: the loader sees one file a template."""
    text = (encoding.folder / "__init__.py").read_bytes() + encoding.template.read_bytes()
    return hashlib.sha256(text).hexdigest()[:8]


def load(game: Game, encoding: Encoding, *, journal: bool = False, mode: str | None = None) -> ModuleType:
    """The kernels of an encoding over a game's rules; mode: None is `readiness.usual_mode`."""
    mode = mode or readiness.usual_mode()
    rules = game.kernels(journal=journal, mode=mode)
    tag = f"{game.id}_encoding_j{int(journal)}_{digest(encoding)}"
    names = (*loader.frame(mode, journal), ("R", rules))
    return loader.template(encoding.template, game.folder, tag, mode, names)


class Encoder:
    """Writes positions of one game at one table as numbers. mode: of the kernels (`load`)."""

    def __init__(self, setup: Setup, mode: str | None = None) -> None:
        self.setup = setup
        self.length = setup.encoding.length(setup.seats)
        self._kernels = load(setup.game, setup.encoding, mode=mode)
        loader.ensure_loaded(self._kernels, self._exercise)

    def observe(self, state: State, seat: int, chosen: int = WHOLE) -> Observation:
        """What a seat may know of a state, as one vector. chosen: in earlier steps of the action under way."""
        out = np.empty(self.length, np.int16)
        self._kernels.observe(state, seat, chosen, out)
        return out

    def legal(self, state: State, chosen: int = WHOLE) -> NDArray[np.int32]:
        """The numbers that the seat on turn may give now; none where no seat is on turn."""
        encoding = self.setup.encoding
        if not encoding.has_steps:
            return self.setup.game.legal_actions(state)
        out = np.empty(encoding.most_legal, np.int32)
        return out[: self._kernels.legal_numbers(state, chosen, out)]

    def mask(self, state: State, chosen: int = WHOLE) -> Mask:
        """1 for each number that is legal now."""
        out = np.zeros(self.setup.encoding.num_actions, np.int8)
        out[self.legal(state, chosen)] = 1
        return out

    def action(self, state: State, chosen: int, number: int) -> int | None:
        """The game's action that a legal number completes; None where another step follows."""
        if not self.setup.encoding.has_steps:
            return number
        action = int(self._kernels.action(state, chosen, number))
        return None if action < 0 else action

    def standing(self, state: State, seat: int) -> int:
        """Number by which places go at the end, the highest first."""
        return int(self._kernels.standing(state, seat))

    def _exercise(self) -> None:
        game, r = self.setup.game, rng.new_stream(0, rng.ANALYSIS)
        state = game.initial_state(self.setup.rules, self.setup.seats)
        while game.current_player(state) == CHANCE:
            state = game.apply(state, game.sample_chance(state, r))
        self.observe(state, 0)
        self.standing(state, 0)
        self.action(state, WHOLE, int(self.legal(state)[0]))
