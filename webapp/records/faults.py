"""Faults of workers: an exception of our own while work was done, and the death of a process that held some.

Of one match or piece they count on their own row (`deaths`); here they stand together, for whoever runs the lab.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from webapp.records.jobs import Connection
from webapp.records.worker_models import WorkerFault

KEPT = timedelta(days=30)
LATELY = timedelta(hours=1)
"""Over this faults are counted and said."""
MOST_LETTERS = 300


def note(connection: Connection, worker: str, work: str, message: str) -> None:
    """Note one. work: what was being done, e.g. "chunk 17"."""
    message = message.replace("\0", "\N{REPLACEMENT CHARACTER}")[:MOST_LETTERS]
    connection.execute(
        "insert into records_workerfault (at, worker, work, message) values (clock_timestamp(), %s, %s, %s)",
        (worker, work[:80], message),
    )


def lately() -> QuerySet[WorkerFault, WorkerFault]:
    """Those of the last hour, the last one first."""
    return WorkerFault.objects.filter(at__gt=timezone.now() - LATELY).order_by("-at")


def forget_old() -> int:
    """Delete those of long ago; return how many."""
    deleted: tuple[int, dict[str, Any]] = WorkerFault.objects.filter(at__lt=timezone.now() - KEPT).delete()
    return deleted[0]
