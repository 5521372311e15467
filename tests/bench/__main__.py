"""Measures what the project promises of speed and memory, beside what it was and what it is to be.

    python -m tests.bench [--only TOPIC,TOPIC] [--seconds S]

Rates are per CPU second. Without --only all topics but `compiling` and `lists`, which take minutes; these and every
other one can be named. Old figures and goals stand in `goals.json` with their source; a busy machine makes all
figures worse than a quiet one, memory apart.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.bench import bench_lists, bench_starts, topics
from tests.bench.goals import HEAD, Figures, print_rows, stored

TOPICS: dict[str, Callable[[float], Figures]] = {
    "starts": bench_starts.starts,
    "memory": bench_starts.memory,
    "matches": topics.matches,
    "plies": topics.plies,
    "recording": topics.recording,
    "headless": topics.headless,
    "kernels": topics.kernels,
    "solver": topics.solver,
    "twins": topics.twins,
    "lists": bench_lists.lists,
    "first": bench_starts.first_match,
    "compiling": bench_starts.compiling,
}
"""Each measures, given seconds for a figure, what it yields."""
LONG = {"compiling", "lists"}


def chosen(text: str) -> list[str]:
    """Topics by name."""
    names = text.split(",")
    if unknown := [name for name in names if name not in TOPICS]:
        raise argparse.ArgumentTypeError(f"there is no {unknown[0]!r}; there are {', '.join(TOPICS)}")
    return names


def main(arguments: list[str] | None = None) -> int:
    """Print the table; returns 1 where a goal is not met, or a topic broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").splitlines()[0])
    usual = [name for name in TOPICS if name not in LONG]
    parser.add_argument("--only", type=chosen, default=usual, metavar="TOPICS", help=f"of {', '.join(TOPICS)}")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds of a figure that is a rate")
    given = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    print(f"Before: {stored()['source']}\nLoad of this machine: {os.getloadavg()[0]:.1f}\n  {HEAD}", flush=True)
    missed = 0
    for name in given.only:
        with ProcessPoolExecutor(1, get_context("spawn")) as process:  # a topic has settings and a database of its own
            try:
                missed += process.submit(print_rows, name, TOPICS[name], given.seconds).result()
            except Exception:  # whatever a topic breaks by, the others can be measured
                traceback.print_exc()
                missed += 1
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
