"""Kingdoms of a position, read once: a board asks for each several times, and for two readers after a ply."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from games.kingdomino import metrics, reading
from games.kingdomino.metrics import Area
from games.kingdomino.reading import Square
from games.protocol import State

KEPT = 512
"""Kingdoms that a process remembers: some kilobytes each."""


def kingdom(state: State, seat: int) -> tuple[Square, ...]:
    """The squares of a kingdom as `reading.kingdom` has them."""
    return _kingdom(state.tobytes(), seat)


def areas(state: State, seat: int) -> tuple[Area, ...]:
    """Its areas as `metrics.areas` has them."""
    return _areas(kingdom(state, seat))


@lru_cache(maxsize=KEPT)
def _areas(squares: tuple[Square, ...]) -> tuple[Area, ...]:
    return tuple(metrics.areas(squares))


@lru_cache(maxsize=KEPT)
def _kingdom(words: bytes, seat: int) -> tuple[Square, ...]:
    return tuple(reading.kingdom(np.frombuffer(words, np.int32), seat))
