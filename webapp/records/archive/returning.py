"""Plies of files come back into Postgres, as rows: `manage.py archive restore`.

A file's rows come in one transaction. The files are what is read until the last of them is back; what a kill leaves
is an experiment in the archive, some of whose plies are rows as well, and the sweeper removes these again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from django.db import connection, transaction
from django.utils import timezone

from webapp.records import locks
from webapp.records.archive import columns, moving, plies
from webapp.records.archive.table import Connection
from webapp.records.models import Experiment, PlyFile

_COPY = f"copy records_ply ({', '.join(columns.ROW)}) from stdin (format csv)"


def restore(experiment: Experiment, report: Callable[[PlyFile], None] = lambda _: None) -> int:
    """Make an experiment's plies rows again, and remove its files; return how many plies came.

    Called while plies are moved by nobody else (`moving.alone`). report: called after each file. Raises ArchiveError
    before anything of a damaged file is a row.
    """
    found = list(plies.files(experiment))
    for file in found:
        _restore(file)
        report(file)
    connection.ensure_connection()
    with transaction.atomic():
        locks.wait_for(cast(Connection, connection.connection), locks.BACKUP, 0)  # it may still need the files
        Experiment.objects.filter(pk=experiment.pk).update(plies_filed_at=None, plies_returned_at=timezone.now())
        PlyFile.objects.filter(experiment=experiment).delete()
    moving.unlink(found)
    return sum(file.plies for file in found)


def _restore(file: PlyFile) -> None:
    plies.check(file)
    with plies.reader(file) as opened, transaction.atomic(), connection.cursor() as cursor:
        for group in opened.groups():
            ids = [match for match, _, _ in columns.by_match(group)]
            cursor.execute("delete from records_ply where match_id = any(%s)", (ids,))
            with cursor.copy(_COPY) as sink:
                sink.write(columns.to_csv(group))
        PlyFile.objects.filter(pk=file.pk).update(rows_gone_at=None)
