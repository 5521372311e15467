"""Engines that take over the seat of a player who cannot or does not go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from engines import levels
from engines import registry as engine_registry
from engines.levels import Level
from webapp.records import lineups
from webapp.table.live import turn
from webapp.table.live.models import LiveMatch, LiveSeat
from worker import spec as specs
from worker.spec import SeatSpec

RANDOM = {"engine": "random", "options": {}, "budget": {}}
"""Substitute where nothing suitable has a name: it plays every game and needs no budget."""


@dataclass(frozen=True)
class Substitute:
    """An engine that may take a seat over; level: its id, empty where it is none."""

    name: str
    level: str
    spec: SeatSpec


def default_substitute(game_id: str) -> Substitute:
    """The substitute for people and agents: the level that the game names for it."""
    level = levels.stand_in(game_id)
    return _random(game_id) if level is None else _of_level(game_id, level)


def weaker_substitute(game_id: str, entry: LiveSeat) -> Substitute | None:
    """The substitute for an engine that fails: the next weaker level, None below the random player.

    For a configuration of one's own it is the strongest level without a clock.
    """
    assert entry.configuration is not None
    known = levels.for_game(game_id)
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
    return Substitute(level.label, level.id, specs.seat_from_json(row, (), game_id))


def _random(game_id: str) -> Substitute:
    return Substitute("Random", "", specs.seat_from_json(RANDOM, (), game_id))


def sit_down(
    match: LiveMatch, entry: LiveSeat, substitute: Substitute, why: str, *, kind: str = "", has_lost: bool = True
) -> None:
    """Let an engine take a seat over, and save the match as its next version. The caller has locked it.

    Adds a note to `entry.replaced`: {"ply", "name", "why", "kind", "has_lost", "at"} of who sat
    there, of an engine also "engine", "version" and "level", of others "used_s" (on their clock). why: a
    sentence that all may read; kind: as of endings; has_lost: whether the one who left has lost,
    however the match ends.
    """
    _note(match, entry, why, kind=kind, has_lost=has_lost)
    entry.used_s = entry.used_s if entry.kind == LiveSeat.Kind.ENGINE else 0.0
    key = lineups.configuration_key(substitute.spec)
    entry.configuration_id = lineups.configurations([substitute.spec])[key]
    entry.kind, entry.level, entry.name = LiveSeat.Kind.ENGINE, substitute.level, substitute.name
    entry.offers_end, entry.back = False, ""
    entry.save()
    if match.on_turn == entry.seat:
        turn.put_on_turn(match, entry.seat, timezone.now())
    else:
        turn.save_change(match)


def stand_up(match: LiveMatch, entry: LiveSeat) -> None:
    """Give a seat back to the player whom an engine has replaced, who has not lost after all.

    The caller has locked the match, and gives the turn.
    """
    left = next(note for note in reversed(entry.replaced or ()) if "engine" not in note)
    left["has_lost"] = False
    _note(match, entry, f"{left['name']} came back.", kind="returned", has_lost=False)
    entry.kind = LiveSeat.Kind.PERSON if entry.agent_id is None else LiveSeat.Kind.AGENT
    entry.name, entry.level, entry.configuration = left["name"], "", None
    entry.used_s, entry.seen_at = left["used_s"], timezone.now()
    entry.save()


def _note(match: LiveMatch, entry: LiveSeat, why: str, *, kind: str, has_lost: bool) -> None:
    """Write down who leaves the seat."""
    note = {"ply": match.ply, "name": entry.name, "why": why, "kind": kind, "has_lost": has_lost}
    note["at"] = timezone.now().isoformat()
    entry.replaced = [*(entry.replaced or []), note | (_engine_of(entry) or _clock_of(match, entry))]


def _clock_of(match: LiveMatch, entry: LiveSeat) -> dict[str, Any]:
    waited_s = turn.waited_s(match) if match.on_turn == entry.seat else 0.0
    return {"used_s": entry.used_s + waited_s}


def _engine_of(entry: LiveSeat) -> dict[str, Any]:
    if entry.kind != LiveSeat.Kind.ENGINE or entry.configuration is None:
        return {}
    engine_id = entry.configuration.engine
    known = engine_id in engine_registry.ids()
    version = engine_registry.get(engine_id).version if known else ""
    return {"engine": engine_id, "version": version, "level": entry.level}
