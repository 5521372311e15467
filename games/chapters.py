"""The parts of a match that a list of its moves has headings for: rounds, turns (`Game.heading`)."""

from __future__ import annotations

from games.protocol import Game, State


def heading(game: Game, state: State) -> str:
    """``Round 3``: where what is played in this position stands; empty where the game has no such parts."""
    return game.heading(state) if game.heading else ""
