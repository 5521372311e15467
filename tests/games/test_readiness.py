"""A process that leaves compiling to others plays by plain rules meanwhile, and says what it waits for."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engines import registry as engine_registry
from engines import warm_up
from games import loader, readiness, registry
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


def test_people_come_first_then_jobs_then_what_is_likely(
    kernels: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    order: list[tuple[str, str]] = []

    def note(engine: Any, game: Any) -> float:
        order.append((engine.id, game.id))
        if len(order) == 1:
            readiness.request("dominoes", by_jobs=True)
            readiness.request("dominoes", "uct", by_jobs=True)
            readiness.request("carcassonne", "uct")
        if len(order) == 2:
            readiness.request("dominoes", "pimc")
        assert readiness.is_warming()
        return 1.0

    monkeypatch.setattr(warm_up, "_compile_one", note)
    warm_up.warm(["carcassonne", "dominoes"], ["random", "uct", "pimc"])
    assert order[0] == ("random", "carcassonne"), "its Beginner"
    wanted = [order.count(("uct", "carcassonne")), order.count(("pimc", "dominoes")), order.count(("uct", "dominoes"))]
    people = order[1 : 1 + wanted[0] + wanted[1]]
    assert set(people) == {("uct", "carcassonne"), ("pimc", "dominoes")}
    of_jobs = order[1 + len(people) :]
    assert of_jobs[: wanted[2]] == [("uct", "dominoes")] * wanted[2]
    assert of_jobs[wanted[2]] == ("random", "dominoes"), "the job's game, then the rest"
    assert not readiness.pending_requests()
    assert not readiness.pending_requests(by_jobs=True)
    assert not readiness.is_warming()
    said = capsys.readouterr().out.splitlines()
    assert any(line.startswith("carcassonne uct ready after ") for line in said)


def test_levels_at_which_people_begin_are_compiled_first_in_all_games() -> None:
    steps = warm_up.list_steps(registry.ids(), list(engine_registry.ids()))
    begun = [step for step in steps if step.rank == warm_up.OPENING]
    assert steps[: len(begun)] == begun
    assert {step.game_id for step in begun} == {step.game_id for step in steps} == set(registry.ids())
    assert [step.rank for step in steps] == sorted(step.rank for step in steps)


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
