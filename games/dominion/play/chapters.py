"""Turns, for lists of moves."""

from __future__ import annotations

from games.dominion import reading
from games.dominion import state as layout
from games.protocol import State


def round_of(state: State) -> int:
    """The turn, from 1, counted for the seat on turn."""
    seat = max(0, int(state[layout.TURN]))
    return int(state[reading.seat_at(seat) + layout.TURNS])


def heading(state: State) -> str:
    """``Turn 3``: the number of the turn, counted for the seat on turn."""
    return f"Turn {round_of(state)}"
