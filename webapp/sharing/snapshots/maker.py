"""Makes the files of snapshots, one after the other, in a thread beside the sweeper.

All of a snapshot is of one moment: the result is read in one transaction, and the connection that reads the tables
sees the same (`pg_export_snapshot`). Killed at any moment, the snapshot waits, and is made from the beginning.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from webapp.common import database_pool, public_answers
from webapp.common.formats import bytes_size
from webapp.lab.quotas.selectors import bounds
from webapp.lab.snapshots import selectors
from webapp.people.accounts.models import User
from webapp.records import disk, locks
from webapp.records.archive.errors import ArchiveError
from webapp.records.archive.parquet_file import file_sha256
from webapp.records.locks import Connection
from webapp.records.snapshot_models import Snapshot
from webapp.sharing import citation
from webapp.sharing.snapshots import contents, writing
from webapp.sharing.snapshots.contents import Content
from worker.spec import SpecError

PERIOD_S, LOOK_S = 2.0, 1.0
LOST = (psycopg.OperationalError, psycopg.InterfaceError, OperationalError, InterfaceError)
"""Exceptions where Postgres cannot be reached: the snapshot waits."""
FAULT = "It could not be made; the log of the lab says why."
State = Snapshot.State
logger = logging.getLogger(__name__)


class RefusedSnapshotError(Exception):
    """A snapshot cannot be made; the message says why."""


class UnwantedError(Exception):
    """A snapshot that is being made was withdrawn, or its job is gone."""


def start(ended: threading.Event) -> threading.Thread:
    """Make snapshots in a thread of its own: a large one keeps the sweeper from nothing."""
    thread = threading.Thread(target=run, args=(ended,), name="snapshots", daemon=True)
    thread.start()
    return thread


def run(ended: threading.Event, period_s: float = PERIOD_S) -> None:
    """Make what waits until `ended` is set. No fault of one ends it."""
    while not ended.is_set():
        try:
            while make_next() and not ended.is_set():
                pass
        except Exception:
            logger.exception("snapshots could not be looked after")
            connection.close()
        ended.wait(period_s)
    connection.close()


def make_next() -> bool:
    """Make the snapshot that waits longest; whether there was one. Another process may be at it: then there is none."""
    waiting = Snapshot.objects.filter(state=State.WAITING, link__withdrawn_at=None)
    if not waiting.exists():
        return False
    with closing(database_pool.own_connection()) as own:
        own.autocommit = True
        if not locks.take(own, locks.SNAPSHOT, 0):
            return False
        snapshot = waiting.select_related("link").order_by("asked_at", "pk").first()
        if snapshot is None:
            return False
        _make(snapshot, own)
    return True


def _make(snapshot: Snapshot, own: Connection) -> None:
    """Make a snapshot, or note why there is none."""
    folder = Path(settings.SNAPSHOT_FOLDER)
    path = folder / f"snapshot-{snapshot.pk}{writing.TEMPORARY}"
    for rest in folder.glob(f"*{writing.TEMPORARY}"):
        rest.unlink(missing_ok=True)
    try:
        with public_answers.public_answer(), _moment(snapshot, own) as content:
            watch = _Watch(snapshot, writing.num_files(content))
            files = writing.write(path, snapshot, content, own, watch)
        _keep(snapshot, path, content, list(files))
    except UnwantedError:
        pass
    except LOST:
        raise
    except Exception as error:
        sentence = _sentence(error)
        if sentence == FAULT:
            logger.exception("snapshot %s could not be made", snapshot.pk)
        waiting = Snapshot.objects.filter(pk=snapshot.pk, state=State.WAITING)
        waiting.update(state=State.FAILED, failure=sentence, size=0)
    finally:
        path.unlink(missing_ok=True)


def _sentence(error: Exception) -> str:
    if isinstance(error, RefusedSnapshotError):
        return str(error)
    if isinstance(error, ArchiveError):
        return error.sentence
    if isinstance(error, SpecError):
        return f"This version of the lab cannot read its spec any more: {error}."
    return FAULT


@contextmanager
def _moment(snapshot: Snapshot, own: Connection) -> Iterator[Content]:
    """What goes into the snapshot; as long as the block lasts `own` sees the moment that it is of."""
    own.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    with own.transaction():
        row = own.execute("select pg_export_snapshot()").fetchone()
        assert row is not None
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("set transaction isolation level repeatable read")
                cursor.execute("set transaction snapshot %s", [row[0]])
            found = Snapshot.objects.select_related("link").get(pk=snapshot.pk)
            content = contents.read(found, timezone.now())
        yield content


class _Watch:
    """Notes how far a snapshot is, and ends what is unwanted or too large."""

    def __init__(self, snapshot: Snapshot, total: int) -> None:
        self._snapshot, self._total = snapshot, total
        self._looked_at = 0.0
        self._most = settings.LAB_SNAPSHOT_MB * 10**6
        owner = User.objects.get(pk=snapshot.link.job.owner_id)
        self._left = next((bound.left for bound in bounds(owner) if bound.name == "bytes"), None)

    def __call__(self, done: int, size: int) -> None:
        """Look, once a second. Raises UnwantedError, RefusedSnapshotError."""
        now = time.monotonic()
        if now - self._looked_at < LOOK_S and done < self._total:
            return
        self._looked_at = now
        if size > self._most:
            raise RefusedSnapshotError(f"It has more than {bytes_size(self._most)}, the most that a snapshot may have.")
        if self._left is not None and size > self._left:
            raise RefusedSnapshotError(f"It has more than the {bytes_size(self._left)} of storage that you have left.")
        if disk.is_full():
            raise RefusedSnapshotError("The disk of this lab is nearly full: ask who runs it.")
        wanted = Snapshot.objects.filter(pk=self._snapshot.pk, state=State.WAITING, link__withdrawn_at=None)
        if not wanted.exists():
            raise UnwantedError
        Snapshot.objects.filter(pk=self._snapshot.pk).update(done=done, total=self._total, size=size)


def _keep(snapshot: Snapshot, path: Path, content: Content, files: list[dict[str, str | int]]) -> None:
    """Give a whole file its name, then say that it is there. Raises UnwantedError."""
    snapshot.sha256 = file_sha256(path)
    cited = citation.of_snapshot(
        content.cited,
        (f"{snapshot.link.slug}-{snapshot.digest[:8]}", selectors.address(snapshot)),
        content.as_of,
        snapshot.sha256,
    )
    with transaction.atomic():
        kept = Snapshot.objects.filter(pk=snapshot.pk, state=State.WAITING, link__withdrawn_at=None)
        told = kept.update(
            state=State.MADE,
            sha256=snapshot.sha256,
            made_at=content.as_of,
            size=path.stat().st_size,
            contents=files,
            citation=cited.text,
            bibtex=cited.bibtex,
            matches=content.ended,
            done=len(files),
            total=len(files),
        )
        if not told:
            raise UnwantedError
        path.rename(selectors.path_of(snapshot))  # last: what a kill leaves without a row is swept
