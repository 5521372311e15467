"""Loads what people's matches need first, before anybody waits: the named levels of games that are compiled."""

from __future__ import annotations

import contextlib
import logging
import time
from itertools import zip_longest

from engines import bench, levels
from engines import registry as engine_registry
from games import loader
from games import registry as game_registry
from worker.action_values import action_playouts

logger = logging.getLogger(__name__)


class _Loaded:
    is_all = False


_loaded = _Loaded()


def load_levels() -> None:
    """Let every level decide once, so that its kernels are in this process.

    What is not compiled yet is left out: who waits for another game or level would wait for it, too.
    The weakest of every game first: what most people begin with, and the rules of all games. A level
    that cannot is logged: its matches say so themselves. Where all are loaded, in a process that was forked from
    one that has loaded them, nothing is left to do.
    """
    if _loaded.is_all:
        return
    began = time.perf_counter()
    game_ids = game_registry.ids()
    cold: list[str] = []
    for step in zip_longest(*([(game_id, level) for level in levels.for_game(game_id)] for game_id in game_ids)):
        for game_id, level in filter(None, step):
            try:
                _decide(game_id, level)
            except loader.ColdError:
                cold.append(f"{level.id} of {game_id}")
            except Exception:
                logger.exception("the level %s of %s does not work", level.id, game_id)
    for game_id in game_ids:
        with contextlib.suppress(loader.ColdError), loader.only_warm():
            action_playouts.warm(game_id)
    _loaded.is_all = not cold
    logger.info("levels loaded in %.1f s; not compiled yet: %s", time.perf_counter() - began, ", ".join(cold) or "none")


def _decide(game_id: str, level: levels.Level) -> None:
    with loader.only_warm():
        bench.one_decision(game_registry.get(game_id), engine_registry.make(level.engine, level.options))
