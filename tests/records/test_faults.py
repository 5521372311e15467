"""What workers do and where they fail stands together, for whoever runs the lab."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tests.records.experiments import make_experiment, spec
from tests.records.test_recovery import die
from webapp.records import faults, recovery, work_source, worker_processes
from webapp.records.chunks import CHUNKS, DIED
from webapp.records.models import Chunk
from webapp.records.work_source import PostgresWorkSource
from webapp.records.worker_models import WorkerFault, WorkerProcess, WorkerTally
from worker import log_ids
from worker.recorder import BATCH

pytestmark = pytest.mark.django_db(transaction=True)


def _fail_at_work(source: PostgresWorkSource, seen: list[Mapping[str, log_ids.Id]]) -> None:
    with source.claim(BATCH):
        seen.append(log_ids.current())
        raise ZeroDivisionError


def test_exceptions_and_deaths_are_faults_and_each_claim_counts() -> None:
    made = make_experiment(num_matches=2, spec=spec(deals=1))
    work_source.open_chunks(made, [(0, 0, 1), (0, 1, 1)])
    first = Chunk.objects.get(first=0).pk
    source, seen = PostgresWorkSource(), list[Mapping[str, log_ids.Id]]()
    with pytest.raises(ZeroDivisionError):
        _fail_at_work(source, seen)
    with source.claim(BATCH):
        pass  # given back: no fault
    source.close()
    assert seen == [{"experiment": str(made.pk), "chunk": str(first)}]
    assert log_ids.current() == {}
    tally = WorkerTally.objects.get()
    assert (tally.worker, tally.queue, tally.claims) == (source.worker, BATCH, 2)
    die()
    recovery.recover(CHUNKS)
    told = [(fault.worker, fault.work, fault.message) for fault in WorkerFault.objects.order_by("at")]
    assert told[0] == (source.worker, f"chunk {first}", "ZeroDivisionError: ")
    assert (told[1][0], told[1][2]) == ("mortal", DIED)
    assert len(told) == 2


def test_old_faults_and_tallies_of_who_is_gone_are_forgotten() -> None:
    connection.ensure_connection()
    raw = connection.connection
    for days in (0, 1, 40):
        faults.note(raw, f"host:{days}", "chunk 1", "x\0" * 400)
        WorkerFault.objects.filter(worker=f"host:{days}").update(at=timezone.now() - timedelta(days=days))
    assert faults.forget_old() == 1
    assert WorkerFault.objects.count() == 2
    assert [(fault.worker, len(fault.message)) for fault in faults.lately()] == [("host:0", faults.MOST_LETTERS)]
    for name in ("host:1", "host:2"):
        worker_processes.enter(raw, worker_processes.Announcement(name, [BATCH]), is_new=True)
        worker_processes.count_claim(raw, name, BATCH, 1.0)
    WorkerProcess.objects.filter(name="host:2").delete()
    worker_processes.forget_gone()
    assert WorkerTally.objects.get().worker == "host:1"
