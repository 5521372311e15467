"""Beliefs about hidden hands: the paper's belief, and the exact posterior.

Beliefs are float64[28, 4]: the chance that each tile (`tiles.TILES`) is with each seat; tiles on
the table have zeros. All functions want a state in which all hands are dealt and the hand of `seat`
is known; the hands of others are not looked at.
"""

from __future__ import annotations

import math
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games import loader
from games.dominoes import state as layout
from games.dominoes import tiles
from games.protocol import Rng, State

Belief = NDArray[np.float64]
Deals = NDArray[np.int64]
"""Sets of tiles, int64[deal, seat]."""


class _Work(NamedTuple):
    """Arrays that the kernels of `dealing` overwrite."""

    classes: NDArray[np.int64]
    order: NDArray[np.int64]


def _work(kernels: ModuleType) -> _Work:
    dealing = kernels.dealing
    return _Work(np.zeros(dealing.WORK, np.int64), np.zeros((3, dealing.UNSEEN + 1), np.int64))


def ensure_loaded(kernels: ModuleType) -> None:
    """Have what this module calls compiled and loaded."""
    state, seat = np.zeros(layout.SIZE, np.int32), 0
    state[layout.UNPLAYED] = tiles.ALL
    state[layout.HAND] = (1 << tiles.HAND_SIZE) - 1
    state[layout.COUNT : layout.COUNT + layout.MAX_SEATS] = tiles.HAND_SIZE
    loader.ensure_loaded(kernels.dealing, lambda: _exercise_dealing(kernels, state, seat))
    loader.ensure_loaded(kernels.paper_belief, lambda: kernels.paper_belief.paper(state, seat, np.zeros((28, 4))))


def _exercise_dealing(kernels: ModuleType, state: State, seat: int) -> None:
    work, deals, r = _work(kernels), np.zeros((1, layout.MAX_SEATS), np.int64), np.ones(4, np.uint64)
    kernels.dealing.count(state, seat, work.classes)
    kernels.dealing.marginals(state, seat, work.classes, np.zeros((tiles.NUM_TILES, layout.MAX_SEATS)))
    kernels.dealing.sample(state, seat, 1, r, work.classes, deals)
    kernels.dealing.enumerate_deals(state, seat, work.classes, work.order, deals)


def paper(kernels: ModuleType, state: State, seat: int) -> Belief:
    """The belief of the DominAI paper, in closed form (`paper_belief`)."""
    ensure_loaded(kernels)
    out = np.zeros((tiles.NUM_TILES, layout.MAX_SEATS))
    kernels.paper_belief.paper(state, seat, out)
    return out


def exact(kernels: ModuleType, state: State, seat: int) -> Belief:
    """The posterior that is uniform over all deals which agree with what the seat knows (`dealing`)."""
    ensure_loaded(kernels)
    out = np.zeros((tiles.NUM_TILES, layout.MAX_SEATS))
    kernels.dealing.marginals(state, seat, _work(kernels).classes, out)
    return out


def consistent_deals(kernels: ModuleType, state: State, seat: int) -> int:
    """Number of deals that the seat cannot tell apart; 399,072,960 before anything is known."""
    ensure_loaded(kernels)
    return int(kernels.dealing.count(state, seat, _work(kernels).classes))


def log_probability(kernels: ModuleType, state: State, seat: int) -> float:
    """Natural logarithm of the chance that the exact posterior gives each possible deal, the true one too."""
    return -math.log(consistent_deals(kernels, state, seat))


def log_product(state: State, chances: Belief) -> float:
    """Logarithm of the chances of all tiles to be where they are. state: all hands are known."""
    rows, logs = chances.tolist(), []
    for seat, left in enumerate(state[layout.HAND : layout.HAND + layout.MAX_SEATS].tolist()):
        while left:
            lowest = left & -left
            logs.append(math.log(rows[lowest.bit_length() - 1][seat]))
            left ^= lowest
    return sum(logs)


def sample(kernels: ModuleType, state: State, seat: int, number: int, rng: Rng) -> Deals:
    """Deals drawn uniformly from those that the seat cannot tell apart, with replacement."""
    ensure_loaded(kernels)
    out = np.zeros((number, layout.MAX_SEATS), np.int64)
    kernels.dealing.sample(state, seat, number, rng, _work(kernels).classes, out)
    return out


def all_deals(kernels: ModuleType, state: State, seat: int, most: int) -> Deals | None:
    """Every deal that the seat cannot tell apart, each once; None where there are more than `most`."""
    number = consistent_deals(kernels, state, seat)
    if number > most:
        return None
    out = np.zeros((number, layout.MAX_SEATS), np.int64)
    work = _work(kernels)
    kernels.dealing.enumerate_deals(state, seat, work.classes, work.order, out)
    return out


class PaperBelief:
    """The paper's belief as it is printed: updated turn by turn (section III.C). `paper` is the same in one step."""

    def __init__(self, seat: int, hand: int) -> None:
        """seat: who believes; hand: its tiles at the start of the round."""
        self.seat = seat
        self.held = [float(tiles.HAND_SIZE)] * layout.MAX_SEATS
        self.chances = np.zeros((tiles.NUM_TILES, layout.MAX_SEATS))
        for tile in range(tiles.NUM_TILES):
            if hand >> tile & 1:
                self.chances[tile, seat] = 1.0
            else:
                self.chances[tile] = [other != seat and 1 / 3 for other in range(layout.MAX_SEATS)]

    def laid(self, seat: int, tile: int) -> None:
        """A seat lays a tile: that one is on the table, all others are less likely to be with the seat."""
        self.chances[tile] = 0.0
        self._reweight(seat, (self.held[seat] - 1) / self.held[seat])
        self.held[seat] -= 1

    def passed(self, seat: int, ends: tuple[int, int]) -> None:
        """A seat passes: it has no tile with a number of the ends."""
        for tile, pair in enumerate(tiles.TILES):
            if seat != self.seat and (pair[0] in ends or pair[1] in ends):
                self.chances[tile, seat] = 0.0
        self._reweight(seat, 1.0)

    def _reweight(self, seat: int, factor: float) -> None:
        """Weigh a seat's chances of hidden tiles anew; each tile's chances add up to 1 again."""
        for tile in range(tiles.NUM_TILES):
            if self.chances[tile, self.seat] == 0.0 and self.chances[tile].any():
                self.chances[tile, seat] *= factor
                self.chances[tile] /= self.chances[tile].sum()
