"""Measures engines on seeded mid-game positions, or on those that are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines import registry
from engines.protocol import Budget, Decision, Engine
from games import rng
from games.protocol import CHANCE, Game, State


def position(game: Game, seed: int, plies: int, num_seats: int | None = None) -> State:
    """A position with a seat on turn after `plies` random plies (fewer if the match ends); fewest seats unless said."""
    r = rng.new_stream(seed, rng.ANALYSIS)
    state = game.initial_state(game.options(), game.traits.min_seats if num_seats is None else num_seats)
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
    return position(game, seed, made - 1, num_seats)


def match_plies(game: Game, num_seats: int) -> int:
    """Plies of a whole match, at most."""
    start = game.initial_state(game.options(), num_seats)
    return sum(game.plies_left(start, seat) for seat in range(num_seats))


def positions(game: Game, count: int, seed: int, num_seats: int | None = None) -> list[State]:
    """Seeded positions in the middle of a match, with the fewest seats unless said.

    Raises ValueError for a number below 1, and for one of seats that the game does not have.
    """
    if count < 1:
        raise ValueError(f"positions must be at least 1, not {count}")
    seats = game.traits.min_seats if num_seats is None else num_seats
    return [position(game, seed + k, match_plies(game, seats) // 2, seats) for k in range(count)]


def one_decision(game: Game, engine: Engine) -> Decision:
    """Let the engine decide once, cheaply: everything it needs is compiled afterwards."""
    state = position(game, 0, 2)
    seat = game.current_player(state)
    few = [key for key in ("playouts", "simulations") if key in engine.budgets]
    budget = replace(Budget.from_json({few[0]: 2} if few else engine.default_budget), wants_line=True)
    return engine.choose(game, visible_state(engine, game, state), seat, budget, rng.new_stream(0, rng.ANALYSIS))


def visible_state(engine: Engine, game: Game, state: State) -> State:
    """The view that an engine gets of a state in which it is on turn."""
    return state.copy() if engine.peeks else game.view(state, game.current_player(state))


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
    engine = registry.make(engine_id, registry.complete_options(engine_id, game, options))
    refusal = engine.refuses(game)
    if refusal:
        raise ValueError(refusal)
    limits = Budget.from_json(engine.default_budget if budget is None else budget)
    one_decision(game, engine)
    decisions = []
    for k, state in enumerate(states):
        seat = game.current_player(state)
        decisions.append(
            engine.choose(game, visible_state(engine, game, state), seat, limits, rng.new_stream(seed + k, rng.SEARCH))
        )
    cpu = sum(decision.cpu_s for decision in decisions)
    return {
        "game": game.id,
        "engine": engine_id,
        "options": dict(options),
        "budget": limits.to_json(),
        "positions": len(states),
        "seats": game.num_seats(states[0]),
        "nodes_per_s": round(sum(d.nodes for d in decisions) / cpu, 1),
        "simulations_per_s": round(sum(d.playouts for d in decisions) / cpu, 1),
        "ms_per_decision": round(1000 * cpu / len(states), 3),
        "wall_ms_per_decision": round(1000 * sum(d.elapsed_s for d in decisions) / len(states), 3),
    }
