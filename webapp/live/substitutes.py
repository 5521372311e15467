"""Engines that take a seat over where somebody cannot go on, or does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from engines import levels
from engines import registry as engine_registry
from engines.levels import Level
from webapp.live import turn
from webapp.live.models import LiveMatch, LiveSeat
from webapp.records import lineups
from worker import spec as specs
from worker.spec import SeatSpec

RANDOM = {"engine": "random", "options": {}, "budget": {}}
"""What remains where nothing suitable has a name: it plays every game and needs no budget."""


@dataclass(frozen=True)
class Substitute:
    """An engine that may take a seat over; level: its id, empty where it is none."""

    name: str
    level: str
    spec: SeatSpec


def usual(game_id: str) -> Substitute:
    """Who takes over from people and agents: the level that the game names for it."""
    level = levels.stand_in(game_id)
    return _random(game_id) if level is None else _of_level(game_id, level)


def weaker(game_id: str, entry: LiveSeat) -> Substitute | None:
    """Who takes over from an engine that fails: the next weaker level, None below the random player.

    For a configuration of one's own it is the strongest level without a clock.
    """
    assert entry.configuration is not None
    known = levels.of(game_id)
    if any(level.id == entry.level for level in known):
        level = levels.weaker(game_id, entry.level)
    else:
        level = next((level for level in reversed(known) if not level.has_clock), None)
    if level is not None:
        return _of_level(game_id, level)
    return None if entry.configuration.engine == RANDOM["engine"] else _random(game_id)


def _of_level(game_id: str, level: Level) -> Substitute:
    """A level with the budget it was measured with."""
    row = {"engine": level.engine, "options": level.options, "budget": level.budget}
    return Substitute(level.label, level.id, specs.seat_from_json(row, level.id, game_id))


def _random(game_id: str) -> Substitute:
    return Substitute("Random", "", specs.seat_from_json(RANDOM, "random", game_id))


def sit_down(match: LiveMatch, entry: LiveSeat, substitute: Substitute, why: str, *, has_lost: bool = True) -> None:
    """Let an engine take a seat over, and save the match as its next version. The caller has locked it.

    Adds a note to `entry.replaced`: {"ply", "name", "why", "has_lost"} of who sat there, and of
    an engine "engine" and "version". why: a sentence that all may read; has_lost: whether the
    one who left has lost, however the match ends.
    """
    note = {"ply": match.ply, "name": entry.name, "why": why, "has_lost": has_lost}
    entry.replaced = [*(entry.replaced or []), note | _engine_of(entry)]
    key = lineups.configuration_key(substitute.spec)
    entry.configuration_id = lineups.configurations([substitute.spec])[key]
    entry.kind, entry.level, entry.name = LiveSeat.Kind.ENGINE, substitute.level, substitute.name
    entry.offers_end = False
    entry.save()
    if match.on_turn == entry.seat:
        turn.give(match, entry.seat, timezone.now())
    else:
        turn.changed(match)


def _engine_of(entry: LiveSeat) -> dict[str, Any]:
    if entry.kind != LiveSeat.Kind.ENGINE or entry.configuration is None:
        return {}
    engine_id = entry.configuration.engine
    known = engine_id in engine_registry.ids()
    return {"engine": engine_id, "version": engine_registry.get(engine_id).version if known else ""}
