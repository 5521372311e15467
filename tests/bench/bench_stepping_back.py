"""What a busy process that steps back gets of a core beside others: ``python -m tests.bench.bench_stepping_back``.

18 seconds on one core. Three processes of another session (a busy desktop) stand beside it where sessions are weighed
(Linux autogroup), two of its own session where they are not. A probe that works 20 ms now and then, as a page does,
says what is left for those who wait.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

SECONDS = 3.0


def spin(seconds: float, *, nice: int, group: int) -> None:
    """Be busy, and print the CPU seconds that it got."""
    _settle(nice, group)
    ends_at = time.monotonic() + seconds
    while time.monotonic() < ends_at:
        pass
    print(f"{time.process_time():.2f}")


def probe(seconds: float) -> None:
    """Work 20 ms again and again, and print how long it took, the median and the 95th of 100."""
    _settle(0, 0)
    ends_at, taken = time.monotonic() + seconds, []
    while time.monotonic() < ends_at:
        time.sleep(0.05)
        began, cpu = time.monotonic(), time.process_time()
        while time.process_time() < cpu + 0.02:
            pass
        taken.append(1000 * (time.monotonic() - began))
    cuts = statistics.quantiles(taken, n=20)
    print(f"{cuts[9]:.0f} {cuts[18]:.0f}")


def desktop(seconds: float) -> None:
    """Three busy processes of one session."""
    children = [pid for _ in range(2) if (pid := os.fork())]
    spin(seconds, nice=0, group=0)
    for pid in children if len(children) == 2 else ():
        os.waitpid(pid, 0)


def _settle(nice: int, group: int) -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if group:
        with open("/proc/self/autogroup", "w") as file:
            file.write(str(group))
    os.nice(nice)


def _start(call: str, *, has_session: bool) -> subprocess.Popen[str]:
    code = f"from tests.bench import bench_stepping_back as b; b.{call}"
    command = [sys.executable, "-c", code]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=has_session)


def _answer(process: subprocess.Popen[str]) -> str:
    return process.communicate()[0].split("\n")[0]


def main() -> None:
    """Measure each way to step back."""
    for nice, group in ((10, 10), (5, 5), (10, 0), (5, 0)):
        others = _start(f"desktop({SECONDS})", has_session=True)
        batch = _start(f"spin({SECONDS}, nice={nice}, group={group})", has_session=True)
        page = _start(f"probe({SECONDS})", has_session=True)
        print(f"nice {nice}, session {group}: {_answer(batch)} of {SECONDS:.0f} CPU s, probe {_answer(page)} ms")
        others.communicate()
    for nice in (10, 5):
        beside = [_start(f"spin({SECONDS}, nice=0, group=0)", has_session=False) for _ in range(2)]
        batch = _start(f"spin({SECONDS}, nice={nice}, group=0)", has_session=False)
        print(f"nice {nice} within a session: {_answer(batch)} CPU s beside {' and '.join(map(_answer, beside))}")


if __name__ == "__main__":
    main()
