"""What searches' choices cost in Kingdomino: points given away a decision, at equal CPU time.

    .venv/bin/python -m tests.bench.bench_choices [--positions N] [--seconds S] [--deals N] [--times N]

Positions come from matches of four informed players. An action's value is its mean margin over
playouts by informed play, on the same deals for all actions of a position. A search gives away what
the best action is worth more than its own. That says how well it finds what is best if all go on as
informed play does, in far less time than a comparison of players takes. The values' own errors add
something to every figure.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from engines import registry
from engines.protocol import Budget
from games import registry as game_registry
from games import rng
from games.protocol import CHANCE, State

SEATS, MIN_ACTIONS = 4, 4
FIRST_PLY, PLIES = 4, 40
FLAT = {"policy": "informed", "utility": "relative"}
HALVING = FLAT | {"allocation": "halving"}
TREE = {"policy": "informed", "utility": "relative", "scale": "unit", "c": 0.05}
CASES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("flat_mc", {"policy": "fg", "utility": "relative"}),
    ("flat_mc", FLAT),
    ("flat_mc", HALVING),
    ("flat_mc", HALVING | {"candidates": 24}),
    ("flat_mc", HALVING | {"candidates": 24, "paired": True}),
    ("flat_mc", HALVING | {"candidates": 24, "paired": True, "utility": "difference"}),
    ("uct", TREE),
    ("uct", TREE | {"chance": "open_loop"}),
    ("uct", TREE | {"chance": "fixed", "trees": 8}),
    ("uct", TREE | {"chance": "open_loop", "rave": 50.0}),
    ("uct", TREE | {"chance": "open_loop", "utility": "wdl", "c": 0.6}),
    ("uct", TREE | {"chance": "open_loop", "utility": "difference"}),
)


def positions(count: int) -> list[State]:
    """Positions with some choice, spread over matches."""
    game, r, found = game_registry.get("kingdomino"), rng.new_stream(77, rng.ANALYSIS), []
    player = registry.make("scripted", {"policy": "informed"})
    while len(found) < count:
        state, ply = game.initial_state(game.options(), SEATS), 0
        wanted = FIRST_PLY + 7 * len(found) % PLIES
        while not game.is_terminal(state):
            seat = game.current_player(state)
            if seat == CHANCE:
                state = game.apply(state, game.sample_chance(state, r))
            elif ply >= wanted and len(game.legal_actions(state)) >= MIN_ACTIONS:
                found.append(state)
                break
            else:
                state, ply = game.apply(state, player.choose(game, state, seat, Budget(), r).action), ply + 1
    return found


def main() -> None:
    """Print a line for each search: points given away, with their standard error, and playouts a decision."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.02)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--times", type=int, default=3)
    arguments = parser.parse_args()
    game, r = game_registry.get("kingdomino"), rng.new_stream(3, rng.ANALYSIS)
    states = positions(arguments.positions)
    valuing, deals = registry.make("flat_mc", {"policy": "informed", "paired": True}), arguments.deals
    tables = [
        valuing.choose(game, state, game.current_player(state), Budget(playouts_per_action=deals), r).table
        for state in states
    ]
    for engine_id, chosen in CASES:
        engine, lost, playouts = registry.make(engine_id, chosen), [], 0
        for state, table in zip(states, tables, strict=True):
            assert table is not None
            for _ in range(arguments.times):
                seat = game.current_player(state)
                decision = engine.choose(game, state, seat, Budget(seconds_per_ply=arguments.seconds), r)
                lost.append(table.values.max() - table.values[table.actions == decision.action][0])
                playouts += decision.playouts
        error = np.std(lost) / len(states) ** 0.5
        print(f"{np.mean(lost):6.2f} ± {error:.2f}  {playouts / len(lost):6.0f}  {engine_id} {chosen}", flush=True)


if __name__ == "__main__":
    main()
