"""CPU time of a decision at Dominion by numbers of simulations: ``python -m tests.bench.bench_decisions``.

The mean over all decisions that a search makes in whole matches against `bmfsm`, in both seats, with
the thesis' ten cards; an action without an alternative needs no search and is not counted. Asked: 0.4 s
at 10,000 simulations and 4 s at 100,000 (Jansen and Tollisen's program took 1.2 and 8.4 s).
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np

from engines import named_engines, registry
from engines.bench import one_decision, visible_state
from engines.protocol import Budget, Engine
from engines.scripted import choose_by_policy
from games import rng
from games.options import from_json
from games.protocol import CHANCE, Rng
from tests.games import walks

GAME = walks.game_of("dominion")
OPPONENT = "bmfsm"


def seconds_of_match(engine: Engine, budget: Budget, own: int, r: Rng) -> list[float]:
    """CPU seconds of every decision that the engine searches in one match, in seat `own`."""
    state, seconds = GAME.initial_state(from_json(GAME.options, GAME.bench_options), 2), []
    while not GAME.is_terminal(state):
        seat = GAME.current_player(state)
        if seat == CHANCE:
            action = GAME.sample_chance(state, r)
        elif seat != own:
            action = choose_by_policy(GAME, GAME.view(state, seat), seat, OPPONENT, r).action
        else:
            decision = engine.choose(GAME, visible_state(engine, GAME, state), seat, budget, r)
            action = decision.action
            if decision.playouts:
                seconds.append(decision.cpu_s)
        state = GAME.apply(state, action)
    return seconds


def measure(name: str, simulations: int, matches: int) -> dict[str, Any]:
    """Mean and longest time of a decision of a named configuration."""
    chosen = named_engines.get(name)
    engine = registry.make(chosen.engine, registry.complete_options(chosen.engine, GAME, chosen.options))
    one_decision(GAME, engine)
    budget, r = Budget(simulations=simulations), rng.new_stream(simulations, rng.ANALYSIS)
    seconds = [s for number in range(matches) for s in seconds_of_match(engine, budget, number % 2, r)]
    times = {"mean_s": round(float(np.mean(seconds)), 4), "longest_s": round(max(seconds), 3)}
    return {"configuration": name, "simulations": simulations, "decisions": len(seconds)} | times


def main() -> None:
    """Print one JSON row a configuration and number of simulations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configurations", nargs="+", default=["ucb_orig", "uct_orig"])
    parser.add_argument("--simulations", nargs="+", type=int, default=[10_000, 100_000])
    parser.add_argument("--matches", type=int, default=2)
    given = parser.parse_args()
    for simulations in given.simulations:
        for name in given.configurations:
            print(json.dumps(measure(name, simulations, given.matches)), flush=True)


if __name__ == "__main__":
    main()
