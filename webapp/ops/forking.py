"""The supervisor's side of the fork server: asks it for programs, and looks after them as after children."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Collection
from typing import BinaryIO

from webapp.ops.fork_server import GO, READY

PR_SET_CHILD_SUBREAPER = 36
ANSWER_S = 30.0
"""A fork takes milliseconds; the server may be loading kernels that were compiled meanwhile."""
LOOK_S = 0.005


def is_possible() -> bool:
    """Whether this system lets a process adopt what its children have forked; then this process does from now on."""
    if sys.platform != "linux":
        return False
    adopts: int = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    return adopts == 0


def reap_strays(known: Collection[int]) -> None:
    """Let those adopted children go that have ended and are nobody's: of a program that was killed before them."""
    with contextlib.suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid in known:  # whoever started it asks for its exit code
                return
            os.waitpid(ended.si_pid, 0)


class ForkedProcess:
    """An adopted child, with those verbs of `subprocess.Popen` that the supervisor uses."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Exit code, negative for a signal; None while it runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises subprocess.TimeoutExpired."""
        ends_at = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if ends_at is not None and time.monotonic() >= ends_at:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
            time.sleep(LOOK_S)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """The fork server as one that is asked; where it is away, nothing is forked, and programs start by themselves."""

    def __init__(self) -> None:
        self._channel: socket.socket | None = None
        self._theirs: socket.socket | None = None
        self._is_ready = False

    def open(self) -> None:
        """Make the channel of a server that is about to start."""
        self.close()
        self._channel, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def close(self) -> None:
        """Let the server go, which ends when nobody can ask it any more."""
        self._let_go()
        if self._channel is not None:
            self._channel.close()
        self._channel, self._is_ready = None, False

    def _let_go(self) -> None:
        """Leave the server its end alone, so that its death is seen at once."""
        if self._theirs is not None:
            self._theirs.close()
            self._theirs = None

    def command(self) -> list[str]:
        """Run the server, which inherits its end of the channel."""
        return [sys.executable, "-m", "webapp.ops.fork_server", *map(str, self.files())]

    def files(self) -> tuple[int, ...]:
        """Open files that the server inherits."""
        return () if self._theirs is None else (self._theirs.fileno(),)

    def is_ready(self) -> bool:
        """Whether it has loaded what it forks from."""
        if not self._is_ready and self._channel is not None:
            with contextlib.suppress(BlockingIOError):
                self._is_ready = self._channel.recv(len(READY), socket.MSG_DONTWAIT) == READY
                self._let_go()
        return self._is_ready

    def load_more(self) -> None:
        """Have it load kernels that were compiled since, for what it forks from now on."""
        if self._channel is not None and self._is_ready:
            with contextlib.suppress(OSError):
                self._channel.sendall(b"load")

    def start(self, name: str, command: list[str], death_signal: str, log: BinaryIO) -> ForkedProcess | None:
        """Have a program forked; None where the server cannot. command: ``python -m module argument ...``."""
        if self._channel is None or not self.is_ready():
            return None
        request = {"name": name, "command": command[2:], "death_signal": death_signal}
        ours, theirs = socket.socketpair()
        with ours:
            try:
                with theirs:
                    files = [log.fileno(), theirs.fileno()]
                    socket.send_fds(self._channel, [json.dumps(request).encode()], files)
                ours.settimeout(ANSWER_S)
                answer = ours.recv(32)
                if answer:
                    ours.sendall(GO)
                    return ForkedProcess(int(answer))
            except OSError:  # it has gone, or does not answer: what it may still fork finds nobody and ends
                self.close()
        return None
