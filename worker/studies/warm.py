"""Engines that have decided once: what they load or compile is no part of what a study measures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engines import bench, registry
from engines.protocol import Engine
from games import registry as game_registry

KEPT = 32
"""Engines that a process keeps: more than the runs of any study."""


def engine(game_id: str, engine_id: str, options: Mapping[str, Any]) -> Engine:
    """An engine after a first small decision. Raises what making or asking it raises."""
    return _engine(game_id, engine_id, json.dumps(options, sort_keys=True))  # some options are data


@lru_cache(maxsize=KEPT)
def _engine(game_id: str, engine_id: str, options: str) -> Engine:
    made = registry.make(engine_id, json.loads(options))
    bench.one_decision(game_registry.get(game_id), made)
    return made
