"""A process that leaves compiling to others plays by plain rules meanwhile, and says what it waits for."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engines import warm_up
from games import loader, readiness
from games.carcassonne.game import Carcassonne

FOLDER = Carcassonne.folder


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of kernels."""
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path))
    return tmp_path


def test_cold_rules_are_plain_only_where_others_compile(kernels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = SimpleNamespace(CACHE_FOLDER=kernels / "carcassonne_kernels")
    monkeypatch.setattr(loader, "rules", lambda *_: rules)
    monkeypatch.setattr(readiness, "_told", set())
    monkeypatch.setattr(readiness, "_leaves_compiling", False)
    assert readiness.mode(FOLDER) == "jit"
    monkeypatch.setattr(readiness, "_leaves_compiling", True)
    assert readiness.mode(FOLDER) == "plain"
    assert readiness.pending_requests() == {("carcassonne", "")}
    assert not readiness.is_ready("carcassonne", "uct", rules)
    assert readiness.pending_requests() == {("carcassonne", ""), ("carcassonne", "uct")}
    rules.CACHE_FOLDER.mkdir()
    (rules.CACHE_FOLDER / "compiled").touch()
    assert readiness.mode(FOLDER) == "jit"
    assert readiness.is_ready("carcassonne", "uct", rules)


@pytest.mark.long
def test_a_match_begins_with_cold_kernels_and_compiles_nothing(kernels: Path) -> None:
    """In a process of its own, as the web server."""
    program = (
        "from games import readiness, registry; readiness.leave_compiling()\n"
        "from worker.course import Course\n"
        "course = Course(registry.get('kingdomino'), {}, 2, 7)\n"
        "course.advance(int(course.game.legal_actions(course.state)[0]))\n"
        "print(course.ply)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=True)
    assert (ran.stdout.strip(), ran.stderr) == ("1", "")
    assert not list(kernels.glob("*/compiled"))


def test_the_game_that_somebody_waits_for_is_compiled_next(kernels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[tuple[str, str]] = []

    def note(engine_id: str, game: Any) -> bool:
        order.append((engine_id, game.id))
        if len(order) == 1:
            readiness.request("dominoes")
            readiness.request("carcassonne", "pimc")
        readiness.request("carcassonne", "random")
        assert readiness.is_warming()
        return True

    monkeypatch.setattr(warm_up, "_compile_one", note)
    warm_up.warm(["carcassonne", "dominoes"], ["random", "uct", "pimc"])
    engines = ("random", "uct", "pimc")
    last = ("uct", "carcassonne")
    assert order == [("random", "carcassonne"), ("pimc", "carcassonne"), *((one, "dominoes") for one in engines), last]
    assert not readiness.pending_requests(), "nor of what was asked for once more after it was done"
    assert not readiness.is_warming()


def test_a_game_is_compiling_while_its_lock_is_held(kernels: Path) -> None:
    lock = kernels / "carcassonne_uct_j0_jit-1" / "lock"
    lock.parent.mkdir()
    with lock.open("a") as handle:
        assert not readiness.is_compiling("carcassonne")
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert readiness.is_compiling("carcassonne")
        assert not readiness.is_compiling("kingdomino")
        (lock.parent / "compiled").touch()
        assert not readiness.is_compiling("carcassonne")
