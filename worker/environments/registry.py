"""How games are written as numbers: one line each, imported on first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from games.encodings import Encoding

ENCODINGS = {
    "carcassonne": "games.carcassonne.learning:ENCODING",
    "kingdomino": "games.kingdomino.learning:ENCODING",
    "dominion": "games.dominion.learning:ENCODING",
    "dominoes": "games.dominoes.learning:ENCODING",
}


@cache
def get(game_id: str) -> Encoding:
    """Return a game's encoding. Raises ValueError that names the games that have one."""
    if game_id not in ENCODINGS:
        raise ValueError(f"there are environments of {', '.join(ENCODINGS)}, not of {game_id!r}")
    module, name = ENCODINGS[game_id].split(":")
    return cast(Encoding, getattr(import_module(module), name))
