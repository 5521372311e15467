"""Who compiles a folder of kernels: one process, under a lock that ends with it. Others wait, or do other work.

The lock is a file in the folder, named in it is who holds it, and its time says since when; the file `compiled`
marks a folder that is done. So the time between the two is what compiling took, and a process that dies leaves
nothing that keeps the next one out. It stands apart from `loader`, of which every folder's name depends.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LOCK, MARKER = "lock", "compiled"
USUAL = Path(__file__).parent / "data" / "compile_seconds.json"
_never_waits: ContextVar[bool] = ContextVar("never_waits", default=False)


class BusyError(BaseException):
    """Ends what needs kernels that another process compiles; not an `Exception`, so that no engine is blamed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder.name} is being compiled by another process")
        self.folder = folder


@dataclass(frozen=True)
class Compilation:
    """A folder that is being compiled.

    kernels: its name; process: who compiles, "host:pid"; began_at: seconds since 1970; usual_s: what it took the
    last time on this machine, or where it was measured first; None where nobody knows.
    """

    kernels: str
    process: str
    began_at: float
    usual_s: float | None


@contextmanager
def without_waiting() -> Iterator[None]:
    """Within it nobody waits for another process that compiles: `compile_once` raises BusyError instead."""
    token = _never_waits.set(True)
    try:
        yield
    finally:
        _never_waits.reset(token)


def compile_once(folder: Path, exercise: Callable[[], object]) -> None:
    """Compile a folder's kernels by calling `exercise`, or load them so where another process was first.

    Raises BusyError within `without_waiting` where another process is at it.
    """
    marker = folder / MARKER
    with hold(folder):
        is_first = not marker.exists()
        exercise()
        if is_first:
            marker.touch()


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder."""
    with (folder / LOCK).open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (fcntl.LOCK_NB if _never_waits.get() else 0))
        except BlockingIOError:
            raise BusyError(folder) from None
        if not (folder / MARKER).exists():
            handle.truncate(0)
            handle.write(process_name())
            handle.flush()
        yield


def process_name() -> str:
    """This process as locks, claims and the list of workers name it: ``machine:pid``.

    The machine is the host, or what LAB_MACHINE calls it: two may have one host name.
    """
    machine = os.environ.get("LAB_MACHINE") or socket.gethostname()
    return f"{machine[:100]}:{os.getpid()}"


def is_busy(folder: Path) -> bool:
    """Whether some process compiles the folder at this moment."""
    if (folder / MARKER).exists():
        return False
    try:
        with (folder / LOCK).open() as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # there is none, or it has just gone
        return False
    return False


def compilations(root: Path) -> list[Compilation]:
    """All folders below the root of kernels that are being compiled."""
    return [_compilation(lock) for lock in sorted(root.glob(f"*/{LOCK}")) if is_busy(lock.parent)]


def _compilation(lock: Path) -> Compilation:
    name = lock.parent.name
    return Compilation(name, lock.read_text(), lock.stat().st_mtime, usual_s(lock.parent.parent, name))


def usual_s(root: Path, name: str) -> float | None:
    """Seconds that kernels of this name took, whatever version they were of: here the last time, else where measured.

    None where nobody knows.
    """
    key = name_of(name)
    times = [(mark.stat().st_mtime, mark.parent / LOCK) for mark in root.glob(f"{key}_*/{MARKER}")]
    taken = [(ended, ended - lock.stat().st_mtime) for ended, lock in times if lock.exists()]
    real = [(ended, seconds) for ended, seconds in taken if seconds > 0]
    return max(real)[1] if real else _measured().get(key)


def name_of(folder_name: str) -> str:
    """Name of the kernels in a folder, without version and mode."""
    return re.sub(r"(_[0-9a-f]{8})?_(jit|checked)-[0-9a-f]+$", "", folder_name)


def left_s(root: Path, name: str, since: float, unknown_s: float) -> float:
    """Seconds that compiling kernels of this name still takes; 0 where they were compiled after `since`.

    unknown_s: for those of which nobody knows.
    """
    marks = list(root.glob(f"{name}_*/{MARKER}"))
    if any(mark.stat().st_mtime >= since and name_of(mark.parent.name) == name for mark in marks):
        return 0.0
    usual = usual_s(root, name)
    whole_s = unknown_s if usual is None else usual
    busy = [found for found in compilations(root) if name_of(found.kernels) == name]
    passed_s = max((time.time() - found.began_at for found in busy), default=0.0)
    return max(1.0, whole_s - passed_s)


@cache
def _measured() -> dict[str, float]:
    found: dict[str, float] = json.loads(USUAL.read_text(encoding="utf-8"))["seconds"]
    return found
