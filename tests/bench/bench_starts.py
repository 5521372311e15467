"""What starts take: CPU seconds of commands, of compiling, and the memory of the idle lab.

    .venv/bin/python -m tests.bench.bench_starts [--compile]

Commands with byte code and compiled kernels at hand, the least of some runs. Memory is that of `manage.py up` with two
workers and a process of pages a core, some seconds after all has started: what several processes share counts once
(PSS). --compile also compiles a first match, and all games and searches, each into a folder of its own.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from tests.bench.goals import Figures, row
from tests.ops.labs import Commands, temporary
from webapp.ops import ports

RUNS = 3
SETTLED_S, STARTED_S = 10.0, 900.0
COMMANDS = {
    "check": ("manage.py", "check"),
    "list": ("-m", "games", "list"),
    "help": ("-m", "worker", "--help"),
    "second": ("-m", "tests.bench.first_match"),
}


def cpu_s(*arguments: str, **variables: str) -> float:
    """CPU seconds of Python with these arguments, with all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *arguments], env=environment | variables, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def starts(seconds: float = 0.0) -> Figures:
    """CPU seconds of commands that are started again."""
    with tempfile.TemporaryDirectory() as folder:
        for key, arguments in COMMANDS.items():
            cpu_s(*arguments, LAB_DATA=folder)  # writes byte code, compiles
            yield key, min(cpu_s(*arguments, LAB_DATA=folder) for _ in range(RUNS))


def first_match(seconds: float = 0.0) -> Figures:
    """CPU seconds of a first match, all compiled for it."""
    with tempfile.TemporaryDirectory() as folder:
        yield "first", cpu_s("-m", "tests.bench.first_match", LAB_KERNELS=folder)


def compiling(seconds: float = 0.0) -> Figures:
    """CPU seconds of compiling all games and searches."""
    with tempfile.TemporaryDirectory() as folder:
        yield "compile", cpu_s("-m", "engines", "warm", LAB_KERNELS=folder)


def memory(seconds: float = 0.0) -> Figures:
    """Memory of the idle lab."""
    with temporary() as folder:
        yield "idle", idle_mb(folder)


def idle_mb(folder: Path) -> float:
    """PSS of all processes of a lab, in megabytes, when it has started and nothing is asked of it."""
    port = ports.first_free("127.0.0.1", 18_600)
    command = ["manage.py", "up", "--port", str(port), "--workers", "2"]
    with Commands(folder).start(*command) as lab:
        try:
            _await_warm(folder, lab)
            time.sleep(SETTLED_S)
            return sum(process.memory_full_info().pss for process in _family(lab.pid)) / 2**20
        finally:
            lab.send_signal(signal.SIGINT)
            lab.communicate()


def _family(pid: int) -> list[psutil.Process]:
    supervisor = psutil.Process(pid)
    return [supervisor, *supervisor.children(recursive=True)]


def _await_warm(folder: Path, lab: subprocess.Popen[str]) -> None:
    """Wait until the lab has started and its warm-up has ended."""
    log, ends_at = folder / "logs" / "kernels-rest.log", time.monotonic() + STARTED_S
    while not log.exists() or (folder / "processes" / "kernels-rest.json").exists():
        if lab.poll() is not None or time.monotonic() > ends_at:
            raise SystemExit("the lab did not start")
        time.sleep(0.2)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--compile", action="store_true", help="also compile all anew, which takes minutes")
    given = parser.parse_args()
    for topic in (starts, memory, *((first_match, compiling) if given.compile else ())):
        for key, now in topic():
            print(row(key, now), flush=True)


if __name__ == "__main__":
    main()
