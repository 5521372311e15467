"""Speed of searches over hands, a second of CPU time: ``python -m tests.bench.bench_hands``.

Double dummy: the value of every legal action by the points of the rules, an empty table for each
position, after so many tiles of random rounds. PIMC: one decision of 50 worlds searched to the end.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np

from engines import registry
from engines.protocol import Budget
from games import rng
from games.dominoes import state as layout
from games.dominoes.search import compilation, double_dummy
from games.hands import TO_THE_END, Valuation
from games.protocol import CHANCE, State
from tests.games import walks

GAME = walks.game_of("dominoes")
LAID = (1, 4, 8, 12)
"""1: from the opening lead."""


def position(number: int, laid: int) -> State:
    """A random round with so many tiles on the table, somebody on turn with a choice where it can be."""
    options = GAME.options(length="round", first_opener="any")
    while True:
        r = rng.new_stream(number, rng.ANALYSIS, laid)
        state = GAME.initial_state(options, layout.MAX_SEATS)
        while not GAME.is_terminal(state) and state[layout.NUM_LAID] < laid:
            if GAME.current_player(state) == CHANCE:
                state = GAME.apply(state, GAME.sample_chance(state, r))
            else:
                actions = GAME.legal_actions(state)
                state = GAME.apply(state, int(actions[rng.below(r, len(actions))]))
        if not GAME.is_terminal(state):
            return state
        number += 1_000_000


def solves(laid: int, count: int) -> dict[str, Any]:
    """Rates of the solver."""
    kernels = compilation.compile_searches(GAME.kernels())
    states = [position(number, laid) for number in range(count)]
    seconds, nodes = [], 0
    for state in states:
        before = time.thread_time()
        found = double_dummy.values(kernels, state, GAME.legal_actions(state), TO_THE_END, Valuation())
        seconds.append(time.thread_time() - before)
        nodes += found.nodes
    rate, total = count / sum(seconds), sum(seconds)
    ms = {
        "median_ms": round(1000 * float(np.median(seconds)), 3),
        "p95_ms": round(1000 * float(np.quantile(seconds, 0.95)), 3),
    }
    return {"laid": laid, "solves_per_s": round(rate, 1), **ms, "turns_per_s": round(nodes / total)}


def decisions(count: int) -> dict[str, Any]:
    """Time of PIMC with 50 worlds to the end of the round, after six turns."""
    engine = registry.make("pimc", {"full_from": 6, "payoff": "points"})
    states = [state for number in range(4 * count) if len(GAME.legal_actions(state := position(number, 6))) > 1][:count]
    seconds = []
    for number, state in enumerate(states):
        seat = GAME.current_player(state)
        r = rng.new_stream(number, rng.SEARCH)
        seconds.append(engine.choose(GAME, GAME.view(state, seat), seat, Budget(simulations=50), r).cpu_s)
    return {
        "pimc_full_50_mean_ms": round(1000 * float(np.mean(seconds)), 1),
        "slowest_ms": round(1000 * max(seconds), 1),
    }


def main() -> None:
    """Print one JSON row a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100)
    given = parser.parse_args()
    for laid in LAID:
        print(json.dumps(solves(laid, given.positions)), flush=True)
    print(json.dumps(decisions(given.positions)), flush=True)


if __name__ == "__main__":
    main()
