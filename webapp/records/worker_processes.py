"""Worker processes as the database knows them: each has a row, and lives as long as it holds the row's lock."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from webapp.records import locks
from webapp.records.jobs import Connection
from webapp.records.models import WorkerProcess, WorkerTally

KEPT = timedelta(hours=1)
"""A row outlives its process for so long: a lost connection comes back."""

_ENTER = """
insert into records_workerprocess (name, queues, started_at, passed)
values (%(name)s, %(queues)s, clock_timestamp(), '[]')
on conflict (name) do update set queues = excluded.queues,
    started_at = case when %(is_new)s then excluded.started_at else records_workerprocess.started_at end,
    passed = case when %(is_new)s then excluded.passed else records_workerprocess.passed end
returning id
"""

_TALLY = """
insert into records_workertally (worker, queue, claims, busy_s) values (%(name)s, %(queue)s, 1, %(seconds)s)
on conflict (worker, queue) do update
set claims = records_workertally.claims + 1, busy_s = records_workertally.busy_s + excluded.busy_s
"""


def enter(connection: Connection, name: str, queues: Sequence[str], *, is_new: bool) -> None:
    """Note that a process serves queues by this connection, as long as it lasts. is_new: it has not done so before."""
    row = connection.execute(_ENTER, {"name": name, "queues": list(queues), "is_new": is_new}).fetchone()
    assert row is not None
    locks.take(connection, locks.WORKER, row[0])


def note_passed(connection: Connection, name: str, passed: Mapping[tuple[str, int], str]) -> None:
    """Note what a process leaves out for now: (source, id) -> the kernels that another process compiles for it."""
    rows = json.dumps([[source, work_id, kernels] for (source, work_id), kernels in passed.items()])
    connection.execute("update records_workerprocess set passed = %s where name = %s", (rows, name))


def count_claim(connection: Connection, name: str, queue: str, seconds: float) -> None:
    """Note that a process has had one claim more, and for how long."""
    connection.execute(_TALLY, {"name": name, "queue": queue, "seconds": seconds})


def living() -> QuerySet[WorkerProcess]:
    """Those that live."""
    return WorkerProcess.objects.filter(pk__in=_held()).order_by("name")


def forget_gone() -> int:
    """Delete rows of processes that ended long ago; return how many."""
    gone = WorkerProcess.objects.exclude(pk__in=_held()).filter(started_at__lt=timezone.now() - KEPT)
    number = gone.delete()[0]
    WorkerTally.objects.exclude(worker__in=WorkerProcess.objects.values("name")).delete()
    return number


def _held() -> RawSQL:
    return RawSQL(locks.HELD, (locks.WORKER,))
