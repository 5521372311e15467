"""The five kernels whose distance to C++ is measured, and what they are called with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from games import loader, registry
from games.dominoes.search import compilation, workspace
from games.hands import Valuation
from games.options import from_json
from tests.bench import bench_hands

PLAYING, SOLVING = (Path(__file__).parent / name for name in ("playing.py", "solving.py"))


@dataclass(frozen=True)
class Case:
    """A kernel, and arguments of its own for so many matches or positions."""

    what: str
    unit: str
    kernel: Any
    arguments: Callable[[int], tuple[Any, ...]]


def matches(game_id: str, policy: str, seats: int) -> Case:
    """Matches of a policy in every seat."""
    game: Any = registry.get(game_id)
    rules = game.kernels()
    playing = loader.algorithm(PLAYING, game.folder, POLICY=list(rules.policies.NAMES).index(policy))
    start = game.initial_state(from_json(game.options, game.bench_options), seats)

    def arguments(count: int) -> tuple[Any, ...]:
        s, r, buffer = np.zeros(rules.SIZE, np.int32), np.zeros(4, np.uint64), np.zeros(rules.MAX_ACTIONS, np.int32)
        totals, points = np.zeros(rules.MAX_SEATS, np.int64), np.zeros(rules.MAX_SEATS, np.int64)
        return start, np.uint64(count), np.uint64(1), s, r, buffer, np.ones(1, np.int32), totals, points

    loader.ensure_loaded(playing, lambda: playing.play(*arguments(1)))
    return Case(f"{game.label} {policy}", "matches", playing.play, arguments)


def solutions(laid: int) -> Case:
    """Dominoes solved with so many tiles on the table."""
    rules = compilation.compile_searches(bench_hands.GAME.kernels())
    solving = loader.algorithm(SOLVING, bench_hands.GAME.folder)

    def arguments(count: int) -> tuple[Any, ...]:
        states = [bench_hands.position(number, laid) for number in range(count)]
        legal = [bench_hands.GAME.legal_actions(state).copy() for state in states]
        actions, numbers = np.zeros((count, max(map(len, legal))), np.int32), np.array([len(row) for row in legal])
        for row, of in zip(actions, legal, strict=True):
            row[: len(of)] = of
        w = workspace.words(rules, states[0], Valuation())
        w[rules.worlds.GENERATION] = 0
        room = np.zeros(rules.SIZE, np.int32), w, np.zeros_like(workspace.table()), np.zeros(actions.shape, np.int64)
        return np.array(states), actions, numbers, *room

    loader.ensure_loaded(solving, lambda: solving.solve(*arguments(1)))
    return Case(f"dominoes solved after {laid} tile{'s' * (laid > 1)}", "solves", solving.solve, arguments)


CASES: Mapping[str, Callable[[], Case]] = {
    "carcassonne": partial(matches, "carcassonne", "random", 2),
    "kingdomino.tr": partial(matches, "kingdomino", "tr", 4),
    "kingdomino.fg": partial(matches, "kingdomino", "fg", 4),
    "solve.1": partial(solutions, 1),
    "solve.8": partial(solutions, 8),
}
