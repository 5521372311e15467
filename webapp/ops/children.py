"""Child processes of the supervisor: started in a process group of their own, never orphaned."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import psutil

from webapp.ops import launch
from webapp.ops.data_folder import CHECKOUT, DataFolder
from webapp.ops.forking import ForkedProcess, ForkServer

MAX_LOG_BYTES = 20_000_000
LEFTOVER_DEADLINE_S = 20.0
GROUP_DEADLINE_S = 30.0
"""A killed process ends within milliseconds, but has to get its turn: batches step back on a loaded machine."""


@dataclass(frozen=True)
class Program:
    """Program to run, and how it is stopped.

    command: made anew at every start; prepare: called before it; is_ready: None means that
    running is enough; stop_signal: asks it to end; death_signal: what it gets when the
    supervisor itself is killed; is_essential: without it nothing else can go on;
    runs_once: its end is no failure and it is not started again; is_shown: its output is
    printed, too; is_forked: it is a module of Python that a fork server may have loaded;
    files: open files that it inherits.
    """

    name: str
    command: Callable[[], list[str]]
    prepare: Callable[[], object] | None = None
    is_ready: Callable[[], bool] | None = None
    stop_signal: str = "SIGTERM"
    death_signal: str = "SIGTERM"
    stop_seconds: float = 8.0
    user: str = ""
    nice: int = 0
    is_essential: bool = False
    runs_once: bool = False
    is_shown: bool = False
    is_forked: bool = False
    files: Callable[[], tuple[int, ...]] = tuple


@dataclass
class Child:
    """A program as it runs now, or waits to be started again."""

    program: Program
    folder: DataFolder
    environment: Mapping[str, str]
    forks: ForkServer | None = None
    process: subprocess.Popen[bytes] | ForkedProcess | None = None
    started_at: float = 0.0
    failures: int = 0
    restart_at: float | None = None
    log_start: int = 0
    """Position in the log at which the output of this start begins."""
    _shown: int = field(default=0, repr=False)

    @property
    def log(self) -> Path:
        """File that its output goes to."""
        return self.folder.logs / f"{self.program.name}.log"

    @property
    def record(self) -> Path:
        """Remembers the running process for a supervisor that finds it left over."""
        return self.folder.processes / f"{self.program.name}.json"

    def start(self) -> None:
        """Start the program. Whatever `prepare` raises passes through."""
        if self.program.prepare is not None:
            self.program.prepare()
        if self.log.exists() and self.log.stat().st_size > MAX_LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        command = self.program.command()
        with _interrupted_later(), self.log.open("ab") as output:
            self.log_start = self._shown = output.tell()
            self.process = self._forked(command, output) or self._executed(command, output)
        self.started_at = time.monotonic()
        self.restart_at = None
        with contextlib.suppress(psutil.NoSuchProcess):
            created = psutil.Process(self.process.pid).create_time()
            self.record.write_text(json.dumps({"pid": self.process.pid, "created": created}))

    def _forked(self, command: list[str], output: BinaryIO) -> ForkedProcess | None:
        if self.forks is None or not self.program.is_forked:
            return None
        return self.forks.start(self.program.name, command, self.program.death_signal, output)

    def _executed(self, command: list[str], output: BinaryIO) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            launch.command(command, self.program.death_signal, self.program.user, self.program.nice),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=dict(self.environment),
            cwd=CHECKOUT,
            pass_fds=self.program.files(),
            process_group=0,  # of one session with the others: Linux weighs sessions first, then niceness in each
        )

    def is_running(self) -> bool:
        """Whether the process lives."""
        return self.process is not None and self.process.poll() is None

    def is_ready(self) -> bool:
        """Whether it lives and can be used."""
        return self.is_running() and (self.program.is_ready is None or self.program.is_ready())

    @property
    def exit_code(self) -> int | None:
        """Exit code; None while it runs or before it started."""
        return None if self.process is None else self.process.poll()

    def new_lines(self) -> list[str]:
        """Whole lines of output since the last call."""
        with self.log.open("rb") as file:
            file.seek(self._shown)
            text = file.read()
        end = text.rfind(b"\n") + 1
        self._shown += end
        return text[:end].decode(errors="replace").splitlines()

    def ask_to_stop(self) -> None:
        """Send the stop signal, if it lives."""
        if self.is_running():
            assert self.process is not None
            self.process.send_signal(signal.Signals[self.program.stop_signal])

    def wait_or_kill(self, deadline: float) -> None:
        """Wait until a moment of the monotonic clock, then kill the whole process group, and see it gone."""
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, deadline - time.monotonic()))
        _kill_group(self.process.pid)  # its group; nobody else's: it leads it
        self.process.wait()
        _await_end_of_group(self.process.pid)
        self.record.unlink(missing_ok=True)


@contextlib.contextmanager
def _interrupted_later() -> Iterator[None]:
    """Put off what asks us to stop while a process is begun: one that nobody knows yet would not be stopped.

    Not by a mask of signals: other threads would take them (those of NumPy have none).
    """
    asked: list[int] = []
    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    previous = {number: signal.signal(number, lambda number, _: asked.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        if asked:
            signal.raise_signal(asked[0])


def stop(children: Iterable[Child]) -> None:
    """Stop children together, and return when all are gone."""
    children = list(children)
    for child in children:
        child.ask_to_stop()
    now = time.monotonic()
    for child in children:
        child.wait_or_kill(now + child.program.stop_seconds)


def end_leftovers(folder: DataFolder) -> list[str]:
    """End what a killed supervisor left running; returns the names of what was found.

    Linux ends such children itself (launch.py), perhaps not yet; macOS does not. A process is
    ours only if number and time of creation are those recorded.
    """
    found: dict[str, psutil.Process] = {}
    for record in sorted(folder.processes.glob("*.json")):
        with contextlib.suppress(ValueError, KeyError, psutil.Error):
            data = json.loads(record.read_text())
            process = psutil.Process(data["pid"])
            if abs(process.create_time() - data["created"]) < 0.05 and process.status() != psutil.STATUS_ZOMBIE:
                found[record.stem] = process
        record.unlink()
    for name, process in found.items():
        with contextlib.suppress(psutil.Error):
            process.send_signal(signal.SIGINT if name == "postgres" else signal.SIGTERM)
    _, alive = psutil.wait_procs(list(found.values()), timeout=LEFTOVER_DEADLINE_S)
    for process in alive:
        _kill_group(process.pid)
        _await_end_of_group(process.pid)
    return list(found)


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _await_end_of_group(group: int) -> None:
    """Wait until none of a killed group runs: its members end a little after each other."""
    deadline = time.monotonic() + GROUP_DEADLINE_S
    while _runs(group) and time.monotonic() < deadline:
        time.sleep(0.005)


def _runs(group: int) -> bool:
    """Whether a process of the group lives; one that only waits for its parent to ask how it ended does not."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS answers so for the dead, too
        pass
    for process in psutil.process_iter():
        with contextlib.suppress(ProcessLookupError, PermissionError, psutil.NoSuchProcess):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                return True
    return False
