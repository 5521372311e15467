"""The engines of the lab: one line each, imported on first use."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

from engines.protocol import Engine
from games import options as option_tools
from games import registry as game_registry
from games.protocol import Game

ENGINES = {
    "random": "engines.scripted:Random",
    "scripted": "engines.scripted:Scripted",
    "flat_mc": "engines.flat_mc:FlatMonteCarlo",
    "uct": "engines.uct:UCT",
    "expectimax": "engines.expectimax:Expectimax",
}


def ids() -> tuple[str, ...]:
    """Return the ids of all engines, in the order pages list them."""
    return tuple(ENGINES)


def get(engine_id: str) -> type[Engine]:
    """Return the engine's class. Raises KeyError for an unknown id."""
    module, name = ENGINES[engine_id].split(":")
    return cast(type[Engine], getattr(import_module(module), name))


def make(engine_id: str, options: Mapping[str, Any]) -> Engine:
    """Return an engine with options from JSON. Raises KeyError, OptionError."""
    cls = get(engine_id)
    return cls(option_tools.from_json(cls.options_class, options))


def suitable(game: Game) -> tuple[str, ...]:
    """Ids of the engines that play this game with their default options."""
    return tuple(engine_id for engine_id in ENGINES if make(engine_id, {}).refuses(game) is None)


def describe(engine_id: str) -> dict[str, Any]:
    """One engine as JSON: options, budgets, the games it plays with its default options."""
    cls = get(engine_id)
    engine = cls(cls.options_class())
    games = [game_id for game_id in game_registry.ids() if engine.refuses(game_registry.get(game_id)) is None]
    return {
        "id": engine_id,
        "version": cls.version,
        "label": cls.label,
        "summary": cls.summary,
        "peeks": cls.peeks,
        "options": option_tools.schema(cls.options_class),
        "budgets": list(cls.budgets),
        "default_budget": dict(cls.default_budget),
        "games": games,
    }
