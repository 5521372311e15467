"""One process compiles a folder of kernels; others wait, or are told so, and nobody after the death of the first."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from games import compile_locks
from games.compile_locks import BusyError

NAME = "toy_rules_j0_jit-0123456789abcdef"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / NAME
    made.mkdir()
    return made


def compiled(folder: Path, began: float, ended: float) -> Path:
    """A folder that was compiled between two moments."""
    folder.mkdir()
    for name, moment in ((compile_locks.LOCK, began), (compile_locks.MARKER, ended)):
        (folder / name).touch()
        os.utime(folder / name, (moment, moment))
    return folder


def test_who_does_not_wait_is_told_and_a_dead_compiler_keeps_nobody_out(folder: Path) -> None:
    """Another process compiles, and is killed."""
    code = (
        "import sys, pathlib; from games import compile_locks\n"
        "with compile_locks.hold(pathlib.Path(sys.argv[1])): print(compile_locks.process_name(), flush=True); input()"
    )
    command = [sys.executable, "-c", code, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        name = other.stdout.readline().strip()
        with compile_locks.without_waiting(), pytest.raises(BusyError, match=NAME) as told:
            compile_locks.compile_once(folder, lambda: pytest.fail("another process is at it"))
        assert told.value.folder == folder
        assert compile_locks.is_busy(folder)
        (found,) = compile_locks.compilations(folder.parent)
        assert (found.kernels, found.process, found.usual_s) == (NAME, name, None)
        assert name.endswith(f":{other.pid}")
        other.kill()
    assert not compile_locks.is_busy(folder)
    assert not compile_locks.compilations(folder.parent)
    done: list[int] = []
    with compile_locks.without_waiting():
        compile_locks.compile_once(folder, lambda: done.append(1))
    assert (done, (folder / compile_locks.MARKER).exists()) == ([1], True)
    assert (folder / compile_locks.LOCK).read_text() == compile_locks.process_name()


def test_who_comes_second_loads_and_changes_no_time(folder: Path) -> None:
    compiled(second := folder.parent / "toy_flat_j0_12345678_jit-1", 100.0, 160.0)
    compile_locks.compile_once(second, lambda: None)
    assert (second / compile_locks.MARKER).stat().st_mtime - (second / compile_locks.LOCK).stat().st_mtime == 60


def test_what_it_usually_takes_is_the_last_time_of_the_same_name(folder: Path) -> None:
    """Whatever version it was of; what was loaded at once, or measured elsewhere, counts only where nothing else is."""
    root = folder.parent
    assert compile_locks.usual_s(root, NAME) is None
    first_guess = compile_locks.usual_s(root, "kingdomino_uct_tree_j0_1d1c04f9_jit-0")
    assert first_guess is not None
    assert 5 < first_guess < 60
    compiled(root / "kingdomino_uct_tree_j0_aaaaaaaa_jit-1", 1000.0, 1080.0)
    compiled(root / "kingdomino_uct_tree_j0_bbbbbbbb_jit-2", 2000.0, 2030.0)
    compiled(root / "kingdomino_uct_tree_j0_cccccccc_jit-3", 3000.0, 3000.0)
    compiled(root / "kingdomino_uct_tree_j1_cccccccc_jit-4", 4000.0, 4009.0)
    assert compile_locks.usual_s(root, "kingdomino_uct_tree_j0_1d1c04f9_jit-0") == 30
    compiled(root / "toy_rules_j0_jit-2", 10.0, 12.0)
    lock = folder / compile_locks.LOCK
    with lock.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        handle.write("here:7")
        handle.flush()
        os.utime(lock, (5000.0, 5000.0))
        assert compile_locks.compilations(root) == [compile_locks.Compilation(NAME, "here:7", 5000.0, 2.0)]
