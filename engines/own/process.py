"""Processes of engines of one's own, seen from the lab: started, asked, limited and ended."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from engines.own import wire
from engines.own.faults import SourceError, not_here
from engines.own.sources import Source
from engines.protocol import Budget, Decision, EngineFaultError

USUAL_MEMORY_MB, USUAL_SECONDS = 4096, 60.0
START_S = 120.0
"""Time for a process to start and load its code, and to make an instance."""
WALL_SHARE = 4.0
"""Wall seconds, times the seconds of a budget, that one waits for a decision on a busy machine."""
DYING_S = 5.0
"""Time in which a process that has closed its connection says how it ended."""
MAX_IDLE = 8
"""Processes of one engine that are kept between matches."""
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "XDG_CACHE_HOME", "LAB_KERNELS", "LAB_OWN_SECONDS", "VIRTUAL_ENV")
"""What of the environment an engine's process gets, with NUMBA_*: no address and no secret of a deployment."""
_ROOT = Path(__file__).resolve().parents[2]


def memory_bytes() -> int:
    """Address space that a process may have."""
    return int(os.environ.get("LAB_OWN_MEMORY_MB", "") or USUAL_MEMORY_MB) << 20


def most_seconds(budget: Budget) -> float:
    """Wall seconds that one waits for a decision."""
    usual = float(os.environ.get("LAB_OWN_SECONDS", "") or USUAL_SECONDS)
    given = [s for s in (budget.seconds_per_ply, budget.seconds_per_match) if s is not None]
    return max([usual, *(WALL_SHARE * seconds for seconds in given)])


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key in KEPT or key.startswith("NUMBA_")}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**kept, **threads, "PYTHONPATH": str(_ROOT), "PYTHONHASHSEED": "0"}


class EngineProcess:
    """One process with the code of a source loaded. version, description: what it loaded.

    Raises EngineFaultError where the code does not load, SourceError where it is no engine.
    """

    def __init__(self, source: Source) -> None:
        self._channel, there = Pipe()
        self._child = self._started(there)
        try:
            loaded = self._call(self._load_message(source), START_S)
        except EngineFaultError as error:
            self.end()
            raise SourceError(f"{source.name}: {error}") from None
        self.version: str = loaded["version"]
        self.description: dict[str, Any] = loaded["description"]

    def _started(self, there: Connection) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "engines.own.host", str(there.fileno())]
        with there:
            return subprocess.Popen(
                command,
                env=_environment(),
                pass_fds=(there.fileno(),),
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    @staticmethod
    def _load_message(source: Source) -> bytes:
        data = {"path": str(source.path), "name": source.name, "module": source.module, "attribute": source.attribute}
        return wire.document(wire.LOAD, data | {"memory": memory_bytes()})

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._child.pid

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self._child.poll() is None

    def open(self, game_id: str, options: Mapping[str, Any]) -> None:
        """Make an engine for a game, in place of the one before. Raises EngineFaultError."""
        self._call(wire.document(wire.OPEN, {"game": game_id, "options": dict(options)}), START_S)

    def ask(self, question: wire.Question) -> Decision:
        """Ask the engine for a decision. Raises EngineFaultError; but for an ordinary error it has ended then."""
        began = time.perf_counter()
        reply = self._exchange(wire.question(question), most_seconds(question.budget))
        return wire.decision_of(reply, time.perf_counter() - began)

    def _call(self, message: bytes, seconds: float) -> Any:
        return wire.data_of(self._exchange(message, seconds))

    def _exchange(self, message: bytes, seconds: float) -> bytes:
        """Send a message and wait for its answer; a process that is late, or is left while it works, is ended."""
        try:
            self._channel.send_bytes(message)
            if not self._channel.poll(seconds):
                self.end()
                raise EngineFaultError("over_time", f"gave no answer in {seconds:g} s, and was ended")
            reply = self._channel.recv_bytes()
        except (EOFError, OSError):
            raise self._died() from None
        except BaseException:
            self.end()
            raise
        if reply[:1] == wire.FAULT:
            raise EngineFaultError("exception", wire.data_of(reply))
        return reply

    def _died(self) -> EngineFaultError:
        self.end(grace_s=DYING_S)
        code = self._child.returncode
        how = f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"
        return EngineFaultError(
            "engine_died", f"its process ended {how}; it may have {memory_bytes() >> 20} MB of memory"
        )

    def end(self, grace_s: float = 0.0) -> None:
        """End the process and all that it started, at once or after a time in which it may end by itself."""
        self._channel.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(grace_s)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()


class Pool:
    """Processes by engine id: each serves one seat at a time, and further matches after that."""

    def __init__(self) -> None:
        self._idle: dict[str, list[EngineProcess]] = defaultdict(list)
        self._lock = threading.Lock()
        self._owner = os.getpid()

    def take(self, engine_id: str, source: Source, version: str) -> EngineProcess:
        """A process that has loaded this version. Raises EngineFaultError where the source is another by now."""
        with self._lock:
            self._forget_if_forked()
            while self._idle[engine_id]:
                process = self._idle[engine_id].pop()
                if process.is_alive:
                    return process
        try:
            process = EngineProcess(source)
        except SourceError as error:
            raise EngineFaultError("exception", str(error)) from None
        if process.version != version:
            process.end()
            raise not_here(engine_id, f"its source here is version {process.version}")
        return process

    def give_back(self, engine_id: str, process: EngineProcess) -> None:
        """Keep a process for the next match, if it lives and there are few."""
        with self._lock:
            if process.is_alive and len(self._idle[engine_id]) < MAX_IDLE and self._owner == os.getpid():
                self._idle[engine_id].append(process)
                return
        process.end()

    def end_all(self) -> None:
        """End all processes that nobody uses."""
        with self._lock:
            self._forget_if_forked()
            for process in (process for idle in self._idle.values() for process in idle):
                process.end()
            self._idle.clear()

    def _forget_if_forked(self) -> None:
        """In a forked process the others' are not ours to use."""
        if self._owner != os.getpid():
            self._idle.clear()
            self._owner = os.getpid()


POOL = Pool()
atexit.register(POOL.end_all)
