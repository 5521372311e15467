"""Work that cannot go on now holds up nobody else: its kernels are compiled elsewhere, or the disk is full."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games import compile_locks
from games.compile_locks import BusyError
from tests.records.experiments import make_experiment
from tests.records.queues import end
from tests.records.studies import make_study
from tests.webapp.table.live import tables
from webapp.records import chunks, disk, work_source, worker_processes
from webapp.records.models import Chunk
from webapp.records.worker_models import WorkerProcess
from webapp.table.live import experiment_matches
from webapp.table.live.work_source import LabWorkSource
from worker import tasks
from worker.recorder import ANALYSIS, BATCH, INTERACTIVE
from worker.stop_switch import StopSwitch
from worker.studies import registry as study_registry

pytestmark = pytest.mark.django_db(transaction=True)

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def source() -> Iterator[LabWorkSource]:
    source = LabWorkSource()
    source.announce([BATCH])
    yield source
    source.close()


def waiting(person: Any, chunks: int = 2) -> Any:
    experiment = make_experiment(owner=person, num_matches=chunks)
    work_source.open_chunks(experiment, [(0, first, 1) for first in range(chunks)])
    return experiment


def claimed(source: LabWorkSource, busy: dict[int, Path] | None = None, queue: str = BATCH) -> int | None:
    """The job whose work a worker claims and gives back; None: nothing. busy: job -> kernels compiled elsewhere."""
    with source.claim(queue) as found:
        if found is None:
            return None
        job: int = found.claim.job_id
        if busy and job in busy:
            raise BusyError(busy[job])
    return job


def test_work_whose_kernels_another_process_compiles_is_passed_over_until_they_are_ready(
    source: LabWorkSource, alice: Any, bob: Any, tmp_path: Path
) -> None:
    cold, warm = waiting(alice).pk, waiting(bob).pk
    folder = tmp_path / "kingdomino_rules_j0_jit-1"
    folder.mkdir()
    with compile_locks.hold(folder):
        found = [claimed(source, {cold: folder}) for _ in range(6)]
        assert found.count(None) <= 1, "of the cold one's first claim, which says nothing of itself"
        assert set(found[1:]) == {warm}
        assert not Chunk.objects.exclude(status="waiting", deaths=0).exists(), "given back, and no death is counted"
        (process,) = worker_processes.living()
        assert process.passed == [["experiment", cold, folder.name]]
        Chunk.objects.filter(experiment=warm).delete()
        assert claimed(source, {cold: folder}) is None, "it waits for a message, not in the lock"
    (folder / compile_locks.MARKER).touch()
    assert claimed(source) == cold
    assert worker_processes.living().get().passed == []


def test_where_the_compiler_has_died_the_next_worker_compiles(
    source: LabWorkSource, alice: Any, tmp_path: Path
) -> None:
    cold = waiting(alice).pk
    with (tmp_path / compile_locks.LOCK).open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        claimed(source, {cold: tmp_path})
        assert claimed(source) is None
    assert claimed(source) == cold


def test_a_process_lives_as_long_as_its_connection(source: LabWorkSource, alice: Any) -> None:
    (process,) = worker_processes.living()
    assert (process.name, process.queues) == (compile_locks.process_name(), [BATCH])
    end(source._wrapper.connection)
    assert not worker_processes.living().exists()
    assert claimed(source) is None, "it connects anew"
    again = worker_processes.living().get()
    assert (again.pk, again.started_at) == (process.pk, process.started_at), "the same process"
    old = WorkerProcess.objects.create(
        name="gone:1", queues=[], started_at=again.started_at - 2 * worker_processes.KEPT
    )
    assert worker_processes.forget_gone() == 1
    assert not WorkerProcess.objects.filter(pk=old.pk).exists()
    assert WorkerProcess.objects.filter(pk=again.pk).exists()


def test_a_full_disk_holds_experiments_and_studies_and_nothing_else(
    source: LabWorkSource, alice: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(study_registry.STUDIES, "counting", "tests.counting:Counting")
    experiment, study = waiting(alice, 3), make_study(alice, queue=ANALYSIS)
    match = tables.open_match(alice, [tables.engine(), tables.person(alice)])
    free = {"bytes": 3 * 10**9}
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(200 * 10**9, 0, free["bytes"]))
    settings.LAB_DISK = "/anywhere"
    room = disk.room()
    assert room == disk.Room(3 * 10**9, 4 * 10**9), "2 % of 200 GB"
    assert room.is_full
    assert (claimed(source), claimed(source, queue=ANALYSIS)) == (None, None)
    assert experiment_matches.open_next() == 0
    with source.claim(INTERACTIVE) as turn:
        assert turn is not None
        assert turn.claim.row_id == match.pk, "people play on"
    settings.LAB_DISK_RESERVE_MB = 2500
    assert (claimed(source), claimed(source, queue=ANALYSIS)) == (experiment.pk, study.pk), "by itself"
    with source.claim() as chunk:
        assert chunk is not None
        matches = chunk.matches()
        next(matches)
        free["bytes"] = 10**9
        monkeypatch.setattr(chunks, "STATUS_S", 0.0)  # the time after which it looks again is over
        assert list(matches) == [], "a chunk that was begun ends before its next match"
        assert list(chunk.matches()) == [], "and does not begin another"
    free["bytes"] = 3 * 10**9
    monkeypatch.undo()
    settings.LAB_DISK_RESERVE_MB, settings.LAB_DISK = None, "/no/such/folder"
    assert disk.room() is None, "what cannot be seen is not full"
    assert claimed(source) == experiment.pk


def test_a_worker_stands_in_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it carries out is told at once that another process compiles, and the next is claimed."""
    told: list[BaseException] = []

    class Cold:
        is_last = False

        def carry_out(self, _: StopSwitch) -> None:
            compile_locks.compile_once(tmp_path, lambda: pytest.fail("another process is at it"))

    class Source:
        def may_serve(self) -> bool:
            return True

        @contextlib.contextmanager
        def claim(self, _: str) -> Iterator[Cold | None]:
            try:
                yield None if told else Cold()
            except BusyError as error:
                told.append(error)

    monkeypatch.setattr(tasks, "_source", Source)
    with compile_locks.hold(tmp_path):
        tasks.work()
    assert len(told) == 1
