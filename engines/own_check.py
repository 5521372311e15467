"""Tries a file of somebody's own before any match: does it decide, legally, the same when asked again, and how fast?"""

from __future__ import annotations

from typing import Any

from engines import bench, registry
from engines.own import sources
from engines.own.process import POOL
from engines.protocol import Budget, Decision, EngineFaultError
from games import registry as game_registry
from games import rng
from games.protocol import Game, State

POSITIONS = 12
SEED = 1
SAME = "the same in another process"


def check(text: str, game_ids: tuple[str, ...]) -> dict[str, Any]:
    """Try a file, a folder or ``package:NAME`` in every game that it plays, with the options that it begins with.

    Raises SourceError where it is no engine.
    """
    sources.allow([text])
    cls = registry.get(sources.from_text(text).id)
    found = {}
    for game in map(game_registry.get, game_ids):
        refusal = cls(cls.options_class()).refuses(game)
        found[game.id] = {"refused": refusal} if refusal else _tried(cls.id, game)
    return {
        "engine": cls.id,
        "label": cls.label,
        "summary": cls.summary,
        "options": [row["name"] for row in registry.describe(cls.id)["options"]],
        "budgets": list(cls.budgets),
        "games": found,
        "mismatches": sum("fault" in row or row.get(SAME) is False for row in found.values()),
    }


def _tried(engine_id: str, game: Game) -> dict[str, Any]:
    states = [state for state in bench.positions(game, POSITIONS, SEED) if len(game.legal_actions(state)) > 1]
    try:
        first = _decisions(engine_id, game, states)
        POOL.end_all()
        again = _decisions(engine_id, game, states)
    except EngineFaultError as fault:
        return {"fault": str(fault)}
    illegal = [
        one.action for one, state in zip(first, states, strict=True) if one.action not in game.legal_actions(state)
    ]
    if illegal:
        return {"fault": f"{illegal[0]} is not legal"}
    alike = [(one.action, one.value, one.playouts) for one in first] == [(o.action, o.value, o.playouts) for o in again]
    cpu_ms = sorted(1000 * one.cpu_s for one in again)
    over_ms = sorted(1000 * (one.elapsed_s - one.cpu_s) for one in again)
    return {
        "decisions": len(first),
        SAME: alike,
        "cpu_ms_median": round(cpu_ms[len(cpu_ms) // 2], 3),
        "beside_it_ms_median": round(over_ms[len(over_ms) // 2], 3),
    }


def _decisions(engine_id: str, game: Game, states: list[State]) -> list[Decision]:
    engine = registry.make(engine_id, {})
    engine.prepare(game)
    budget = Budget.from_json(engine.default_budget)
    found = []
    for number, state in enumerate(states):
        seat = game.current_player(state)
        found.append(
            engine.choose(game, game.view(state, seat), seat, budget, rng.new_stream(SEED, rng.SEARCH, number))
        )
    return found
