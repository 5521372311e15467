"""Rounds, for lists of moves."""

from __future__ import annotations

from games.dominoes import state as layout
from games.protocol import State


def heading(state: State) -> str:
    """``Round 3``."""
    return f"Round {int(state[layout.ROUND])}"
