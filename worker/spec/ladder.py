"""Ladders of a spec, read from JSON: engines that are rated by matches with each other, and their tables as arms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines import registry as engine_registry
from games.json_paths import Path
from games.protocol import NUM_TEAMS, Game
from worker.spec.agents import is_agent
from worker.spec.checks import MAX_NAME, SpecError, list_of, name_of, object_of, one_of
from worker.spec.model import GAUNTLET, MAX_TABLES, PAIRINGS, ROUND_ROBIN, UNCERTAINTY, ArmSpec, Entry, Ladder
from worker.spec.seats import SEAT_KEYS, seat_from_json

KEYS = {"pairing": False, "entries": True}
ENTRY_KEYS = {"name": True, **SEAT_KEYS, "version": False, "challenger": False, "late": False}
MAX_ENTRIES = 100
MAX_VERSION = 20
BETWEEN = " v "
"""Between the names of those at a table."""
PATH: Path = ("ladder", "entries")


def from_json(data: Any, game: Game, seats: int) -> Ladder:
    """Check a ladder and fill in defaults; an entry without a version has the present one."""
    fields = object_of(data, ("ladder",), KEYS)
    sides = num_sides(game, seats)
    if sides < 2:
        raise SpecError(("seats",), "must be 2 or more: engines of a ladder meet each other")
    rows = list_of(fields["entries"], PATH, sides, MAX_ENTRIES)
    pairing = one_of(fields.get("pairing", UNCERTAINTY), ("ladder", "pairing"), PAIRINGS)
    found = Ladder(
        pairing, tuple(entry_from_json(row, (*PATH, i), game.id, sides) for i, row in enumerate(rows)), sides
    )
    _check(found)
    return found


def num_sides(game: Game, seats: int) -> int:
    """Sides of a match, of which each has an engine of the ladder: teams, or seats."""
    return NUM_TEAMS if game.traits.has_teams else seats


def entry_from_json(data: Any, path: Path, game_id: str, sides: int) -> Entry:
    """Check one engine. sides: of the matches that it plays."""
    fields = object_of(data, path, ENTRY_KEYS)
    name, longest = name_of(fields["name"], (*path, "name")), (MAX_NAME - len(BETWEEN) * (sides - 1)) // sides
    if len(name) > longest:
        raise SpecError((*path, "name"), f"must be text of 1 to {longest} characters: tables have all names")
    if is_agent(fields["engine"]):
        raise SpecError((*path, "engine"), "an agent cannot enter a ladder: nobody can have it play a deal again")
    seat = seat_from_json({key: fields[key] for key in SEAT_KEYS if key in fields}, path, game_id)
    version = _version(fields, path, engine_registry.get(seat.engine).version)
    return Entry(name, seat, version, _flag(fields, path, "challenger"), _flag(fields, path, "late"))


def _flag(fields: Mapping[str, Any], path: Path, key: str) -> bool:
    found = fields.get(key, False)
    if not isinstance(found, bool):
        raise SpecError((*path, key), "must be true or false")
    return found


def _version(fields: Mapping[str, Any], path: Path, present: str) -> str:
    version = fields.get("version", present)
    if not isinstance(version, str) or not 0 < len(version) <= MAX_VERSION:
        raise SpecError((*path, "version"), f"must be text of 1 to {MAX_VERSION} characters, such as {present!r}")
    return version


def _check(found: Ladder) -> None:
    for i, entry in enumerate(found.entries):
        for before in found.entries[:i]:
            if entry.name == before.name:
                raise SpecError((*PATH, i, "name"), f"{entry.name!r} is the name of another entry")
            if (entry.seat, entry.version) == (before.seat, before.version):
                raise SpecError((*PATH, i), f"is the same engine as {before.name!r}")
    challengers = sum(entry.is_challenger for entry in found.entries)
    if found.pairing == GAUNTLET and not 0 < challengers < len(found.entries):
        raise SpecError(("ladder", "pairing"), "a gauntlet needs challengers, and others whom they meet")
    if math.comb(len(found.entries), found.sides) > MAX_TABLES * (1 if found.pairing == ROUND_ROBIN else 10):
        _refuse(found, math.comb(len(found.entries), found.sides))
    if len(found.tables) > MAX_TABLES:
        _refuse(found, len(found.tables))
    if not found.tables:
        raise SpecError(PATH, "make no table: two versions of one configuration cannot meet")


def _refuse(found: Ladder, tables: int) -> None:
    text = f"{len(found.entries)} engines make {tables} tables of {found.sides}; a ladder has {MAX_TABLES} at most"
    raise SpecError(PATH, text)


def arms(found: Ladder, seats: int) -> tuple[ArmSpec, ...]:
    """The tables as line-ups; an engine fills every seat of its team."""
    return tuple(
        ArmSpec(
            BETWEEN.join(found.entries[i].name for i in table),
            tuple(found.entries[table[place % found.sides]].seat for place in range(seats)),
        )
        for table in found.tables
    )


def with_present_versions(found: Ladder) -> Ladder:
    """The same with an entry more for each engine whose version has risen since it entered.

    The old one keeps its name with its version behind it, and its matches.
    """
    entries = list(found.entries)
    for i, entry in enumerate(found.entries):
        present = engine_registry.get(entry.seat.engine).version
        if entry.version == present or any((e.seat, e.version) == (entry.seat, present) for e in entries):
            continue
        entries[i] = replace(entry, name=_free(f"{entry.name}, version {entry.version}", entries))
        entries.append(replace(entry, version=present, name=_free(entry.name, entries), is_late=True))
    return replace(found, entries=tuple(entries))


def _free(name: str, entries: Sequence[Entry]) -> str:
    known = {entry.name for entry in entries}
    found, number = name, 2
    while found in known:
        found, number = f"{name} ({number})", number + 1
    return found
