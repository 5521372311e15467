"""Games whose matches kernels play whole: one line each, imported on first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from games.courses import CourseKernels

COURSES = {
    "carcassonne": "games.carcassonne.course:COURSE",
    "kingdomino": "games.kingdomino.course:COURSE",
    "dominion": "games.dominion.course:COURSE",
    "dominoes": "games.dominoes.course:COURSE",
}


@cache
def get(game_id: str) -> CourseKernels | None:
    """The kernels of a game's course; None for a game without."""
    if game_id not in COURSES:
        return None
    module, name = COURSES[game_id].split(":")
    return cast(CourseKernels, getattr(import_module(module), name))
