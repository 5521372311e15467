"""Files of the archive are looked at again and again, so that a missing or damaged one is known before it is needed."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from webapp.records.archive import parquet_file, plies
from webapp.records.archive.errors import ArchiveError
from webapp.records.models import PlyFile

EVERY = timedelta(days=7)
"""Time after which a file is compared with its checksum again."""
TURN_S = 1.0


def sweep(turn_s: float = TURN_S) -> int:
    """Compare files whose turn it is with their checksums, for so many seconds; return how many."""
    ends_at = time.monotonic() + turn_s
    due = PlyFile.objects.filter(checked_at__lt=timezone.now() - EVERY, damage="").order_by("checked_at")
    number = 0
    for file in due.iterator(chunk_size=100):
        _try(file, is_whole=True)
        number += 1
        if time.monotonic() >= ends_at:
            break
    return number


def look() -> None:
    """See that all files are there with their sizes; those known as damaged are read again."""
    for file in PlyFile.objects.order_by("pk").iterator():
        _try(file, is_whole=bool(file.damage))


def damaged() -> list[PlyFile]:
    """Files that were missing or damaged when they were last read."""
    return list(PlyFile.objects.exclude(damage="").order_by("pk"))


def unknown() -> list[Path]:
    """Files in the folder that no experiment has: a kill left them, or they are of another database."""
    known = {plies.path_of(file) for file in PlyFile.objects.all()}
    found = (path for path in settings.ARCHIVE_FOLDER.glob("*/*") if path.is_file())
    return sorted(path for path in found if path not in known and not path.name.endswith(parquet_file.TEMPORARY))


def _try(file: PlyFile, *, is_whole: bool) -> None:
    try:
        plies.check(file, is_whole=is_whole)
    except ArchiveError:
        return  # noted
