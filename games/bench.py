"""Measures how many complete matches a second a game's policies play on one core."""

from __future__ import annotations

import importlib
import time
from types import ModuleType
from typing import Any

import numpy as np

from games import loader
from games.options import from_json
from games.protocol import Game

SLICES = 5
MAX_SECONDS = 3600
SPEED_GAME, SPEED_POLICY = "carcassonne", "random"
"""The playouts by which a machine's speed is measured; a whole warm-up compiles their kernel."""


def usual_seats(game: Game) -> int:
    """Two, or the least that there are."""
    return max(2, game.traits.min_seats)


class Playouts:
    """A game's playout kernels with the buffers they need, for one policy."""

    def __init__(self, game: Game, policy: str) -> None:
        """Raises ValueError for a policy that the game does not have."""
        if policy not in game.policies:
            raise ValueError(f"{game.label} has the policies {', '.join(game.policies)}, not {policy!r}")
        plain = game.kernels()
        journal = policy in plain.policies.NEEDS_JOURNAL
        rules = game.kernels(journal=journal)
        self.kernels: ModuleType = rules.playout
        self._policy = list(rules.policies.NAMES).index(policy)
        self._buffers = (
            np.zeros(rules.SIZE, np.int32),
            np.zeros(4, np.uint64),
            np.zeros(rules.MAX_ACTIONS, np.int32),
            np.ones(loader.JOURNAL_WORDS if journal else 1, np.int32),
        )
        self.totals = np.zeros(rules.MAX_SEATS, np.int64)
        start = game.initial_state(from_json(game.options, game.bench_options), usual_seats(game))
        loader.ensure_loaded(self.kernels, lambda: self.run(start, 0, 1, 0))
        self.totals[:] = 0  # of matches that only compiled

    def run(self, start: Any, first: int, count: int, seed: int) -> int:
        """Play matches first .. first + count - 1; return the number of plies."""
        numbers = np.uint64(seed)
        return int(
            self.kernels.playouts(
                start, self._policy, np.uint64(first), np.uint64(count), numbers, *self._buffers, self.totals
            )
        )


def reference_rate(game: Game, seconds: float) -> float | None:
    """Matches per CPU second of the slow reference in ``tests/``; None where it is absent."""
    try:
        module = importlib.import_module(f"tests.games.{game.id}.reference")
    except ImportError:
        return None
    return float(module.rate(seconds))


def measure(game: Game, policy: str, seconds: float, seats: int | None = None, seed: int = 1) -> dict[str, Any]:
    """Rates of complete matches from the start: the best of at least SLICES slices.

    Compile time is excluded. Rates are per second of this thread's CPU time, `wall_per_s` per
    second of wall time. Raises ValueError for seconds, seats or a policy that make no sense.
    """
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError(f"seconds must be above 0 and at most {MAX_SECONDS}, not {seconds}")
    num_seats = usual_seats(game) if seats is None else seats
    playouts = Playouts(game, policy)
    start = game.initial_state(from_json(game.options, game.bench_options), num_seats)
    count, done, best, best_plies, best_wall = 1, 0, 0.0, 0.0, 0.0
    end, slices, shortest = time.perf_counter() + seconds, 0, seconds / (4 * SLICES)
    while slices < SLICES or time.perf_counter() < end:
        wall, cpu = time.perf_counter(), time.thread_time()
        plies = playouts.run(start, done, count, seed)
        cpu, wall = time.thread_time() - cpu, time.perf_counter() - wall
        done += count
        if cpu < shortest:
            count *= 2
            continue
        slices += 1
        best, best_plies, best_wall = max(best, count / cpu), max(best_plies, plies / cpu), max(best_wall, count / wall)
    return {
        "game": game.id,
        "policy": policy,
        "seats": num_seats,
        "playouts": done,
        "playouts_per_s": round(best, 1),
        "wall_per_s": round(best_wall, 1),
        "plies_per_s": round(best_plies, 1),
        "mean_scores": [round(float(total) / done, 2) for total in playouts.totals[:num_seats]],
        "reference_per_s": reference_rate(game, min(seconds, 3.0)),
    }
