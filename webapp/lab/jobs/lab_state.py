"""The state of the whole lab at one moment, as far as jobs wait for it: workers, turns, compilers, the disk."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection
from django.utils import timezone

from games import compile_locks, loader
from games.compile_locks import Compilation
from webapp.records import disk, turns, worker_processes
from webapp.records.models import Chunk, StudyPiece
from webapp.records.turns import Turn
from webapp.records.work_source import SOURCES


@dataclass(frozen=True)
class LabState:
    """What workers, compilers and the disk do at `now`.

    processes: queue -> names of the living ones; busy: names of those that hold work of jobs; orders: queue -> what
    waits in it, in turn; passed: (kind of job, its number) -> kernels that another process compiles for it.
    """

    now: datetime
    is_full: bool = False
    processes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    busy: Collection[str] = ()
    orders: Mapping[str, Sequence[Turn]] = field(default_factory=dict)
    compilations: Mapping[str, Compilation] = field(default_factory=dict)  # by the process that compiles
    passed: Mapping[tuple[str, int], str] = field(default_factory=dict)

    def compilation(self, kernels: str) -> Compilation | None:
        """That of these kernels; None where it has ended, or goes on where nobody sees it from here."""
        return next((found for found in self.compilations.values() if found.kernels == kernels), None)


def read(queues: Collection[str]) -> LabState:
    """The state now. queues: those whose order is asked for."""
    living = list(worker_processes.living())
    connection.ensure_connection()
    return LabState(
        now=timezone.now(),
        is_full=disk.is_full(),
        processes={queue: [row.name for row in living if queue in row.queues] for queue in queues},
        busy=frozenset(_holders()),
        orders={queue: turns.order(connection.connection, queue, SOURCES) for queue in queues},
        compilations={found.process: found for found in compile_locks.compilations(loader.cache_root())},
        passed={(source, work_id): kernels for row in living for source, work_id, kernels in row.passed},
    )


def _holders() -> list[str]:
    chunks = Chunk.objects.filter(status=Chunk.Status.CLAIMED).values_list("worker")
    pieces = StudyPiece.objects.filter(status=StudyPiece.Status.CLAIMED).values_list("worker")
    return [name for (name,) in chunks.union(pieces)]
