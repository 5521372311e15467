"""The engines of the lab: one line each, imported on first use; and those of one's own (`engines.own`)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

from engines.own import engine as own
from engines.own.sources import is_own
from engines.protocol import Engine
from games import options as option_tools
from games import registry as game_registry
from games.json_paths import PathError
from games.options import OptionError
from games.protocol import Game

ENGINES = {
    "random": "engines.scripted:Random",
    "scripted": "engines.scripted:Scripted",
    "flat_mc": "engines.flat_mc:FlatMonteCarlo",
    "flat_ucb": "engines.flat_ucb:FlatUCB",
    "uct": "engines.uct:UCT",
    "expectimax": "engines.expectimax:Expectimax",
    "strategy": "engines.strategy:Strategy",
    "shrewd": "engines.shrewd:Shrewd",
    "ims": "engines.ims:ImperfectMinimax",
    "pimc": "engines.pimc:PerfectInformationMonteCarlo",
    "ismcts": "engines.ismcts:InformationSetMCTS",
    "oracle": "engines.oracle:Oracle",
    "double_dummy": "engines.double_dummy:DoubleDummy",
}


def ids() -> tuple[str, ...]:
    """Return the ids of all engines, in the order pages list them."""
    return tuple(ENGINES)


def complete_id(engine_id: Any) -> str:
    """The id as records have it: of somebody's own engine with its version. Raises KeyError, SourceError."""
    if is_own(engine_id):
        return own.complete_id(engine_id)
    if engine_id not in ENGINES:
        raise KeyError(engine_id)
    return str(engine_id)


def is_known(engine_id: str) -> bool:
    """Whether there is such an engine, or somebody's own that is known here, even if it cannot play any more."""
    try:
        get(engine_id)
    except (KeyError, ValueError):
        return False
    return True


def absence(engine_id: str) -> str:
    """Why a known engine cannot play here: the code of somebody's own is not at hand; empty where it can."""
    return own.absence(engine_id) if is_own(engine_id) else ""


def get(engine_id: str) -> type[Engine]:
    """Return the engine's class. Raises KeyError for an unknown id, SourceError for a file that is no engine."""
    if is_own(engine_id):
        return own.get(engine_id)
    module, name = ENGINES[engine_id].split(":")
    return cast(type[Engine], getattr(import_module(module), name))


def make(engine_id: str, options: Mapping[str, Any]) -> Engine:
    """Return an engine with options from JSON. Raises KeyError, OptionError."""
    cls = get(engine_id)
    return cls(option_tools.from_json(cls.options_class, options))


def defaults(engine_id: str, game: Game) -> dict[str, Any]:
    """Options that begin otherwise with this game: it has nothing of the default's name, or hides information."""
    hides = game.traits.has_hidden_information
    found: dict[str, Any] = dict(getattr(get(engine_id).options_class, "WITH_HIDDEN_INFORMATION", {})) if hides else {}
    for row in option_tools.schema(get(engine_id).options_class):
        known = getattr(game, row["names"]) if row["names"] else None
        if row["type"] == option_tools.DATA:
            found |= {row["name"]: dict(next(iter(known.examples.values())))} if known else {}
            continue
        names = list(known or ())
        always = [choice["value"] for choice in row["choices"]]
        if names and row["default"] not in (*names, *always):
            found[row["name"]] = game.usual_policy if row["names"] == "policies" else names[0]
    return found


def complete_options(engine_id: str, game: Game, options: Any) -> Any:
    """Options as they were given, with those that begin otherwise with this game where they were not.

    Data that a game reads is read, and complete then. Raises OptionError naming the place in it.
    """
    if not isinstance(options, Mapping):
        return options
    made = {**defaults(engine_id, game), **options}
    for row in option_tools.schema(get(engine_id).options_class):
        if row["type"] == option_tools.DATA and row["name"] in made and getattr(game, row["names"]):
            try:
                made[row["name"]] = getattr(game, row["names"]).check(made[row["name"]])
            except PathError as error:
                raise OptionError(row["name"], error.message, error.path) from None
    return made


def peeks(engine_id: str, options: Mapping[str, Any]) -> bool:
    """Whether a configuration gets to see the true state: by its engine, or by an option `peek`.

    Asks nothing else of the options. Raises KeyError for an unknown engine.
    """
    return get(engine_id).peeks or bool(options.get("peek", False))


def make_for(game: Game, engine_id: str) -> Engine:
    """Return an engine as it begins with this game."""
    return make(engine_id, defaults(engine_id, game))


def suitable(game: Game) -> tuple[str, ...]:
    """Ids of the engines that play this game with the options that they begin with."""
    return tuple(engine_id for engine_id in ENGINES if plays(engine_id, game))


def plays(engine_id: str, game: Game) -> bool:
    """Whether an engine plays this game with the options that it begins with."""
    return make_for(game, engine_id).refuses(game) is None


def own_ids(game: Game | None = None) -> tuple[str, ...]:
    """Ids, with versions, of engines of one's own that may play here: all, or those that play a game."""
    return tuple(engine_id for engine_id in own.present_ids() if game is None or plays(engine_id, game))


def describe(engine_id: str) -> dict[str, Any]:
    """One engine as JSON: options, budgets, the games it plays with the options that it begins with."""
    cls = get(engine_id)
    games = [game_id for game_id in game_registry.ids() if plays(engine_id, game_registry.get(game_id))]
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
