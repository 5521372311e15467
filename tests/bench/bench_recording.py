"""What recording costs: plies a second through the idempotent path (fsync on), and its share of play.

    .venv/bin/python -m tests.bench.bench_recording [--seconds S] [--batch N]

Uses DATABASE_URL, or an embedded Postgres of its own with its durable settings. First made-up
matches of 71 plies with 20 metrics a seat, one transaction a batch over one connection; then
real matches of random engines, played and not recorded, and played, claimed and recorded.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.records import samples

START_DEADLINE_S = 60
THINKING_S = 0.005
SLOW_BATCH = 6
"""So many matches are written at once where engines think 5 ms a ply."""

CHUNK = 100_000
FIRST = 10_000_000
"""Deals of a write that is not measured begin here."""


@contextmanager
def database() -> Iterator[None]:
    """Let the settings name a running, durable Postgres. No queue is there: that nobody is woken needs no word."""
    logging.getLogger("worker.tasks").setLevel(logging.ERROR)
    if os.environ.get("DATABASE_URL"):
        yield
        return
    from webapp.ops import launch, postgres
    from webapp.ops.data_folder import DataFolder

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # a killed benchmark tidies up, too
    folder = DataFolder(Path(tempfile.mkdtemp(prefix="lab-bench-")))
    folder.root.chmod(0o755)  # Postgres may run as another user
    os.environ["LAB_DATA"] = str(folder.root)
    server = postgres.PostgresServer(folder, postgres.find())
    server.prepare()
    command = launch.command(server.command(), "SIGINT", user=server.user)
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        deadline = time.monotonic() + START_DEADLINE_S
        while not server.is_ready():
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("Postgres did not start")
            time.sleep(0.05)
        yield
    finally:
        process.send_signal(signal.SIGINT)  # Postgres' fast shutdown: our own connection is still open
        process.wait()
        shutil.rmtree(folder.root, ignore_errors=True)


HEAD = (
    f"  {'beside a ply':18}{'matches at once':>16}{'plies/s':>10}{'ms':>9}{'ms again':>10}{'of play at 5 ms a ply':>23}"
)


class Row(NamedTuple):
    """A line of the table; share: of the time that engines think who take 5 ms a ply; python_s: CPU of ours a ply."""

    weighs: bool
    batch: int
    plies_per_s: float
    transaction_s: float
    repeat_s: float
    share: float
    python_s: float

    def __str__(self) -> str:
        beside = "5 weighed actions" if self.weighs else "nothing"
        return (
            f"  {beside:18}{self.batch:>16}{self.plies_per_s:>10,.0f}{1000 * self.transaction_s:>9.1f}"
            f"{1000 * self.repeat_s:>10.1f}{self.share:>23.1%}"
        )


def measure(weighs: bool, batch: int, seconds: float) -> Row:
    """Record batches of fresh matches for so many seconds, and each a second time."""
    from django.db import connection

    from games import garbage
    from tests.records.experiments import make_experiment, target
    from webapp.records import recorder

    experiment = make_experiment(num_matches=1_000_000)
    place = target(experiment)
    connection.ensure_connection()
    garbage.collect_seldom()  # as workers do
    matches = [samples.match(ordinal, weighs=weighs) for ordinal in range(batch)]
    recorder.write(connection.connection, place, [_moved(match, FIRST) for match in matches])  # loads what it takes
    written, spent, repeat_s, python_s = 0, 0.0, 0.0, 0.0
    while spent < seconds:
        shift = written
        fresh = [_moved(match, shift) for match in matches]
        start, began = time.perf_counter(), time.process_time()
        assert recorder.write(connection.connection, place, fresh) == batch
        spent, python_s = spent + time.perf_counter() - start, python_s + time.process_time() - began
        start = time.perf_counter()
        assert recorder.write(connection.connection, place, fresh) == 0
        repeat_s += time.perf_counter() - start
        written += batch
    transactions, plies = written / batch, written * len(matches[0].plies)
    share = spent / plies / THINKING_S
    again_s = repeat_s / transactions
    return Row(weighs, batch, plies / spent, spent / transactions, again_s, share, python_s / plies)


def play(seconds: float) -> tuple[float, float]:
    """Matches a second of random against random: not recorded, recorded."""
    from tests.records.experiments import make_experiment, spec
    from webapp.records import work_source
    from worker import schedule
    from worker import spec as specs
    from worker.play import play_chunk
    from worker.runner import play_match
    from worker.stop_switch import StopSwitch

    whole = spec(deals=CHUNK // 2)
    matches = schedule.match_specs(specs.from_json(whole), 0, 0, CHUNK)
    play_match(next(matches))  # loads the kernels
    start, played = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        play_match(next(matches))
        played += 1
    unrecorded = played / (time.perf_counter() - start)

    experiment = make_experiment(spec=whole, num_matches=CHUNK, priority=100)
    work_source.open_chunks(experiment, [(0, 0, CHUNK)])
    source, stop, recorded = work_source.PostgresWorkSource(), StopSwitch(), 0

    def play_until_time(match: specs.MatchSpec) -> samples.MatchRecord:
        nonlocal recorded
        recorded += 1
        stop.is_asked = time.perf_counter() - start >= seconds
        return play_match(match)

    with source.claim() as chunk:
        assert chunk is not None
        start = time.perf_counter()
        play_chunk(chunk, stop, play_until_time)
        elapsed = time.perf_counter() - start
    source.close()
    return unrecorded, recorded / elapsed


def _moved(match: samples.MatchRecord, shift: int) -> samples.MatchRecord:
    from dataclasses import replace

    return replace(match, deal=match.deal + shift)


def main() -> None:
    """Print a table of transactions, and what recording costs where engines think least."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="for each line")
    parser.add_argument("--batch", type=int, default=100, help="most matches at once")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    with database():
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0, skip_checks=True)
        print(f"Recording through one connection, each transaction once and again\n{HEAD}")
        for weighs in (False, True):
            for batch in (SLOW_BATCH, 25, arguments.batch):
                print(measure(weighs, batch, arguments.seconds), flush=True)
        unrecorded, recorded = play(arguments.seconds)
        print(f"Random against random: {unrecorded:.1f} matches/s not recorded, {recorded:.1f} matches/s recorded")


if __name__ == "__main__":
    main()
