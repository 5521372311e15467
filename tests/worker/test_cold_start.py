"""While kernels are cold, tables play by their twins: the same choices, made at once, and one process compiles."""

from __future__ import annotations

import fcntl
from pathlib import Path

import numpy as np
import pytest

from engines import levels, registry
from engines.levels import Level
from engines.protocol import Budget, Decision
from games import compile_locks, loader, readiness, rng
from games import registry as game_registry
from games.compile_locks import BusyError
from games.protocol import Game
from worker import cold_start, estimate
from worker.course import Course

QUICK_HERE = ("dominoes",)
PLIES = (0, 11)


def decide(game: Game, level: Level, plies: int) -> Decision:
    """The level's decision in a seeded position of its game after so many plies by chance."""
    course, r = Course(game, {}, game.traits.min_seats, 7), np.zeros(4, np.uint64)
    rng.seed(r, np.uint64(3))
    for _ in range(plies):
        legal = game.legal_actions(course.state)
        course.advance(int(legal[rng.below(r, len(legal))]))
    engine, budget = registry.make(level.engine, level.options), Budget.from_json(level.budget)
    return engine.choose(game, game.view(course.state, course.player), course.player, budget, r)


def is_quick(game: Game, level: Level) -> bool:
    seats = game.traits.min_seats
    costs, engine = estimate.match_costs(game.id, {}, seats), registry.make(level.engine, level.options)
    return cold_start.is_quick(engine, costs, Budget.from_json(level.budget), seats)


@pytest.mark.parametrize(
    "game_id",
    [one if one in QUICK_HERE else pytest.param(one, marks=pytest.mark.slow) for one in game_registry.ids()],
)
def test_levels_choose_by_twins_what_they_choose_compiled(game_id: str) -> None:
    game, compared = game_registry.get(game_id), []
    for level in levels.for_game(game_id):
        if not is_quick(game, level):
            continue
        for plies in PLIES:
            compiled = decide(game, level, plies)
            with readiness.plainly():
                plain = decide(game, level, plies)
            assert (plain.action, plain.value, plain.playouts, plain.nodes) == (
                compiled.action,
                compiled.value,
                compiled.playouts,
                compiled.nodes,
            ), (level.id, plies)
            if compiled.table is not None and plain.table is not None:
                np.testing.assert_array_equal(plain.table.values, compiled.table.values)
        compared.append(level.id)
    assert {"beginner", "easy", "medium"} <= set(compared)


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of kernels."""
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path))
    monkeypatch.setattr(cold_start, "_BETWEEN_S", 0.0)
    return tmp_path


def test_one_process_at_tables_compiles_and_others_go_on(kernels: Path) -> None:
    folder = kernels / "toy_uct_tree_j0_jit-1"
    folder.mkdir()
    with cold_start.compiling_alone("toy", "uct"), compile_locks.hold(folder):
        assert readiness.pending_requests() == {("toy", "uct")}
        with pytest.raises(BusyError) as told, cold_start.compiling_alone("toy", "pimc"):
            pass
        assert told.value.folder == folder, "what it waits for"
    with (kernels / "tables.lock").open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with pytest.raises(BusyError), cold_start.compiling_alone("toy", "uct"):
            pass
    with cold_start.compiling_alone("toy", "uct"):
        pass


def test_what_thinks_long_or_by_a_clock_waits_for_the_compiler() -> None:
    game = game_registry.get("carcassonne")
    assert is_quick(game, levels.get("carcassonne", "easy"))
    assert not is_quick(game, levels.get("carcassonne", "master"))
    costs, engine = estimate.match_costs("carcassonne", {}, 2), registry.make("scripted", {"policy": "greedy"})
    assert cold_start.is_quick(engine, costs, Budget(), 2)
    assert not cold_start.is_quick(engine, costs, Budget(seconds_per_ply=0.1), 2)


def test_cold_is_what_would_have_to_be_compiled(kernels: Path) -> None:
    def compile_it() -> None:
        raise loader.ColdError("rules")

    assert cold_start.is_cold(compile_it)
    assert not cold_start.is_cold(lambda: None)
