"""Kernels that each level of a game calls, so that one can say how long it takes until a level is ready.

Kept as data: `python -m engines.level_kernels` finds it anew, by a decision of each level in a process of its own.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from engines import bench, levels, registry
from games import compile_locks, loader
from games import registry as game_registry

FILE = Path(__file__).parent / "data" / "level_kernels.json"
UNKNOWN_S = 5.0
"""Seconds of kernels that nobody has measured."""


@cache
def _kept() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))["kernels"]
    return found


def of_level(game_id: str, level_id: str) -> tuple[str, ...]:
    """Names of the kernels that a level calls, without versions; none where the game or level is not known."""
    return tuple(_kept().get(game_id, {}).get(level_id, ()))


def seconds_left(game_id: str, level_ids: Iterable[str]) -> float:
    """Seconds for which compiling takes until these levels are ready, once it has begun; 0 where they are."""
    names = dict.fromkeys(name for level_id in level_ids for name in of_level(game_id, level_id))
    root = loader.cache_root()
    rules: Path = loader.rules(game_registry.get(game_id).folder).CACHE_FOLDER
    # rules are compiled first: while they are not, and from before, there are kernels of other versions alone
    is_there = (rules / compile_locks.MARKER).exists()
    since = (rules / compile_locks.LOCK).stat().st_mtime if is_there else math.inf
    return sum(compile_locks.left_s(root, name, since, UNKNOWN_S) for name in names)


def find(game_id: str, level_id: str) -> list[str]:
    """Names of the kernels that a level calls, by a decision of it in a process of its own."""
    command = [sys.executable, "-m", "engines.level_kernels", game_id, level_id]
    found: list[str] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found


def main(arguments: list[str]) -> None:
    """Print what one level calls, as JSON; without one find and keep those of all."""
    if arguments:
        game_id, level_id = arguments
        level = levels.get(game_id, level_id)
        bench.one_decision(game_registry.get(game_id), registry.make(level.engine, level.options))
        print(json.dumps(_names_loaded()))
        return
    found = {
        game_id: {level.id: find(game_id, level.id) for level in levels.for_game(game_id)}
        for game_id in game_registry.ids()
    }
    FILE.write_text(json.dumps({"kernels": found}, indent=1) + "\n", encoding="utf-8")


def _names_loaded() -> list[str]:
    """Names of the kernels that this process has loaded."""
    modules = [module for module in list(sys.modules.values()) if getattr(module, "IS_LOADED", False)]
    return sorted({compile_locks.name_of(module.CACHE_FOLDER.name) for module in modules})


if __name__ == "__main__":
    main(sys.argv[1:])
