"""Rounds, for lists of moves."""

from __future__ import annotations

from games.dominoes import state as layout
from games.protocol import State


def round_of(state: State) -> int:
    """The round, from 1: one deal of all tiles."""
    return int(state[layout.ROUND])


def heading(state: State) -> str:
    """``Round 3``."""
    return f"Round {round_of(state)}"
