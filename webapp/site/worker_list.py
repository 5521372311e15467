"""Reading: the worker processes, queue by queue, and what each is at. Whose work it is stays between them and staff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from webapp.lab.jobs import lab_state, waiting
from webapp.lab.jobs.lab_state import LabState
from webapp.lab.jobs.selectors import url
from webapp.people.accounts.models import User
from webapp.records import worker_processes
from webapp.records.job import Job
from webapp.records.models import Chunk, Experiment, Match, StudyPiece, WorkerProcess
from webapp.table.live.models import LiveHint, LiveMatch
from worker.recorder import AGENTS, ANALYSIS, BATCH, INTERACTIVE

WINDOW_MIN = 3
"""Minutes over which the matches of a process are counted."""
LABELS = {
    INTERACTIVE: "Engines at tables with people",
    AGENTS: "Engines at tables of agents",
    ANALYSIS: "Analyses that somebody waits for",
    BATCH: "Experiments and studies",
}
"""What the workers of a queue do, those first for whom people wait."""


@dataclass(frozen=True)
class Task:
    """What a process is at. url: of its page, where the reader may see it."""

    words: str
    since: datetime | None
    url: str = ""


@dataclass(frozen=True)
class Process:
    """A worker process. compiling: what it compiles now, before it goes on; empty: nothing."""

    host: str
    pid: str
    started_at: datetime
    task: Task | None
    compiling: str
    num_matches: int


@dataclass(frozen=True)
class WorkerQueue:
    """A queue with its processes; num_waiting: jobs that wait for one of them; plays: whether matches are its work."""

    label: str
    processes: Sequence[Process]
    num_waiting: int
    plays: bool


@dataclass(frozen=True)
class Workers:
    """All workers. others: what processes compile that are none, such as the warm-up."""

    queues: Sequence[WorkerQueue]
    others: Sequence[str]
    window_min: int = WINDOW_MIN


def workers(reader: User) -> Workers:
    """The workers as somebody may see them."""
    lab = lab_state.read()
    rows = list(worker_processes.living())
    tasks, counts = _tasks(reader), _counts([row.name for row in rows])
    made = {row.name: _process(row, tasks, counts, lab) for row in rows}
    queues = [
        WorkerQueue(
            label,
            [made[row.name] for row in rows if queue in row.queues],
            len(lab.queue(queue).order) if queue in waiting.WORK else 0,
            plays=queue == BATCH,
        )
        for queue, label in LABELS.items()
    ]
    elsewhere = [found.kernels for name, found in lab.compilations.items() if name not in made]
    return Workers(queues, [_compiling(kernels, lab) for kernels in elsewhere])


def _process(row: WorkerProcess, tasks: Mapping[str, Task], counts: Mapping[str, int], lab: LabState) -> Process:
    host, _, pid = row.name.rpartition(":")
    found = lab.compilations.get(row.name)
    compiling = "" if found is None else _compiling(found.kernels, lab)
    return Process(host, pid, row.started_at, tasks.get(row.name), compiling, counts.get(row.name, 0))


def _compiling(kernels: str, lab: LabState) -> str:
    return waiting.kernels_words(kernels) + waiting.left_words(lab.compilation(kernels), lab.now)


def _tasks(reader: User) -> dict[str, Task]:
    """What each worker holds, by its name."""
    found: dict[str, Task] = {}
    for chunk in Chunk.objects.filter(status=Chunk.Status.CLAIMED).select_related("experiment"):
        found[chunk.worker] = _task(chunk.experiment, chunk.claimed_at, reader)
    for piece in StudyPiece.objects.filter(status=StudyPiece.Status.CLAIMED).select_related("study"):
        found[piece.worker] = _task(piece.study, piece.claimed_at, reader)
    turns = LiveMatch.objects.exclude(worker="").filter(status=LiveMatch.Status.RUNNING, is_engine_due=True)
    for worker, since in turns.values_list("worker", "claimed_at"):
        found[worker] = Task("an engine's turn at a table", since)
    for worker, since in LiveHint.objects.filter(status="claimed").values_list("worker", "claimed_at"):
        found[worker] = Task("a hint", since)
    return found


def _task(job: Job, since: datetime | None, reader: User) -> Task:
    if job.owner_id == reader.pk:
        return Task(job.title, since, url(job))
    if reader.is_staff:
        return Task(f"{job.title} ({job.word} {job.pk})", since)
    return Task(f"{'an' if job.word[0] in 'aeiou' else 'a'} {job.word} of somebody else", since)


def _counts(names: Sequence[str]) -> dict[str, int]:
    """Matches that each process has written in the last minutes."""
    since = timezone.now() - timedelta(minutes=WINDOW_MIN)
    lately = Experiment.objects.filter(Q(status__in=("running", "paused")) | Q(finished_at__gte=since))
    rows = Match.objects.filter(experiment__in=lately, finished_at__gte=since, worker__in=names)
    return dict(rows.values_list("worker").annotate(n=Count("pk")))
