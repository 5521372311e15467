"""Plies of finished experiments go into files, and their rows out of Postgres: a little at a time, by the sweeper.

First a file after the other is written, each compared with its rows by Postgres before its own row says that it is
there. When all are, `Experiment.plies_filed_at` has everybody read the files. Rows go GRACE later, a file's at a
time: whoever began to read them has ended. Killed at any moment, plies are rows, or rows and in files, or in files;
the next turn goes on.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import cast

import psycopg
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone
from psycopg import sql

from webapp.records import locks
from webapp.records.archive import columns, parquet_file, plies, table
from webapp.records.archive.arrow import pa
from webapp.records.archive.errors import ArchiveError
from webapp.records.models import Chunk, Experiment, Match, PlyFile

PART = 500
"""Matches of a file: it is written within two seconds or so, and other chores of the sweeper wait no longer."""
TURN_S = 1.0
"""Time after which the sweeper looks after other things first; a file is brought to its end."""
GRACE = timedelta(hours=1)
"""Time between the last file and the first row that goes: no download takes longer."""
WAIT_S = 3600.0
"""Time for which an experiment that could not be moved is left alone."""
logger = logging.getLogger(__name__)

_DIFFERENT = """
select coalesce(a.match_id, b.match_id), coalesce(a.ply, b.ply)
from (select * from records_ply where match_id = any(%s)) a
full join pg_temp.archived_ply b on (a.match_id, a.ply) = (b.match_id, b.ply)
where row(a.*) is distinct from row(b.*) limit 1
"""
_waiting: dict[int, float] = {}


def sweep(turn_s: float = TURN_S) -> int:
    """Go on for so many seconds, or until nothing is due; return how many steps that were."""
    ends_at = time.monotonic() + turn_s
    steps = 0
    with alone() as is_mine:
        for experiment in [*_begun(), *_due()] if is_mine else ():
            if _waiting.get(experiment.pk, 0.0) > time.monotonic():
                continue
            try:
                while step(experiment):
                    steps += 1
                    if time.monotonic() >= ends_at:
                        return steps
            except (ArchiveError, OSError) as error:
                logger.error("plies of experiment %s were not moved: %s", experiment.pk, error)
                _waiting[experiment.pk] = time.monotonic() + WAIT_S
    return steps


@contextmanager
def alone() -> Iterator[bool]:
    """Whether it is this connection's turn to move plies; it is until the end."""
    own = _own()
    is_mine = locks.take(own, locks.ARCHIVE, 0)
    try:
        yield is_mine
    finally:
        if is_mine and not own.closed:
            locks.release(own, locks.ARCHIVE, 0)


def step(experiment: Experiment) -> bool:
    """Take the next step of moving an experiment's plies; whether there was one. Raises ArchiveError, OSError."""
    experiment.refresh_from_db(fields=["plies_filed_at", "plies_gone_to"])
    if experiment.plies_gone_to is not None:
        return False
    if experiment.plies_filed_at is None:
        return _write_next(experiment) or _close(experiment)
    if experiment.plies_filed_at > timezone.now() - GRACE:
        return False
    file = plies.files(experiment).filter(rows_gone_at=None).first()
    if file is None:
        return False
    _remove_rows(file)
    return True


def refusal(experiment: Experiment) -> str:
    """Why the plies of an experiment stay rows; empty where they can be moved."""
    if experiment.spec.get("record") == "matches":
        return "it has recorded no plies"
    if experiment.plies_gone_to is not None:
        return "its plies have been removed"
    if experiment.kind != Experiment.Kind.EXPERIMENT:
        return "it is a single match or a ladder, which goes on: only experiments are moved"
    if experiment.status != Experiment.Status.FINISHED:
        return f"it is {experiment.status}: only what is finished has all its plies"
    if Chunk.objects.filter(experiment=experiment, status=Chunk.Status.CLAIMED).exists():
        return "workers still play matches of it"
    return ""


def discard(experiment_id: int) -> bool:
    """Remove an experiment's files and their rows; False while a backup is made, which may still need them."""
    with transaction.atomic():
        found = list(PlyFile.objects.filter(experiment_id=experiment_id).select_for_update())
        if not found:
            return True
        if not locks.take_briefly(_own(), locks.BACKUP, 0):
            return False
        unlink(found)
        PlyFile.objects.filter(experiment_id=experiment_id).delete()
    return True


def unlink(files: Sequence[PlyFile]) -> None:
    """Remove the files of an experiment from the folder, and what a kill left of one that was being written."""
    for path in map(plies.path_of, files):
        path.unlink(missing_ok=True)
        for rest in path.parent.glob(f"*{parquet_file.TEMPORARY}"):
            rest.unlink(missing_ok=True)
        if path.parent.is_dir() and not any(path.parent.iterdir()):
            path.parent.rmdir()


def _begun() -> QuerySet[Experiment]:
    """Experiments some of whose plies are in files, and some are still rows."""
    own = PlyFile.objects.filter(experiment=OuterRef("pk"))
    has_rows = Exists(own.filter(rows_gone_at=None))
    rest = Q(plies_filed_at=None) | Q(plies_filed_at__lt=timezone.now() - GRACE)
    return Experiment.objects.filter(rest, has_rows, plies_gone_to=None).order_by("pk")


def _due() -> QuerySet[Experiment]:
    """Experiments whose plies are to be moved; none where they stay for ever."""
    if not settings.LAB_ARCHIVE_DAYS:
        return Experiment.objects.none()
    ended = Greatest("finished_at", Coalesce("plies_returned_at", "finished_at"))
    return (
        Experiment.objects.annotate(ended=ended)
        .filter(
            kind=Experiment.Kind.EXPERIMENT,
            status=Experiment.Status.FINISHED,
            ended__lt=timezone.now() - timedelta(days=settings.LAB_ARCHIVE_DAYS),
            plies_gone_to=None,
            plies_filed_at=None,
        )
        .exclude(spec__record="matches")
        .exclude(Exists(PlyFile.objects.filter(experiment=OuterRef("pk"))))
        .exclude(Exists(Chunk.objects.filter(experiment=OuterRef("pk"), status=Chunk.Status.CLAIMED)))
        .order_by("pk")
    )


def _write_next(experiment: Experiment) -> bool:
    """Write the file of the next matches; whether there were any."""
    last = PlyFile.objects.filter(experiment=experiment).order_by("-number").first()
    behind = last.last_match if last is not None else 0
    number = last.number + 1 if last is not None else 1
    rest = Match.objects.filter(experiment=experiment, pk__gt=behind).order_by("pk")
    ids = list(rest.values_list("pk", flat=True)[:PART])
    if not ids:
        return False
    file = PlyFile(
        experiment=experiment,
        number=number,
        name=f"experiment-{experiment.pk}/plies-{number:04}.parquet",
        first_match=ids[0],
        last_match=ids[-1],
    )
    sums = parquet_file.write(plies.path_of(file), int(experiment.spec["seats"]), _groups(experiment, ids))
    file.sha256, file.list_sha256, file.size = sums.sha256, sums.list_sha256, sums.size
    file.matches, file.plies = len(sums.matches), sums.plies
    _compare(file, ids)
    file.checked_at = timezone.now()
    file.save()
    return True


def _groups(experiment: Experiment, ids: Sequence[int]) -> Iterator[pa.Table]:
    """Rows of these matches, in groups of whole matches that have some."""
    seats = int(experiment.spec["seats"])
    held: list[pa.Table] = []
    count = 0
    for first in range(0, len(ids), parquet_file.GROUP):
        found = _copied(seats, ids[first : first + parquet_file.GROUP])
        for _, start, end in columns.by_match(found):
            held.append(found.slice(start, end - start))
            count += 1
            if count == parquet_file.GROUP:
                yield pa.concat_tables(held)
                held, count = [], 0
    if held:
        yield pa.concat_tables(held)


def _copied(seats: int, ids: Sequence[int]) -> pa.Table:
    query = sql.SQL("COPY ({}) TO STDOUT (FORMAT csv)").format(columns.select(seats, ids))
    with psycopg.Cursor(_own()) as cursor, cursor.copy(query) as blocks:
        return columns.from_csv(b"".join(bytes(block) for block in blocks), seats)


def _compare(file: PlyFile, ids: Sequence[int]) -> None:
    """Have Postgres compare what the file gives back with the rows. Raises ArchiveError where anything differs."""
    own = _own()
    written = set(ids)
    with plies.reader(file) as opened:
        rest = written - set(opened.matches)
        for group in opened.groups():
            _compare_some(own, file, sorted({match for match, _, _ in columns.by_match(group)}), [group])
    _compare_some(own, file, sorted(rest), [])


def _compare_some(own: table.Connection, file: PlyFile, ids: Sequence[int], tables: Sequence[pa.Table]) -> None:
    with table.filled(own, tables):
        different = own.execute(_DIFFERENT, (list(ids),)).fetchone()
    if different is not None:
        match, ply = different
        raise ArchiveError(
            f"The file {file.name} does not give ply {ply} of match {match} back as its row is, so the rows stay.",
            "manage.py verify --match says whether the row is as it was recorded.",
        )


def _close(experiment: Experiment) -> bool:
    """Have everybody read the files from now on, where they hold all."""
    with transaction.atomic():
        row = Experiment.objects.select_for_update(no_key=True).get(pk=experiment.pk)
        if refusal(row) or row.plies_filed_at is not None:
            return False
        last = PlyFile.objects.filter(experiment=row).order_by("-number").first()
        if last is None or Match.objects.filter(experiment=row, pk__gt=last.last_match).exists():
            return False
        row.plies_filed_at = timezone.now()
        row.save(update_fields=["plies_filed_at"])
    return True


def _remove_rows(file: PlyFile) -> None:
    """Remove the rows that a file holds; the file is read once more before. Raises ArchiveError."""
    plies.check(file)
    with plies.reader(file) as opened:
        ids = opened.matches
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("delete from records_ply where match_id = any(%s)", (ids,))
        PlyFile.objects.filter(pk=file.pk).update(rows_gone_at=timezone.now())


def _own() -> table.Connection:
    connection.ensure_connection()
    return cast(table.Connection, connection.connection)
