"""Reading: machines and worker processes, queue by queue, and what each is at. Whose work it is stays between them
and staff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from webapp.lab.jobs import lab_state, waiting
from webapp.lab.jobs.lab_state import LabState
from webapp.lab.jobs.selectors import url
from webapp.people.accounts.models import User
from webapp.records import faults, worker_processes
from webapp.records.check_models import SampleCheck
from webapp.records.job import Job
from webapp.records.models import Chunk, Experiment, Match, StudyPiece
from webapp.records.worker_models import WorkerProcess
from webapp.table.live.models import LiveHint, LiveMatch
from worker import code_version
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
SILENT = 6
"""Looks of the sweeper without a beat after which a process is said to be silent."""
Order = WorkerProcess.Order


@dataclass(frozen=True)
class Task:
    """What a process is at. url: of its page, where the reader may see it."""

    words: str
    since: datetime | None
    url: str = ""


@dataclass(frozen=True)
class Process:
    """A worker process. compiling: what it compiles now, before it goes on; empty: nothing. state: see `_state`."""

    host: str
    pid: str
    started_at: datetime
    task: Task | None
    compiling: str
    num_matches: int
    state: str


@dataclass(frozen=True)
class WorkerQueue:
    """A queue with its processes; num_waiting: jobs that wait for one of them; plays: whether matches are its work."""

    label: str
    processes: Sequence[Process]
    num_waiting: int
    plays: bool


@dataclass(frozen=True)
class Machine:
    """A machine with its worker processes.

    speed: of a core, 1 for that on which costs were measured; None: not measured. code: as people read it, of all
    its processes; matches_a_minute: lately; num_faults: within an hour. refusals: why processes get no work;
    is_held: whether one was told to take no more.
    """

    host: str
    cpu: str
    speed: float | None
    code: Sequence[str]
    num_processes: int
    matches_a_minute: float
    num_faults: int
    refusals: Sequence[str]
    states: Sequence[str]
    is_held: bool


@dataclass(frozen=True)
class Workers:
    """All workers. others: what processes compile that are none, such as the warm-up."""

    machines: Sequence[Machine]
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
    return Workers(_machines(rows, made, counts), queues, [_compiling(kernels, lab) for kernels in elsewhere])


def _machines(rows: Sequence[WorkerProcess], made: Mapping[str, Process], counts: Mapping[str, int]) -> list[Machine]:
    by_host: dict[str, list[WorkerProcess]] = {}
    for row in rows:
        by_host.setdefault(made[row.name].host, []).append(row)
    names = faults.lately().values_list("worker", flat=True)
    num_faults = Counter(name.rpartition(":")[0] for name in names)
    return [_machine(host, theirs, made, counts, num_faults) for host, theirs in by_host.items()]


def _machine(
    host: str,
    rows: Sequence[WorkerProcess],
    made: Mapping[str, Process],
    counts: Mapping[str, int],
    num_faults: Mapping[str, int],
) -> Machine:
    speeds = [row.speed for row in rows if row.speed is not None]
    return Machine(
        host=host,
        cpu=next((row.cpu for row in rows if row.cpu), ""),
        speed=sum(speeds) / len(speeds) if speeds else None,
        code=sorted({code_version.in_words(row.code, row.commit) for row in rows if row.code}),
        num_processes=len(rows),
        matches_a_minute=sum(counts.get(row.name, 0) for row in rows) / WINDOW_MIN,
        num_faults=num_faults.get(host, 0),
        refusals=sorted({row.refusal for row in rows if row.refusal}),
        states=_state_words([made[row.name].state for row in rows]),
        is_held=any(row.order for row in rows),
    )


def _state_words(states: Sequence[str]) -> list[str]:
    """How many processes are in each state, those that work apart: "2 drained"."""
    found = [state for state in states if state]
    return [f"{found.count(state)} {state}" for state in dict.fromkeys(found)]


def _state(row: WorkerProcess, is_at_work: bool) -> str:
    """The state of a process in a word or two; empty: it takes work."""
    if row.refusal:
        return "refused"
    if row.silence >= SILENT:
        return "silent"
    if row.order == Order.RESTART:
        return "to begin anew"
    if row.order == Order.DRAIN:
        return "draining" if is_at_work else "drained"
    return ""


def _process(row: WorkerProcess, tasks: Mapping[str, Task], counts: Mapping[str, int], lab: LabState) -> Process:
    host, _, pid = row.name.rpartition(":")
    found, task = lab.compilations.get(row.name), tasks.get(row.name)
    compiling = "" if found is None else _compiling(found.kernels, lab)
    state = _state(row, task is not None)
    return Process(host, pid, row.started_at, task, compiling, counts.get(row.name, 0), state)


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
    for worker, since in SampleCheck.objects.filter(status="claimed").values_list("worker", "claimed_at"):
        found[worker] = Task("a sample that is played again", since)
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
