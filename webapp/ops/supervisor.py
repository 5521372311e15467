"""Starts children in order, restarts those that die, and stops all of them together.

It runs no rules and compiles nothing: everything heavy is a child.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

from webapp.ops import children, forking
from webapp.ops.children import Child, Program
from webapp.ops.data_folder import DataFolder
from webapp.ops.forking import ForkServer
from webapp.ops.terminal import complain, say

TICK_S = 0.1
READY_SECONDS = 60.0
STEADY_SECONDS = 60.0
"""Lifetime after which a child has recovered: its earlier failures no longer count."""

RESTART_DELAYS_S = (0.2, 1.0, 2.0, 5.0, 10.0, 30.0)
ESSENTIAL_FAILURES = 6
"""Number of deaths in a row of Postgres or Valkey that end the run; all other programs are tried forever."""


class SupervisorError(Exception):
    """The run cannot go on; what happened was printed where it happened."""


class Supervisor:
    """Children of one data folder, in starting order."""

    def __init__(self, folder: DataFolder, environment: Mapping[str, str], forks: ForkServer | None = None) -> None:
        self.folder = folder
        self.environment = environment
        self.forks = forks
        self.children: list[Child] = []

    def start(self, program: Program) -> Child:
        """Start a program without waiting for it."""
        child = Child(program, self.folder, self.environment, self.forks)
        self.children.append(child)
        child.start()
        return child

    def wait_ready(self, *waited: Child, seconds: float = READY_SECONDS) -> None:
        """Wait until children can be used. Raises SupervisorError with the log's end printed."""
        waiting = list(waited)
        while waiting:
            for child in [child for child in waiting if child.is_ready()]:
                say(child.program.name, f"ready in {time.monotonic() - child.started_at:.1f} s")
                waiting.remove(child)
            for child in waiting:
                if not child.is_running():
                    complain(
                        child.program.name,
                        f"ended with code {child.exit_code} while starting",
                        child.log,
                        child.log_start,
                    )
                    raise SupervisorError(child.program.name)
                if time.monotonic() - child.started_at > seconds:
                    _complain(child, f"was not ready after {seconds:.0f} s")
                    raise SupervisorError(child.program.name)
            time.sleep(TICK_S / 5)

    def run_to_end(self, *programs: Program) -> None:
        """Run programs side by side to their ends. Raises SupervisorError if one fails."""
        running = [self.start(program) for program in programs]
        while any(child.is_running() for child in running):
            self._keep_alive()
            self._show(running)
            time.sleep(TICK_S / 5)
        for child in running:
            self.forget(child)
            if child.exit_code != 0:
                _complain(child, f"failed with code {child.exit_code}")
                raise SupervisorError(child.program.name)
            say(child.program.name, f"done in {time.monotonic() - child.started_at:.1f} s")

    def tick(self) -> None:
        """Look after all children once, and rest for a moment."""
        self._keep_alive()
        self._show(self.children)
        for child in [child for child in self.children if child.program.runs_once and not child.is_running()]:
            self.forget(child)
        forking.reap_strays([child.process.pid for child in self.children if child.process is not None])
        time.sleep(TICK_S)

    def forget(self, child: Child) -> None:
        """Stop looking after a child that has ended, unless that was done before."""
        if child not in self.children:
            return
        self._show([child])
        child.wait_or_kill(time.monotonic())
        self.children.remove(child)

    def stop_all_but_services(self) -> None:
        """Stop what is not essential, all together."""
        children.stop(child for child in self.children if not child.program.is_essential)
        self.children = [child for child in self.children if child.program.is_essential]

    def stop_services(self) -> None:
        """Stop what is essential, the last started first."""
        while self.children:
            children.stop([self.children.pop()])

    def _keep_alive(self) -> None:
        """Note deaths, and start again what is due."""
        now = time.monotonic()
        for child in self.children:
            if child.program.runs_once or child.is_running():
                continue
            if child.restart_at is None:
                self._note_death(child, now)
            elif now >= child.restart_at:
                self._restart(child)

    def _note_death(self, child: Child, now: float) -> None:
        child.wait_or_kill(now)  # the rest of its group
        if now - child.started_at > STEADY_SECONDS:
            child.failures = 0
        child.failures += 1
        if child.program.is_essential and child.failures >= ESSENTIAL_FAILURES:
            complain(
                child.program.name,
                f"died {child.failures} times in a row: stopping everything",
                child.log,
                child.log_start,
            )
            raise SupervisorError(child.program.name)
        delay = RESTART_DELAYS_S[min(child.failures, len(RESTART_DELAYS_S)) - 1]
        child.restart_at = now + delay
        log = child.log if child.failures == 2 else None
        complain(
            child.program.name, f"ended ({_how(child.exit_code)}): starting again in {delay:g} s", log, child.log_start
        )

    def _restart(self, child: Child) -> None:
        try:
            child.start()
        except Exception as error:  # any failure to start counts as another death, and is said
            child.process = None
            child.restart_at = None
            complain(child.program.name, f"could not be started: {error}")

    def _show(self, shown: list[Child]) -> None:
        for child in shown:
            if child.program.is_shown:
                for line in child.new_lines():
                    say(child.program.name, line)


def _complain(child: Child, message: str, shows_log: bool = True) -> None:
    """Say what is wrong with a child, with the end of its output since its last start."""
    complain(child.program.name, message, child.log if shows_log else None, child.log_start)


def _how(exit_code: int | None) -> str:
    """An exit code in words."""
    if exit_code is not None and exit_code < 0:
        return f"killed by {signal.Signals(-exit_code).name}"
    return f"code {exit_code}"


@contextmanager
def interruptible() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into KeyboardInterrupt, so that every way out stops the children."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignore the same signals while the children are being stopped."""
    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    previous = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
