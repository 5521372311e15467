"""The state of the whole lab at one moment, as far as jobs wait for it: workers, turns, compilers, the disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache

from django.db import connection
from django.utils import timezone

from games import compile_locks, loader
from games.compile_locks import Compilation
from webapp.records import cpu_weeks, disk, turns, worker_processes
from webapp.records.models import Chunk, StudyPiece
from webapp.records.turns import Turn
from webapp.records.work_source import SOURCES
from webapp.records.worker_models import WorkerProcess


@dataclass(frozen=True)
class QueueState:
    """A queue. processes: names of the living ones that serve it; busy: those of them that hold work of jobs.

    idle: living ones that are given no work, as their code is another or they are to drain.
    """

    order: Sequence[Turn] = ()  # what waits, in turn
    processes: Collection[str] = ()
    busy: Collection[str] = ()
    idle: Collection[str] = ()


@dataclass(frozen=True)
class LabState:
    """What compilers, the disk and workers do at `now`.

    spent: owners whose CPU hours are used up -> the day on which they have some again.
    compilations: by the process that compiles; passed: (kind of job, its number) -> kernels that another process
    compiles for it. declined: the same -> process -> kind of reason, and why, for which it leaves that to others.
    queue: the state of one, which is read when somebody asks: for a job that moves nobody does.
    """

    now: datetime
    is_full: bool = False
    spent: Mapping[int, date] = field(default_factory=dict)
    compilations: Mapping[str, Compilation] = field(default_factory=dict)
    passed: Mapping[tuple[str, int], str] = field(default_factory=dict)
    declined: Mapping[tuple[str, int], Mapping[str, tuple[str, str]]] = field(default_factory=dict)
    queue: Callable[[str], QueueState] = lambda _: QueueState()

    def compilation(self, kernels: str) -> Compilation | None:
        """That of these kernels; None where it has ended, or goes on where nobody sees it from here."""
        return next((found for found in self.compilations.values() if found.kernels == kernels), None)


def read() -> LabState:
    """The state now."""
    living = list(worker_processes.living())

    @cache
    def queue(name: str) -> QueueState:
        processes = {row.name for row in worker_processes.serving(living, name)}
        idle = {row.name for row in living if name in row.queues} - processes
        connection.ensure_connection()
        order = turns.order(connection.connection, name, SOURCES)
        return QueueState(order, processes, processes & _holders(), idle)

    connection.ensure_connection()
    return LabState(
        now=timezone.now(),
        is_full=disk.is_full(),
        spent=cpu_weeks.spent(connection.connection),
        compilations={found.process: found for found in compile_locks.compilations(loader.cache_root())},
        passed={(source, work_id): kernels for row in living for source, work_id, kernels in row.passed},
        declined=_declined(living),
        queue=queue,
    )


def _declined(living: Sequence[WorkerProcess]) -> dict[tuple[str, int], dict[str, tuple[str, str]]]:
    found: dict[tuple[str, int], dict[str, tuple[str, str]]] = {}
    for row in living:
        for source, work_id, kind, why in row.declined:
            found.setdefault((source, work_id), {})[row.name] = (kind, why)
    return found


def _holders() -> set[str]:
    chunks = Chunk.objects.filter(status=Chunk.Status.CLAIMED).values_list("worker")
    pieces = StudyPiece.objects.filter(status=StudyPiece.Status.CLAIMED).values_list("worker")
    return {name for (name,) in chunks.union(pieces)}
