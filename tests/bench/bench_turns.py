"""What a move with its engine's answer costs: CPU milliseconds of each program, by real HTTP and with real workers.

    .venv/bin/python -m tests.bench.bench_turns [--moves N] [--game GAME ...]

One person plays the weakest level of each game, as a page does: the sent action is answered with the state, then a
request waits for the engine. Besides, by themselves: a message of the queue that finds nothing to do (received,
claimed in vain, acknowledged) and the sending of one. The goal is 80 ms over all programs.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import psutil

from engines import levels
from engines.protocol import Budget
from games import registry
from tests.bench.bench_moves import Side
from tests.bench.serving import ServedLab, people, refuse_windows
from worker.spec.model import SeatSpec

GOAL_MS = 80.0
WARM_UP = 12
WAKES = 100
SETTLE_S = 0.3
"""Time for what comes after an answer: the worker's look for more."""
DEADLINE_S = 60.0
PROGRAMS = ("web", "interactive", "its processes", "postgres", "valkey")


class TurnsLab(ServedLab):
    """Servers, one web process, and the workers that answer people."""

    def __enter__(self) -> TurnsLab:
        super().__enter__()
        self.start_interactive()
        return self

    def cpu_s(self) -> list[float]:
        """CPU seconds that each of `PROGRAMS` has used so far."""
        main = psutil.Process(self.processes["interactive"].pid)
        leaders = [main, *main.children(recursive=True)]
        celery = [process for process in leaders if "celery" in " ".join(process.cmdline())]
        deepest = [process for process in celery if not process.children()]
        return [
            self.web_cpu_s(),
            _used_s([process for process in leaders if process not in deepest]),
            _used_s(deepest),
            *(_used_s(_tree(self.processes[name].pid)) for name in ("postgres", "valkey")),
        ]


def _tree(pid: int) -> list[psutil.Process]:
    leader = psutil.Process(pid)
    return [leader, *leader.children(recursive=True)]


def _used_s(processes: list[psutil.Process]) -> float:
    """CPU seconds of processes, and of children of theirs that have ended."""
    return sum(sum(process.cpu_times()[:4]) for process in processes)


def sit_down(lab: TurnsLab, game: str, number: int) -> Side:
    """A person at a new table against the weakest level, on turn."""
    from tests.webapp.table.live import tables
    from webapp.table.live.plans import Terms

    (person,) = people((f"Bartholomew {number}",))
    level = levels.for_game(game)[0]
    num_seats = max(2, registry.get(game).traits.min_seats)
    seat = SeatSpec(level.engine, level.options, Budget.from_json(level.budget))
    engine = tables.engine(seat, level.label, level.id)
    match = tables.open_match(
        person, [tables.person(person), *[engine] * (num_seats - 1)], Terms(), game=game, seed=5 + number, deal_seed=6
    )
    side = Side(lab.client(person), f"/play/{match.code}/", {})
    side.browser.get(side.path).raise_for_status()
    side.look()
    return side


def wait_for_turn(side: Side) -> None:
    """Wait as the page does until the person is on turn or the match is over."""
    ends_at = time.monotonic() + DEADLINE_S
    while side.state["status"] == "running" and not side.state["your_turn"]:
        assert time.monotonic() < ends_at, f"the engine of {side.path} does not answer"
        side.wait()


def play(lab: TurnsLab, game: str, moves: int) -> tuple[list[float], list[float]]:
    """(CPU seconds of each program, seconds from a move to its answer) of so many moves with their answers."""
    spent, seconds, left_out, tables = [0.0] * len(PROGRAMS), [], WARM_UP, 0
    while len(seconds) < moves:
        side, tables = sit_down(lab, game, tables), tables + 1
        wait_for_turn(side)
        time.sleep(SETTLE_S)
        before = lab.cpu_s()
        while len(seconds) < moves and side.state["status"] == "running":
            began_at = time.monotonic()
            side.act()
            wait_for_turn(side)
            took_s = time.monotonic() - began_at
            if left_out:
                left_out -= 1
                if not left_out:
                    time.sleep(SETTLE_S)
                    before = lab.cpu_s()
                continue
            seconds.append(took_s)
        time.sleep(SETTLE_S)
        if not left_out:
            spent = [sum(row) for row in zip(spent, _difference(before, lab.cpu_s()), strict=True)]
        side.browser.close()
    return spent, seconds


def _difference(before: list[float], after: list[float]) -> list[float]:
    return [late - early for early, late in zip(before, after, strict=True)]


def measure_each(lab: TurnsLab, number: int, do: Callable[[], object]) -> list[float]:
    """CPU seconds of each program and of this one for `number` times something, with what follows from it."""
    before, own = lab.cpu_s(), time.process_time()
    for _ in range(number):
        do()
        time.sleep(0.02)
    own = time.process_time() - own
    time.sleep(SETTLE_S)
    return [*_difference(before, lab.cpu_s()), own]


def show(name: str, row: list[float], number: int, further: str = "") -> None:
    """A line: CPU milliseconds each, and their sum."""
    each = [1000 * spent / number for spent in row]
    print(f"{name:14}" + "".join(f"{ms:>14.1f}" for ms in each) + f"{sum(each):>9.1f}  {further}", flush=True)


def main() -> int:
    """Measure and print; exit 1 where a move with its answer costs more than the goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--game", nargs="*", default=registry.ids())
    given = parser.parse_args()
    refuse_windows()
    slow: list[str] = []
    print(f"load {os.getloadavg()[0]:.1f}; CPU ms")
    print(f"{'':14}" + "".join(f"{name:>14}" for name in PROGRAMS) + f"{'all':>9}", flush=True)
    with TurnsLab() as lab:
        for game in given.game:
            spent, seconds = play(lab, game, given.moves)
            show(game, spent, len(seconds), f"{len(seconds)} moves, p50 {statistics.median(seconds):.3f} s")
            if 1000 * sum(spent) / len(seconds) > GOAL_MS:
                slow.append(game)
        show_message(lab)
    if slow:
        print(f"more than {GOAL_MS:g} ms a move with its answer: {', '.join(slow)}", file=sys.stderr)
    return 1 if slow else 0


def show_message(lab: TurnsLab) -> None:
    """What a message costs that finds nothing to do, and the program that sends it (last, without the rest)."""
    from worker import tasks
    from worker.recorder import INTERACTIVE

    def send() -> Any:
        return tasks.wake(1, INTERACTIVE)

    for _ in range(WARM_UP):
        send()
    time.sleep(SETTLE_S)
    *programs, sender = measure_each(lab, WAKES, send)
    show("empty message", programs, WAKES, f"sending it: {1000 * sender / WAKES:.1f}")


if __name__ == "__main__":
    sys.exit(main())
