"""Loads the kernels of a learned value over a variant of its game's rules."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from games import loader
from games.values import KERNELS, GameValue


def load(value: GameValue, game_folder: Path, journal: bool, mode: str) -> ModuleType:
    """The template `leaf.py`, which searches see as V."""
    names = (*loader.frame(mode, journal), ("R", loader.rules(game_folder, journal, mode)))

    def over(path: Path, *more: tuple[str, Any]) -> ModuleType:
        tag = f"{game_folder.name}_value_{path.stem}_j{int(journal)}_{value.digest}"
        return loader.template(path, game_folder, tag, mode, (*names, *more))

    network = over(KERNELS / "network.py")
    of_game = over(value.folder / "kernels" / "value.py", ("network", network))
    return over(KERNELS / "leaf.py", ("network", network), ("F", of_game))
