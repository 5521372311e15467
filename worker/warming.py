"""Loads what people's matches need first, before anybody waits: the named levels of games that are compiled."""

from __future__ import annotations

import logging
import time
from itertools import zip_longest

from engines import bench, levels
from engines import registry as engine_registry
from games import loader, readiness
from games import registry as game_registry
from worker.weighing import playing

logger = logging.getLogger(__name__)


def load_levels() -> None:
    """Let every level decide once, so that its kernels are in this process.

    A game whose rules are cold, or of which another process compiles something, is left out: who
    waits for another one would wait for it, too. The weakest of every game first: what most people
    begin with, and the rules of all games. A level that cannot is logged: its matches say so
    themselves.
    """
    began = time.perf_counter()
    ready = [game_id for game_id in game_registry.ids() if not _is_cold(game_id)]
    for step in zip_longest(*([(game_id, level) for level in levels.of(game_id)] for game_id in ready)):
        for game_id, level in filter(None, step):
            if readiness.is_compiling(game_id):
                continue
            try:
                bench.one_decision(game_registry.get(game_id), engine_registry.make(level.engine, level.options))
            except Exception:
                logger.exception("the level %s of %s does not work", level.id, game_id)
    for game_id in ready:
        if not readiness.is_compiling(game_id):
            playing.warm(game_id)
    logger.info("levels of %s loaded in %.1f s", ", ".join(ready) or "no game", time.perf_counter() - began)


def _is_cold(game_id: str) -> bool:
    return readiness.is_cold(loader.rules(game_registry.get(game_id).folder))
