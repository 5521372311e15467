"""Engines of one's own as the registry knows them: a class for each version of a source."""

from __future__ import annotations

import json
import math
import os
import time
import weakref
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from engines.own import description, position, sources, wire
from engines.own.faults import SourceError, UnknownEngineError, not_here
from engines.own.process import POOL, EngineProcess
from engines.own.sources import Source
from engines.protocol import Budget, Decision, Engine
from games import loader, registry
from games import options as option_tools
from games.costs import Costs
from games.protocol import Game, Rng, State

_FOLDER = "own-engines"
AGAIN_S = 60.0
"""Time for which a source that would not load is not tried again: pages ask often."""
_failed: dict[str, tuple[float, str]] = {}
MOST_LOST = 1000
_lost: dict[str, dict[str, Any]] = {}


class OwnEngine:
    """Fills a seat by asking a process of its own; classes for the versions of a source derive from it.

    An instance takes a process at its first question and gives it back when it is no longer used.
    """

    id: str
    version: str
    label: str
    summary: str
    options_class: type
    budgets: tuple[str, ...]
    default_budget: Mapping[str, int | float]
    peeks = False
    games: tuple[str, ...]
    decision_s: float
    sees: str
    needs_journal: bool

    def __init__(self, options: Any) -> None:
        self.options = options
        self._process: EngineProcess | None = None
        self._game_id = ""

    def refuses(self, game: Game) -> str | None:
        """Say so where its class names games, and this is none of them."""
        if self.games and game.id not in self.games:
            return f"{self.label} plays {', '.join(self.games)}, not {game.label}"
        return None

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        """Seconds of its budget, where that has any; else what its class says of a decision."""
        return budget.seconds(costs.plies / num_seats, {}) or self.decision_s

    def prepare(self, game: Game) -> None:
        """Have the kernels compiled, a process started and the engine made in it. Raises EngineFaultError."""
        position.prepare(game, self.needs_journal)
        self._ready(game)

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        """Ask for a decision, unless one action alone is legal. Raises ValueError, EngineFaultError."""
        if game.current_player(view) != seat:
            raise ValueError(f"seat {seat} is not on turn")
        legal = game.legal_actions(view)
        if len(legal) == 1:
            return Decision(int(legal[0]))
        process = self._ready(game)
        return process.ask(wire.Question(seat, tuple(map(int, rng)), budget, view))

    def _ready(self, game: Game) -> EngineProcess:
        if self._process is None or not self._process.is_alive:
            process = POOL.take(self.id, present(self.id), self.version)
            self._process, self._game_id = process, ""
            weakref.finalize(self, POOL.give_back, self.id, process)
        if self._game_id != game.id:
            self._process.open(game.id, option_tools.to_json(self.options))
            self._game_id = game.id
        return self._process


def present(engine_id: str) -> Source:
    """The source of an engine, where it is at hand in the version of the id. Raises EngineFaultError."""
    reason, source = _reason_and_source(engine_id)
    if source is None or reason:
        raise not_here(engine_id, reason)
    return source


def absence(engine_id: str) -> str:
    """Why an engine cannot play here: no source of its name is allowed, or another version is; empty where it can."""
    return _reason_and_source(engine_id)[0]


def _reason_and_source(engine_id: str) -> tuple[str, Source | None]:
    name, version = sources.split(engine_id)
    try:
        source = sources.allowed().get(name)
        if source is None:
            return f"no engine of one's own is allowed by this name ({_known()})", None
        if version and source.version != version:
            return f"its source here is version {source.version}", source
    except SourceError as error:
        return str(error), None
    return "", source


def _known() -> str:
    return f"allowed: {', '.join(sorted(sources.allowed())) or 'none'}"


def complete_id(engine_id: str) -> str:
    """The id with the version that it has here, where it had none. Raises UnknownEngineError, SourceError."""
    name, version = sources.split(engine_id)
    if version:
        return engine_id
    source = sources.allowed().get(name)
    if source is None:
        raise UnknownEngineError(f"{engine_id}: {absence(engine_id)}")
    return source.id


def get(engine_id: str) -> type[Engine]:
    """The class of an engine, of the version of its id, or of the present one.

    Raises UnknownEngineError where nothing is known of it, or its source is no engine.
    """
    whole = complete_id(engine_id)
    try:
        described = _description(whole)
    except UnknownEngineError:
        if whole not in _lost:
            raise
        described = json.dumps(_lost[whole])
    return _class(whole, described)


def remember_lost(engine_id: str, options: Mapping[str, Any], budget: Mapping[str, Any]) -> None:
    """Let a version of which nothing is known any more be read by what a complete spec says of it.

    Such an engine plays nowhere (`absence`); without it pages could not show what it once played.
    """
    name, version = sources.split(engine_id)
    if not sources.NAME.fullmatch(name) or not version.isalnum():
        return
    try:
        _description(engine_id)
    except UnknownEngineError:
        if len(_lost) < MOST_LOST or engine_id in _lost:
            _lost[engine_id] = description.of_values(name, options, budget)


def present_ids() -> tuple[str, ...]:
    """Ids of all that may play here, in the order of the list; a source that is no engine is left out, and logged."""
    found = []
    for source in sources.allowed().values():
        try:
            engine_id = source.id
            get(engine_id)
        except (UnknownEngineError, SourceError) as error:
            sources.complain(str(error))
            continue
        found.append(engine_id)
    return tuple(found)


@cache
def _class(engine_id: str, described: str) -> type[Engine]:
    data = json.loads(described)
    name, version = sources.split(engine_id)
    members: dict[str, Any] = {
        "id": engine_id,
        "version": version,
        "label": f"{data['label']} ({version[:6]})",
        "summary": data["summary"],
        "options_class": description.options_class(data["options"]),
        "budgets": tuple(data["budgets"]),
        "default_budget": data["default_budget"],
        "games": tuple(data["games"]),
        "decision_s": data["decision_s"],
        "sees": data["sees"],
        "needs_journal": data["needs_journal"],
        "__doc__": data["summary"],
    }
    return cast(type[Engine], type(f"Own_{name.replace('-', '_')}", (OwnEngine,), members))


@cache
def _description(engine_id: str) -> str:
    """What a version says of itself, as JSON: as it was kept, else as a process of it says now."""
    name, version = sources.split(engine_id)
    kept = loader.cache_root() / _FOLDER / f"{name}-{version}.json"
    if not sources.NAME.fullmatch(name) or not version.isalnum():
        raise UnknownEngineError(f"{engine_id!r} is no id of an engine of one's own: own:NAME or own:NAME@VERSION")
    if kept.exists():
        return kept.read_text()
    if reason := absence(engine_id):
        raise UnknownEngineError(f"{engine_id}: {reason}")
    failed_at, why = _failed.get(engine_id, (-math.inf, ""))
    if time.monotonic() - failed_at < AGAIN_S:
        raise UnknownEngineError(why)
    try:
        text = json.dumps(_asked(engine_id, version))
    except SourceError as error:
        _failed[engine_id] = time.monotonic(), str(error)
        raise UnknownEngineError(str(error)) from None
    kept.parent.mkdir(exist_ok=True)
    part = kept.with_suffix(f".{os.getpid()}")
    part.write_text(text)
    part.replace(kept)
    return text


def _asked(engine_id: str, version: str) -> dict[str, Any]:
    """What a process of the engine says of it. Raises SourceError."""
    source = present(engine_id)
    process = EngineProcess(source)
    POOL.give_back(engine_id, process)
    if process.version != version:
        raise SourceError(f"{engine_id}: its source changes while it is read")
    unknown = set(process.description["games"]) - set(registry.ids())
    if unknown:
        known = ", ".join(registry.ids())
        raise SourceError(f"{source.name}: no game is called {', '.join(sorted(unknown))}; known: {known}")
    return process.description
