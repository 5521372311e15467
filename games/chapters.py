"""The parts of a match that a list of its moves has headings for: rounds, turns (`play/chapters.py` of a game)."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from games.protocol import Game, State


def heading(game: Game, state: State) -> str:
    """``Round 3``: where what is played in this position stands; empty where the game has no such parts."""
    told = _told(game.folder, type(game).__module__.rpartition(".")[0])
    return "" if told is None else str(told.heading(state))


@cache
def _told(folder: Path, package: str) -> ModuleType | None:
    if not (folder / "play" / "chapters.py").exists():
        return None
    return import_module(f"{package}.play.chapters")
