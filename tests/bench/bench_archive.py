"""What plies in files cost: bytes beside the rows, time to move them and to bring them back, and pages of both.

    .venv/bin/python -m tests.bench.bench_archive [--matches N] [--game ID]

Uses DATABASE_URL (a database that may be filled), or an embedded Postgres of its own in a temporary folder. A few
hundred matches are played at random, with what engines note of each ply, and copied one after the other; a group of
rows in a file holds 32, so copies do not compress each other. Times are CPU of this
process and of Postgres, the best of three for pages.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from tests.bench.bench_recording import database

PLAYED = 200
TRIES = 3
MATCHES = """
insert into records_match (experiment_id, arm_index, deal, rotation, seed, deal_seed, status, num_plies, digest,
                           versions, elapsed_s, cpu_s, finished_at, worker)
select experiment_id, arm_index, deal + %(by)s, rotation, seed, deal_seed, status, num_plies, digest, versions,
       elapsed_s, cpu_s, finished_at, worker
from records_match where experiment_id = %(pk)s and deal < %(deals)s order by id
"""
SEATS = """
insert into records_seat (match_id, experiment_id, arm_index, deal, seat, lineup_index, configuration_id, score,
                          margin, rank, result, counts, measures)
select new.id, s.experiment_id, s.arm_index, new.deal, s.seat, s.lineup_index, s.configuration_id, s.score, s.margin,
       s.rank, s.result, s.counts, s.measures
from records_seat s join records_match old on old.id = s.match_id
join records_match new on new.experiment_id = old.experiment_id and new.arm_index = old.arm_index
     and new.rotation = old.rotation and new.deal = old.deal + %(by)s
where old.experiment_id = %(pk)s and old.deal < %(deals)s order by new.id, s.seat
"""
PLIES = """
insert into records_ply (match_id, ply, seat, action, notation, legal_count, scores, value, playouts, nodes, depth,
                         elapsed_s, cpu_s, digest, info)
select new.id, p.ply, p.seat, p.action, p.notation, p.legal_count, p.scores, p.value, p.playouts, p.nodes, p.depth,
       p.elapsed_s, p.cpu_s, p.digest, p.info
from records_ply p join records_match old on old.id = p.match_id
join records_match new on new.experiment_id = old.experiment_id and new.arm_index = old.arm_index
     and new.rotation = old.rotation and new.deal = old.deal + %(by)s
where old.experiment_id = %(pk)s and old.deal < %(deals)s order by new.id, p.ply
"""


def fill(game: str, matches: int) -> Any:
    """An experiment of so many matches with plies."""
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.utils import timezone

    from tests.webapp.lab.results import factory
    from webapp.records.models import Experiment

    owner = get_user_model().objects.create_user("bench", password="password")
    made = factory.played(owner, deals=PLAYED // 2, game=game)
    with connection.cursor() as cursor:
        for copy in range(1, matches // PLAYED):
            values = {"pk": made.pk, "deals": PLAYED // 2, "by": copy * PLAYED // 2}
            for statement in (MATCHES, SEATS, PLIES):
                cursor.execute(statement, values)
        cursor.execute("vacuum analyze")
    spec = made.spec | {"deals": matches // 2}
    ended = timezone.now() - timedelta(days=1)
    Experiment.objects.filter(pk=made.pk).update(spec=spec, num_matches=matches, status="finished", finished_at=ended)
    made.refresh_from_db()
    return made


def _timed(words: str, do: Callable[[], object], tries: int = 1) -> None:
    best = min(_once(do) for _ in range(tries))
    print(f"{best:9.3f} s  {words}", flush=True)


def _once(do: Callable[[], object]) -> float:
    begun = _cpu_s()
    do()
    return _cpu_s() - begun


def _cpu_s() -> float:
    """CPU seconds so far, of this process and of all of Postgres."""
    from django.db import connection

    server = int(Path(f"/proc/{connection.connection.info.backend_pid}/stat").read_text().rpartition(")")[2].split()[1])
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        own = int(stat.parent.name) == server
        ticks += sum(map(int, fields[11:15])) if own else sum(map(int, fields[11:13])) * (int(fields[1]) == server)
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def look(made: Any) -> None:
    """Pages of a match and charts, with nothing kept in the process, and the export of all plies."""
    from django.test import Client

    from webapp.lab.results import cache, exports
    from webapp.matches import replay
    from webapp.records.archive import plies

    client = Client()
    client.force_login(made.owner)
    match = made.matches.order_by("pk")[made.num_matches // 2]

    def page(address: str) -> Callable[[], object]:
        def get() -> None:
            cache._entries.clear()
            replay._walk.cache_clear()
            plies._kept.cache_clear()
            assert client.get(address).status_code == 200, address

        return get

    page(f"/matches/{match.pk}/")()
    _timed("page of a match", page(f"/matches/{match.pk}/"), TRIES)
    _timed("its plies alone", lambda: (plies._kept.cache_clear(), plies.plies_of(match)), TRIES)
    for chart in ("lead-by-ply", "cpu-by-ply", "legal-by-ply"):
        _timed(f"chart {chart}, first look", page(f"/experiments/{made.pk}/charts/{chart}.json"))
    for format_id in ("csv", "parquet"):
        read = partial(exports.stream, made, "plies", format_id)
        _timed(f"export of plies as {format_id}", lambda read=read: sum(map(len, read())))


def main() -> None:
    """Fill, look, move, look, check, bring back."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--game", default="carcassonne")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    with database(), tempfile.TemporaryDirectory() as folder:
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command
        from django.db import connection

        from webapp.records.archive import moving

        settings.ALLOWED_HOSTS, settings.ARCHIVE_FOLDER = ["testserver"], Path(folder) / "archive"
        call_command("migrate", verbosity=0, skip_checks=True)
        made = fill(arguments.game, arguments.matches)
        with connection.cursor() as cursor:
            cursor.execute("select count(*), pg_total_relation_size('records_ply') from records_ply")
            rows, in_table = cursor.fetchone()
        print(f"{arguments.game}: {made.matches.count():,} matches, {rows:,} plies, {in_table:,} bytes as rows")
        look(made)
        moving.GRACE = timedelta(days=1)
        _timed("writing all files, compared with the rows", lambda: call_command("archive", "archive", str(made.pk)))
        moving.GRACE = timedelta(0)
        _timed("removing all rows", lambda: [None for _ in iter(moving.sweep, 0)])
        in_files = sum(made.ply_files.values_list("size", flat=True))
        print(f"{in_files:,} bytes in {made.ply_files.count()} files: {in_files / in_table:.1%}", flush=True)
        made.refresh_from_db()
        look(made)
        _timed("checking all files", lambda: call_command("archive", "check"))
        _timed("bringing all rows back", lambda: call_command("archive", "restore", str(made.pk)))


if __name__ == "__main__":
    main()
