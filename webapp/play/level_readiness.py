"""Which levels of a game can be played at once, and how long the others take on a machine that is new to them."""

from __future__ import annotations

from collections.abc import Sequence

from engines import level_kernels
from engines import registry as engine_registry
from engines.levels import Level
from engines.protocol import Budget
from games import registry as game_registry
from webapp.common.formats import duration
from worker import cold_start, estimate

_ready: set[tuple[str, str]] = set()
"""Levels that were ready once: kernels stay."""


def seconds_left(game_id: str, level: Level) -> float:
    """Seconds until a level is ready, once somebody waits for it; 0 where it is, or answers by plain rules so far."""
    if (game_id, level.id) in _ready:
        return 0.0
    left_s = 0.0 if _is_quick(game_id, level) else level_kernels.seconds_left(game_id, [level.id])
    if not left_s:
        _ready.add((game_id, level.id))
    return left_s


def _is_quick(game_id: str, level: Level) -> bool:
    seats = game_registry.get(game_id).traits.min_seats
    engine = engine_registry.make(level.engine, level.options)
    return cold_start.is_quick(engine, estimate.match_costs(game_id, {}, seats), Budget.from_json(level.budget), seats)


def words(game_id: str, levels: Sequence[Level]) -> str:
    """Which of these levels have to be waited for, and how long; "ready" where none has."""
    waiting = {level.label: left_s for level in levels if (left_s := seconds_left(game_id, level))}
    if not waiting:
        return "ready"
    time = duration(max(waiting.values())).replace(" ", "\u00a0")
    return f"{' and '.join(waiting)} ready in about {time}"
