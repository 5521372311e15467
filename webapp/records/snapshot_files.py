"""Removes the files of snapshots that were withdrawn, and files that no row knows: a chore of the sweeper."""

from __future__ import annotations

import time
from pathlib import Path
from typing import cast

from django.conf import settings
from django.db import connection, transaction

from webapp.records import locks
from webapp.records.locks import Connection
from webapp.records.snapshot_models import Snapshot

YOUNG_S = 3600.0
"""Age below which a file without a row is left: its row may be about to be written."""
State = Snapshot.State


def sweep() -> int:
    """Remove what is left over; return how many files went. None go while a backup is made."""
    closed = Snapshot.objects.filter(link__withdrawn_at__isnull=False).exclude(state=State.WITHDRAWN)
    for snapshot in closed.select_related("link"):
        rows = Snapshot.objects.filter(pk=snapshot.pk)
        rows.update(state=State.WITHDRAWN, withdrawn_at=snapshot.link.withdrawn_at)
    folder = Path(settings.SNAPSHOT_FOLDER)
    if not folder.is_dir():
        return 0
    with transaction.atomic():
        own = cast(Connection, connection.connection)
        if not locks.take_briefly(own, locks.BACKUP, 0):
            return 0
        kept = set(Snapshot.objects.filter(state=State.MADE).values_list("sha256", flat=True))
        gone = set(Snapshot.objects.filter(state=State.WITHDRAWN).values_list("sha256", flat=True)) - kept
        left = [path for path in folder.glob("*.zip") if path.stem not in kept]
        old = [path for path in left if path.stem in gone or time.time() - path.stat().st_mtime > YOUNG_S]
        for path in old:
            path.unlink(missing_ok=True)
    return len(old)
