"""All measurements: a module of this package for each game."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from worker.strength.model import Measurement

GAMES: dict[str, str] = {
    "carcassonne": "worker.strength.carcassonne",
    "kingdomino": "worker.strength.kingdomino",
    "dominion": "worker.strength.dominion",
    "dominoes": "worker.strength.dominoes",
}
"""Game -> module with its `MEASUREMENTS`, in the order of pages."""


@cache
def of_game(game_id: str) -> tuple[Measurement, ...]:
    """Measurements of a game; none where nobody has listed any."""
    if game_id not in GAMES:
        return ()
    found: tuple[Measurement, ...] = import_module(GAMES[game_id]).MEASUREMENTS
    return found


def measurements() -> dict[str, Measurement]:
    """All of them, by id."""
    return {one.id: one for game_id in GAMES for one in of_game(game_id)}


def get(measurement_id: str) -> Measurement:
    """One by its id. Raises KeyError."""
    return measurements()[measurement_id]
