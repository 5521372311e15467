"""How long a level takes until its kernels are there."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from engines import level_kernels, levels
from games import compile_locks, loader, registry


def test_every_level_has_its_kernels_and_they_are_those_that_it_calls() -> None:
    for game_id in registry.ids():
        for level in levels.for_game(game_id):
            assert f"{game_id}_rules_j0" in level_kernels.of_level(game_id, level.id), level.id
    easy = level_kernels.of_level("dominion", "easy")
    assert easy == ("dominion_policy_play_scripted_j0", "dominion_rules_j0")


@pytest.mark.slow
@pytest.mark.parametrize("game_id", registry.ids())
def test_what_stands_there_is_what_a_process_of_its_own_calls(game_id: str) -> None:
    for level in levels.for_game(game_id):
        assert tuple(level_kernels.find(game_id, level.id)) == level_kernels.of_level(game_id, level.id)


def test_seconds_left_are_those_of_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path))
    monkeypatch.setattr(compile_locks, "_measured", lambda: {"carcassonne_rules_j0": 10.0, "carcassonne_uct_j0": 20.0})
    monkeypatch.setattr(level_kernels, "_kept", lambda: {"carcassonne": {"x": NAMES}})
    rules = tmp_path / "carcassonne_rules_j0_jit-1"
    monkeypatch.setattr(loader, "rules", lambda *_: SimpleNamespace(CACHE_FOLDER=rules))
    make_compiled(tmp_path / "carcassonne_uct_j0_0123abcd_jit-9", 50)
    assert level_kernels.seconds_left("carcassonne", ["x"]) == 10.0 + 20.0 + level_kernels.UNKNOWN_S, "of old versions"
    make_compiled(rules, 100)
    assert level_kernels.seconds_left("carcassonne", ["x"]) == 20.0 + level_kernels.UNKNOWN_S
    make_compiled(tmp_path / "carcassonne_uct_j0_0123abcd_jit-2", 200)
    make_compiled(tmp_path / "carcassonne_uct_tree_j0_jit-2", 200)
    assert level_kernels.seconds_left("carcassonne", ["x"]) == 0.0
    assert level_kernels.seconds_left("carcassonne", ["no level"]) == 0.0


NAMES = ["carcassonne_rules_j0", "carcassonne_uct_j0", "carcassonne_uct_tree_j0"]


def make_compiled(folder: Path, at: float) -> None:
    """A folder of kernels that were compiled in no time, so that nobody learns from it how long it takes."""
    folder.mkdir()
    for name in (compile_locks.LOCK, compile_locks.MARKER):
        (folder / name).touch()
        os.utime(folder / name, (at, at))
