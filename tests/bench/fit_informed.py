"""Fits the weights of Kingdomino's informed play by matches against the weights before.

    .venv/bin/python -m tests.bench.fit_informed [--seats N] [--matches N] [--rounds N] [--start JSON]

In each round every weight is tried a step up and down: one seat has it, all others play by the
present weights, on the same luck as without the change. What wins points against the mean of the
others by more than one and a half standard errors is kept; then steps become shorter. Prints
every trial and, after each round, the weights as JSON.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import loader, registry

TEMPLATE = Path(__file__).parent / "fitting.py"
SHARE = 0.2
"""First step: of the weight's size, at least LEAST."""
LEAST = 0.05
SHORTER = 0.6
ERRORS = 1.5


class Trials:
    """Matches of one seat against others, and what they were worth to it."""

    def __init__(self, seats: int, matches: int) -> None:
        game = registry.get("kingdomino")
        self.rules = game.kernels()
        self.worth = self.rules.policies.informed.worth
        names = (*loader.frame(), ("R", self.rules), ("I", self.rules.policies.informed))
        self._kernels = loader.template(TEMPLATE, game.folder, "kingdomino_fitting", "jit", names)
        self._start, self._matches = game.initial_state(game.options(), seats), matches
        self._buffers = (
            np.empty(self.rules.SIZE, np.int32),
            np.empty(4, np.uint64),
            np.empty(4, np.uint64),
            np.empty(self.rules.MAX_ACTIONS, np.int32),
            np.ones(1, np.int32),
        )

    def lead(self, tried: NDArray[np.float64], present: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
        """Of each match the points of the seat that plays by `tried`, less the mean of the others'."""
        out = np.zeros((self._matches, self.rules.MAX_SEATS), np.int64)
        weights = np.array([self.worth.table(tuple(tried)), self.worth.table(tuple(present))])
        self._kernels.play(self._start, self._matches, np.uint64(seed), weights, self._buffers, out)
        seats = int(self.rules.num_seats(self._start))
        points: Any = out[:, :seats]
        return np.asarray(points[:, 0] - points[:, 1:].mean(axis=1), np.float64)

    def improved(self, present: NDArray[np.float64], steps: NDArray[np.float64], first_seed: int) -> Any:
        """The weights after one round over all of them."""
        for k, name in enumerate(self.worth.WEIGHTS):
            before = self.lead(present, present, first_seed + k)
            found = []
            for step in (steps[k], -steps[k]):
                tried = present.copy()
                tried[k] += step
                gained = self.lead(tried, present, first_seed + k) - before
                found.append((gained.mean(), gained.std() / len(gained) ** 0.5, tried))
            best, error, tried = max(found, key=lambda row: row[0])
            text = ", ".join(f"{row[2][k]:.3f}: {row[0]:+.2f} ± {row[1]:.2f}" for row in found)
            print(f"{name} {present[k]:.3f}; {text}", flush=True)
            if best > ERRORS * error:
                present = tried
        return present


def main() -> None:
    """Fit from the stored weights, or from those given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--matches", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--start", type=json.loads, default={}, help="weights by name")
    arguments = parser.parse_args()
    trials = Trials(arguments.seats, arguments.matches)
    names = trials.worth.WEIGHTS
    present = np.array(
        [arguments.start.get(name, value) for name, value in zip(names, trials.worth.FITTED, strict=True)]
    )
    steps = np.maximum(SHARE * np.abs(present), LEAST)
    for number in range(arguments.rounds):
        present = trials.improved(present, steps * SHORTER**number, 1000 * number)
        print(json.dumps(dict(zip(names, np.round(present, 3).tolist(), strict=True))), flush=True)


if __name__ == "__main__":
    main()
