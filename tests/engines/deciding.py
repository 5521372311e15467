"""Decisions that tests compare, in this process and in another: ``python -m tests.engines.deciding``."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from engines import registry
from engines.protocol import Budget, Decision, Engine
from games import rng
from games.protocol import State
from tests.games import walks

MAX_UNITS = 60
"""Playouts, simulations or nodes of a test's decision."""


def pairs() -> list[tuple[str, str]]:
    """Every engine with every game that it fits, toys included."""
    return [
        (engine_id, game_id)
        for engine_id in registry.ids()
        for game_id in walks.GAME_IDS
        if registry.make_for(walks.game_of(game_id), engine_id).refuses(walks.game_of(game_id)) is None
    ]


def small_budget(engine: Engine) -> Budget:
    """A budget in counts, so that the clock has no say."""
    counted = [key for key in ("playouts", "simulations", "nodes") if key in engine.budgets]
    if counted:
        return Budget.from_json({counted[0]: MAX_UNITS})
    return Budget.from_json({"depth": 1} if "depth" in engine.budgets else {})


def decide(
    engine_id: str,
    game_id: str,
    state: State,
    budget: Budget | None = None,
    seed: int = 3,
    options: Mapping[str, Any] | None = None,
) -> Decision:
    """Let an engine decide for the seat on turn, as the runner asks it; options None: those it begins with."""
    game = walks.game_of(game_id)
    engine = registry.make_for(game, engine_id) if options is None else registry.make(engine_id, options)
    seat = game.current_player(state)
    shown = state.copy() if engine.peeks else game.view(state, seat)
    asked = dataclasses.replace(budget or small_budget(engine), wants_line=True)
    return engine.choose(game, shown, seat, asked, rng.new_stream(seed, rng.SEARCH, seat))


def row(decision: Decision) -> dict[str, Any]:
    """A decision without its times, JSON-ready; floats keep every bit."""
    table = decision.table
    return {
        "action": decision.action,
        "value": None if decision.value is None else decision.value.hex(),
        "work": [decision.playouts, decision.nodes, decision.depth],
        "table": table
        and {
            "actions": table.actions.tolist(),
            "values": [value.hex() for value in table.values.tolist()],
            "visits": table.visits.tolist(),
            "deviations": [value.hex() for value in table.deviations.tolist()],
            "is_bound": table.is_bound is not None and table.is_bound.tolist(),
        },
        "line": list(decision.line),
    }


def all_rows() -> dict[str, Any]:
    """Decisions of every pair on a few positions."""
    rows = {}
    for engine_id, game_id in pairs():
        for n, state in enumerate(walks.some(walks.turns(game_id, walks.game_of(game_id).traits.max_seats), 3)):
            rows[f"{engine_id} {game_id} {n}"] = row(decide(engine_id, game_id, state))
    return rows


if __name__ == "__main__":
    print(json.dumps(all_rows()))
