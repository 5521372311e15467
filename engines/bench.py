"""Measures engines on seeded mid-game positions, or on those that are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines import registry
from engines.protocol import Budget, Decision, Engine
from games import rng
from games.protocol import CHANCE, Game, State


def position(game: Game, seed: int, plies: int) -> State:
    """A position with a seat on turn after `plies` random plies (fewer if the match ends)."""
    r = rng.new_stream(seed, rng.ANALYSIS)
    state = game.initial_state(game.options(), game.traits.min_seats)
    made = 0
    while not game.is_terminal(state):
        if game.current_player(state) == CHANCE:
            state = game.apply(state, game.sample_chance(state, r))
            continue
        if made == plies:
            return state
        actions = game.legal_actions(state)
        state = game.apply(state, int(actions[rng.below(r, len(actions))]))
        made += 1
    return position(game, seed, made - 1)


def positions(game: Game, count: int, seed: int) -> list[State]:
    """Seeded positions in the middle of a match. Raises ValueError for a number below 1."""
    if count < 1:
        raise ValueError(f"positions must be at least 1, not {count}")
    return [position(game, seed + k, game.traits.max_plies // 2) for k in range(count)]


def one_decision(game: Game, engine: Engine) -> Decision:
    """Let the engine decide once, cheaply: everything it needs is compiled afterwards."""
    state = position(game, 0, 2)
    seat = game.current_player(state)
    few = [key for key in ("playouts", "simulations") if key in engine.budgets]
    budget = replace(Budget.from_json({few[0]: 2} if few else engine.default_budget), wants_line=True)
    return engine.choose(game, game.view(state, seat), seat, budget, rng.new_stream(0, rng.ANALYSIS))


def measure(
    game: Game,
    engine_id: str,
    options: Mapping[str, Any],
    budget: Mapping[str, Any] | None,
    states: Sequence[State],
    seed: int,
) -> dict[str, Any]:
    """Mean speed over positions, per second of CPU time; compile time excluded.

    Raises ValueError for an engine, options or a budget that make no sense.
    """
    engine = registry.make(engine_id, options)
    refusal = engine.refuses(game)
    if refusal:
        raise ValueError(refusal)
    limits = Budget.from_json(engine.default_budget if budget is None else budget)
    one_decision(game, engine)
    decisions = []
    for k, state in enumerate(states):
        seat = game.current_player(state)
        decisions.append(
            engine.choose(game, game.view(state, seat), seat, limits, rng.new_stream(seed + k, rng.SEARCH))
        )
    cpu = sum(decision.cpu_s for decision in decisions)
    return {
        "game": game.id,
        "engine": engine_id,
        "options": dict(options),
        "budget": limits.to_json(),
        "positions": len(states),
        "nodes_per_s": round(sum(d.nodes for d in decisions) / cpu, 1),
        "simulations_per_s": round(sum(d.playouts for d in decisions) / cpu, 1),
        "ms_per_decision": round(1000 * cpu / len(states), 3),
        "wall_ms_per_decision": round(1000 * sum(d.elapsed_s for d in decisions) / len(states), 3),
    }
