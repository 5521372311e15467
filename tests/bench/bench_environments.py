"""Steps a second of the environments for learning, beside public ones of like games, in one run on one core.

    .venv/bin/python -m tests.bench.bench_environments [--seconds S] [--python PYTHON] [--carcassonne CHECKOUT]

PYTHON: an interpreter with open_spiel and catanatron_gym; CHECKOUT: one of wingedsheep's Carcassonne. What is not there
is named. A step is one decision of a random player by the mask. All per CPU second, the best of several slices.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from games import registry, rng
from worker.environments.batch import BatchedEnvironment
from worker.environments.seat import SeatEnvironment
from worker.environments.table import TableEnvironment

SLICES = 5
SIZES = (1, 64, 1024)
PUBLIC = Path(__file__).parent / "public_environments.py"
Run = Callable[[], int]
"""Does some steps; returns how many."""


def table(game_id: str) -> Run:
    """PettingZoo's loop over all seats."""
    env, r = TableEnvironment(game_id), np.random.default_rng(1)
    env.reset(seed=1)

    def run() -> int:
        seen, _, is_over, _, _ = env.last()
        if is_over:
            env.reset()
            seen = env.observe(env.agent_selection)
        env.step(int(r.choice(np.flatnonzero(seen["action_mask"]))))
        return 1

    return run


def seat(game_id: str) -> Run:
    """Gymnasium's loop for one seat against a random player: own steps."""
    env, r = SeatEnvironment(game_id, [{"engine": "random"}]), np.random.default_rng(1)
    seen = [env.reset(seed=1)[0]]

    def run() -> int:
        seen[0], _, is_over, _, _ = env.step(int(r.choice(np.flatnonzero(seen[0]["action_mask"]))))
        if is_over:
            seen[0] = env.reset()[0]
        return 1

    return run


def batch(game_id: str, size: int, observes: bool) -> Run:
    """A batch with random numbers by `sample`."""
    env = BatchedEnvironment(game_id, size, observes=observes)
    r, numbers = rng.new_stream(1, rng.SEARCH), np.zeros(size, np.int64)

    def run() -> int:
        env.sample(r, numbers)
        env.step(numbers)
        return size

    return run


def rate(run: Run, seconds: float) -> float:
    """Steps per CPU second: the best of some slices."""
    run()
    best = 0.0
    for _ in range(SLICES):
        began, count, spent = time.process_time(), 0, 0.0
        while spent < seconds:
            for _ in range(10):
                count += run()
            spent = time.process_time() - began
        best = max(best, count / spent)
    return best


def public(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Rows of the public environments, by the interpreter that has them."""
    command = [arguments.python, str(PUBLIC), "--seconds", str(arguments.seconds)]
    command += ["--carcassonne", arguments.carcassonne] if arguments.carcassonne else []
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds of a slice")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the public environments")
    parser.add_argument("--carcassonne", default="", help="checkout of wingedsheep's Carcassonne")
    arguments = parser.parse_args()
    for game_id in registry.ids():
        cases: list[tuple[str, Run]] = [("PettingZoo", table(game_id)), ("Gymnasium", seat(game_id))]
        for size in SIZES:
            cases.append((f"batch of {size}", batch(game_id, size, True)))
        cases.append((f"batch of {SIZES[-1]}, no observations", batch(game_id, SIZES[-1], False)))
        for name, run in cases:
            print(f"{game_id + ', ' + name:45} {rate(run, arguments.seconds):12,.0f}", flush=True)
    for row in public(arguments):
        print(f"{row['name']:45} " + (f"{row['rate']:12,.0f}" if "rate" in row else f"not run: {row['why']}"))


if __name__ == "__main__":
    main()
