"""What a lab costs that has grown: bytes a row, pages over millions of rows, deletion and the room it leaves.

    .venv/bin/python -m tests.bench.bench_growth [--plies N] [--matches N] [--sizes]

Uses DATABASE_URL (a database that may be filled), or an embedded Postgres of its own in a temporary folder, which
takes about 200 bytes a ply and 700 a match. Rows are made by SQL: their shape counts, not their making. A page's
time is CPU of the web process and of its Postgres backend, the best of three, with nothing kept in the web process.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.bench_recording import database

PLIES = 71
EACH = 7_000
"""Matches of each of the experiments with plies."""
TRIES = 3
PAGES = (
    "",
    "live/",
    "result/",
    "matches/",
    "matches/?sort=deal",
    "matches/?sort=margin",
    "matches/?sort=margin&after=0~1",
    "matches/?sort=plies",
    "matches/?sort=-cpu",
    "matches/?result=win&sort=margin",
    "matches/?result=failed",
    "matches/?arm=1&deal=77",
    "settings/",
    "failures/",
)
MANY_PLIES = """
insert into records_ply (match_id, ply, seat, action, notation, legal_count, scores, value, playouts, nodes, depth,
                         elapsed_s, cpu_s, digest)
select m.id, p, p %% 2, (m.id * 31 + p) %% 9999, 'U ' || p %% 20 || ',' || m.id %% 20 || ' 90° field0', 20 + p %% 40,
       array[p, p / 2], 0.5, 20, 0, 0, 0.001, 0.001, m.id * 1000003 + p
from records_match m cross join generate_series(0, %(plies)s - 1) p where m.experiment_id = %(experiment)s
"""
TABLES = ("records_match", "records_seat", "records_ply")


def sizes() -> None:
    """Print what the metrics of a seat take as JSON and as numbers, in each game, from matches played at random."""
    from django.db import connection

    from tests.webapp.lab.results import factory
    from webapp.records import metric_numbers
    from webapp.records.models import Seat

    print(f"{'bytes a seat':14}{'metrics':>9}{'as JSON':>9}{'numbers':>9}{'row then':>10}{'row now':>9}")
    for game in ("carcassonne", "kingdomino", "dominion", "dominoes"):
        made = factory.played(_owner(), deals=20, game=game, record="matches")
        seats = Seat.objects.filter(experiment=made)
        names = metric_numbers.of_game(game)
        numbers = _bytes(made)
        with connection.cursor() as cursor:
            for seat in list(seats):
                seat.metrics, seat.counts, seat.measures = names.read(seat), None, None
                seat.save()
            cursor.execute(
                "select avg(pg_column_size(metrics)), avg(pg_column_size(s.*)) from records_seat s"
                " where experiment_id = %s",
                (made.pk,),
            )
            json, row = cursor.fetchone()
        each = sum(len(names.read(seat) or {}) for seat in seats) / len(seats)
        print(f"{game:14}{each:>9.0f}{json:>9.0f}{numbers[0]:>9.0f}{row:>10.0f}{numbers[1]:>9.0f}")


def _bytes(experiment: Any) -> tuple[float, float]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "select avg(pg_column_size(counts) + pg_column_size(measures)), avg(pg_column_size(s.*))"
            " from records_seat s where experiment_id = %s",
            (experiment.pk,),
        )
        found: tuple[float, float] = cursor.fetchone()
    return found


def _owner() -> Any:
    from webapp.people.accounts.models import User

    return User.objects.get_or_create(username="bench")[0]


def fill(plies: int, matches: int) -> tuple[Any, Any]:
    """Make experiments of so many plies, and one of so many matches; the last of the former, and the latter."""
    from django.db import connection

    from tests.webapp.lab.experiments import rows
    from tests.webapp.specs import RANDOM, SCRIPTED, make
    from webapp.lab.jobs import services

    begin, last = time.perf_counter(), None
    arms = [{"name": "A", "seats": [SCRIPTED, RANDOM]}, {"name": "B", "seats": [RANDOM, SCRIPTED]}]
    for number in range(max(1, round(plies / PLIES / EACH))):
        last = make(_owner(), f"Experiment {number}", arms=arms, deals=EACH // 4, record="standard")
        rows.fill(last, plies=False)
        with connection.cursor() as cursor:
            cursor.execute(MANY_PLIES, {"plies": PLIES, "experiment": last.pk})
        services.stop(last)
    large = make(_owner(), "Large", arms=arms, deals=matches // 4)
    rows.fill(large, failed=3, plies=False)
    services.pause(large)
    last_chunk = large.chunks.order_by("-first", "-arm_index").first()
    large.chunks.filter(pk=last_chunk.pk).update(status="waiting")  # all but the last deals are over
    with connection.cursor() as cursor:
        cursor.execute("vacuum analyze")
    print(f"rows made in {time.perf_counter() - begin:.0f} s; {_room()}", flush=True)
    return last, large


def _room() -> str:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "select relname, pg_total_relation_size(oid) / 1e6, reltuples from pg_class where relname = any(%s)"
            " order by 1",
            (list(TABLES),),
        )
        return ", ".join(f"{name} {size:,.0f} MB of {n:,.0f} rows" for name, size, n in cursor.fetchall())


def pages(experiment: Any, is_changed: bool) -> dict[str, float]:
    """CPU milliseconds of each page; is_changed: a match of it has ended since the look before."""
    from django.test import Client

    from webapp.lab.results import cache

    client = Client()
    client.force_login(_owner())
    found = {}
    match = experiment.matches.order_by("-pk").first()
    addresses = [f"/experiments/{experiment.pk}/{part}" for part in PAGES] + ["/experiments/", "/"]
    for address in (*addresses, f"/matches/{match.pk}/"):
        client.get(address)
        took = []
        for _ in range(TRIES):
            cache._entries.clear()
            if is_changed:
                _end_another(experiment)
            begin = _cpu_s()
            answer = client.get(address)
            took.append(_cpu_s() - begin)
            assert answer.status_code in (200, 302), (address, answer.status_code)
        found[address] = 1000 * min(took)
    return found


def _cpu_s() -> float:
    """CPU seconds of this process and of its backend, where that is on this machine."""
    from django.db import connection

    connection.ensure_connection()
    stat = Path(f"/proc/{connection.connection.info.backend_pid}/stat")
    fields = stat.read_text().rpartition(")")[2].split() if stat.exists() else ["0"] * 13
    return time.process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _end_another(experiment: Any) -> None:
    """Let a match have ended just now, so that nothing that was kept for the version before stands."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "update records_match set finished_at = now() where id ="
            " (select id from records_match where experiment_id = %s order by id desc limit 1)",
            (experiment.pk,),
        )


@contextmanager
def took(what: str) -> Iterator[None]:
    """Print the seconds that something took."""
    begin = time.perf_counter()
    yield
    print(f"{what}: {time.perf_counter() - begin:.2f} s", flush=True)


def remove(experiment: Any) -> None:
    """Delete an experiment, as a request and then as the sweeper, and say what room its rows leave."""
    from django.db import connection

    from webapp.lab.jobs import services
    from webapp.records import removal

    matches = experiment.matches.count()
    services.stop(experiment)
    with took(f"request that deletes {matches:,} matches"):
        services.delete(experiment)
    turns: list[float] = []
    while True:
        begin = time.perf_counter()
        removed = removal.sweep()
        turns.append(time.perf_counter() - begin)
        if not removed:
            break
    print(f"sweeper: {len(turns)} turns, {sum(turns):.1f} s, the longest {max(turns):.2f} s", flush=True)
    with connection.cursor() as cursor:
        cursor.execute("vacuum analyze records_ply, records_seat, records_match")
    print(f"after vacuum: {_room()}", flush=True)


def partitions(number: int) -> None:
    """Print what it costs to read the plies of a match where each experiment has a partition of its own.

    By match alone, as most readers do, all partitions are asked; by experiment and match, one.
    """
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "create table parted (experiment_id int, match_id bigint, ply int) partition by list (experiment_id)"
        )
        for pk in range(number):
            cursor.execute(f"create table parted_{pk} partition of parted for values in ({pk})")
        cursor.execute("create unique index on parted (experiment_id, match_id, ply)")
        cursor.execute("create index on parted (match_id, ply)")
        cursor.execute(
            "insert into parted select e, e * 10 + m, p from generate_series(0, %s - 1) e, generate_series(0, 9) m,"
            " generate_series(0, 70) p",
            (number,),
        )
        cursor.execute("analyze parted")
        by_match, by_both = "match_id = 77", "experiment_id = 7 and match_id = 77"
        for words, where in (("match", by_match), ("experiment and match", by_both)):
            cursor.execute(f"explain (analyze, summary) select * from parted where {where}")
            found = [line for (line,) in cursor.fetchall() if "Time" in line]
            print(f"{number:,} partitions, plies by {words}: {', '.join(found)}", flush=True)


def _show(title: str, found: dict[str, float]) -> None:
    print(title)
    for address, ms in sorted(found.items(), key=lambda item: -item[1]):
        print(f"  {ms:>7.0f} ms  {address}", flush=True)


def main() -> None:
    """Fill, look, delete, fill again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plies", type=int, default=20_000_000)
    parser.add_argument("--matches", type=int, default=500_000, help="of one experiment without plies")
    parser.add_argument("--partitions", type=int, default=0, metavar="N", help="only what N partitions cost a reader")
    parser.add_argument("--sizes", action="store_true", help="only the bytes of a seat, in each game")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    with database():
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        settings.ALLOWED_HOSTS = ["testserver"]
        call_command("migrate", verbosity=0, skip_checks=True)
        if arguments.partitions:
            partitions(arguments.partitions)
            return
        sizes()
        if arguments.sizes:
            return
        last, large = fill(arguments.plies, arguments.matches)
        _show(f"An experiment of {EACH:,} matches with plies", pages(last, is_changed=False))
        _show(f"One of {arguments.matches:,} matches, the first look at it changed", pages(large, is_changed=True))
        remove(last)
        fill_again()
        remove(large)


def fill_again() -> None:
    """Make as many rows as were deleted, and say whether the tables have grown by them."""
    fill(1, 4)
    print(f"as many rows again, into the room of the deleted ones: {_room()}")


if __name__ == "__main__":
    main()
