"""Where the first limit is with many workers: claims and plies a second, queue and database real, engines faked.

    .venv/bin/python -m tests.bench.bench_claims [--seconds S] [--processes N ...]

Uses an embedded Postgres with its durable settings and an embedded Valkey, both its own. Four people have two
experiments each. Every process claims chunks as a worker does, writes made-up matches of 71 plies that weigh, and
sends a message when its turn is over; nothing is played. Small chunks of one match show what claims cost, those of
ten matches what plies cost. CPU seconds are those of the servers and of the workers, as other programs may hold the
machine: they say what one core of a server gets done.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import psutil

from tests.bench.bench_recording import database
from tests.records import samples

PEOPLE, EACH = 4, 2
CHUNKS = 3000
"""Chunks of an experiment: more than are claimed."""
PLIES = 71
TURN_S = 1.0
HEAD = (
    f"{'workers':>8}{'matches':>9}{'claims/s':>10}{'plies/s':>10}{'p50 ms':>8}{'p95 ms':>8}"
    f"{'Postgres ms':>13}{'worker ms':>11}{'Valkey ms':>11}  waits of Postgres"
)


@contextlib.contextmanager
def queue_server() -> Iterator[psutil.Process]:
    """A Valkey in the data folder of the environment."""
    from webapp.ops import data_folder, valkey

    server = valkey.ValkeyServer(data_folder.locate(), valkey.find())
    server.prepare()
    process = subprocess.Popen(server.command(), stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        while not server.is_ready():
            time.sleep(0.02)
        yield psutil.Process(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def make_work(size: int) -> None:
    """Experiments of several people, whose chunks have `size` matches."""
    from django.db import connection

    from tests.records.experiments import make_experiment, spec
    from webapp.people.accounts.models import User
    from webapp.records import work_source
    from webapp.records.models import Experiment

    Experiment.objects.update(status="stopped")
    deals = CHUNKS * size // 2
    for person in range(PEOPLE):
        owner, _ = User.objects.get_or_create(username=f"person-{person}")
        for _ in range(EACH):
            made = make_experiment(owner, num_matches=2 * deals, spec=spec(deals=deals))
            work_source.open_chunks(made, [(0, first * size, size) for first in range(CHUNKS)])
    with connection.cursor() as cursor:
        cursor.execute("analyze records_chunk, records_experiment")  # as autovacuum does within a minute


@cache
def record() -> Any:
    """A match as workers write it, of no place yet."""
    return samples.match(0, num_plies=PLIES)


def work(seconds: float, size: int, ready: Any, answers: Any) -> None:
    """One worker: once all are ready, claim, write and finish for some seconds.

    Answers with the seconds of its claims, and its CPU time.
    """
    from webapp.table.live.work_source import LabWorkSource
    from worker import tasks
    from worker.recorder import BATCH

    source = LabWorkSource()
    source.announce([BATCH])
    with source.claim(BATCH):
        record()
    claims: list[float] = []
    ready.wait()
    began_cpu, turn_at = time.process_time(), time.monotonic()
    ends_at = turn_at + seconds
    while time.monotonic() < ends_at:
        asked_at = time.monotonic()
        with source.claim(BATCH) as chunk:
            if chunk is None:
                continue
            first = chunk.claim.first
            places = [divmod(first + number, 2) for number in range(size)]
            chunk.write([replace(record(), deal=deal, rotation=rotation) for deal, rotation in places])
            chunk.finish()
        claims.append(time.monotonic() - asked_at)
        if time.monotonic() - turn_at > TURN_S:
            tasks.wake(1)
            turn_at = time.monotonic()
    answers.put((claims, time.process_time() - began_cpu))
    source.close()


def server_tree(pid: int) -> float:
    """CPU seconds of a server and all its processes, those that have ended too."""
    process = psutil.Process(pid)
    total = sum(process.cpu_times()[:4])
    for child in process.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            total += sum(child.cpu_times()[:2])
    return total


def sample_waits(ends_at: float) -> Counter[str]:
    """What busy backends wait for, looked at ten times a second."""
    from django.db import connection

    query = """
        select coalesce(wait_event_type || ':' || wait_event, 'running') from pg_stat_activity
        where state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'
    """
    found: Counter[str] = Counter()
    with connection.cursor() as cursor:
        while time.monotonic() < ends_at:
            cursor.execute(query)
            found.update(row[0] for row in cursor.fetchall())
            time.sleep(0.1)
    return found


def measure(processes: int, size: int, seconds: float, servers: tuple[int, psutil.Process]) -> str:
    """One line of the table."""
    from django.db import connections

    connections.close_all()
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    ready = context.Barrier(processes + 1)
    workers = [context.Process(target=work, args=(seconds, size, ready, answers)) for _ in range(processes)]
    for worker in workers:
        worker.start()
    ready.wait()
    before = server_tree(servers[0]), sum(servers[1].cpu_times()[:2])
    waits = sample_waits(time.monotonic() + seconds)
    said = [answers.get(timeout=120) for _ in workers]
    for worker in workers:
        worker.join()
    claims = sorted(second for seconds_of_one, _ in said for second in seconds_of_one)
    postgres, valkey = server_tree(servers[0]) - before[0], sum(servers[1].cpu_times()[:2]) - before[1]
    each = 1000 / max(1, len(claims))
    cpu_ms = postgres * each, sum(cpu for _, cpu in said) * each, valkey * each
    return _line(f"{processes:>8}{size:>9}", size, seconds, claims, cpu_ms, waits)


def _line(
    begins: str,
    size: int,
    seconds: float,
    claims: Sequence[float],
    cpu_ms: tuple[float, float, float],
    waits: Counter[str],
) -> str:
    rate = len(claims) / seconds
    total = sum(waits.values()) or 1
    most = ", ".join(f"{name} {number / total:.0%}" for name, number in waits.most_common(3))
    return (
        f"{begins}{rate:>10.0f}{rate * size * PLIES:>10.0f}{_at(claims, 0.5):>8.1f}{_at(claims, 0.95):>8.1f}"
        f"{cpu_ms[0]:>13.2f}{cpu_ms[1]:>11.2f}{cpu_ms[2]:>11.3f}  {most}"
    )


def _at(values: Sequence[float], share: float) -> float:
    """A quantile of sorted seconds, in milliseconds."""
    return 1000 * values[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def postmaster() -> int:
    """Process id of the server of the data folder."""
    from django.db import connection

    from webapp.ops import data_folder

    connection.ensure_connection()
    return int((data_folder.locate().postgres / "postmaster.pid").read_text().split()[0])


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds of each line")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 4, 16, 64], help="workers")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    os.environ.pop("REDIS_URL", None)
    with database(), queue_server() as valkey:
        import django

        django.setup()
        from django.core.management import call_command

        from worker import machine

        call_command("migrate", verbosity=0, skip_checks=True)
        machine.speed()  # once, for all that are forked
        servers = postmaster(), valkey
        print(HEAD)
        for size in (1, 10):
            make_work(size)
            for processes in arguments.processes:
                print(measure(processes, size, arguments.seconds, servers), flush=True)


if __name__ == "__main__":
    main()
