"""A whole match as one of its seats saw it lie: its own kingdom first."""

from __future__ import annotations

from collections.abc import Sequence

from games import readiness
from games.kingdomino.board import replay
from games.protocol import Game, State


def svg(game: Game, states: Sequence[State], seat: int, *, ply: int | None = None, prefix: str = "") -> str:
    """The match of which these are the states after 0, 1, ... plies (attributes: `replay`)."""
    return replay.svg(readiness.rules(game), states, seat=seat, ply=ply, prefix=prefix)
