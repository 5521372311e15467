"""The games of the lab: one line each, imported on first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from games.protocol import Game

GAMES = {
    "carcassonne": "games.carcassonne.game:Carcassonne",
    "kingdomino": "games.kingdomino.game:Kingdomino",
    "dominion": "games.dominion.game:Dominion",
    "dominoes": "games.dominoes.game:Dominoes",
}


def ids() -> tuple[str, ...]:
    """Return the ids of all games, in the order pages list them."""
    return tuple(GAMES)


@cache
def get(game_id: str) -> Game:
    """Return the game, loading its package. Raises KeyError for an unknown id."""
    module, name = GAMES[game_id].split(":")
    return cast(Game, getattr(import_module(module), name)())
