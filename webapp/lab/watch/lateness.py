"""Work that waits though workers should take it, queue by queue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max, Min, Q, QuerySet

from webapp.common.formats import duration, plural
from webapp.lab.jobs import lab_state, waiting
from webapp.lab.jobs.lab_state import LabState, QueueState
from webapp.lab.watch.finding import LATE, Finding
from webapp.records.models import Experiment, Study
from webapp.table.live.models import LiveMatch
from worker.recorder import AGENTS, ANALYSIS, BATCH, INTERACTIVE

JOBS = {"experiment": Experiment, "study": Study}
TABLES = {INTERACTIVE: "with people", AGENTS: "of agents"}
ADVICE = "See on /workers/ whether its workers run and take work, and start what is missing; it goes on by itself then."


@dataclass(frozen=True)
class Work:
    """How work stands. experiments, tables: in a word; turns: engines' turns that nobody is at."""

    experiments: str
    tables: str
    turns: int
    findings: Sequence[Finding]


def read() -> Work:
    """How it stands now."""
    lab = lab_state.read()
    findings = [
        *_jobs(BATCH, lab),
        *_jobs(ANALYSIS, lab),
        *(finding for queue in TABLES for finding in _tables(queue, lab)),
    ]
    late = {finding.cause for finding in findings}
    due = _due(INTERACTIVE)
    return Work(
        experiments="late" if _cause(BATCH) in late else _experiments(lab),
        tables="late" if _cause(INTERACTIVE) in late else "ok" if due.exists() else "idle",
        turns=due.filter(worker="").count(),
        findings=findings,
    )


def _cause(queue: str) -> str:
    return f"late:{queue}"


def _experiments(lab: LabState) -> str:
    queue = lab.queue(BATCH)
    if not queue.order and not queue.busy:
        return "idle"
    return "full" if lab.is_full else "ok"


def _jobs(queue: str, lab: LabState) -> Iterator[Finding]:
    """Jobs wait, none of the queue's workers is at one, and none was for a while."""
    state = lab.queue(queue)
    if lab.is_full or not state.order or state.busy or lab.compilations:
        return
    moments = [_moved_at(queue, name, [turn.id for turn in state.order if turn.source == name]) for name in JOBS]
    seen = max((moment for moment in moments if moment is not None), default=lab.now)
    if _is_late(seen, lab.now):
        jobs = plural(len(state.order), "job waits", "jobs wait")
        yield _finding(queue, f"{jobs} for workers for {waiting.WORK[queue]}", seen, lab)


def _moved_at(queue: str, name: str, ids: Sequence[int]) -> datetime | None:
    """When a job of the queue was last served; the oldest that waits began later than that, perhaps."""
    rows = JOBS[name]._default_manager
    in_queue = Q(queue=queue) if name == "study" else Q()
    served = rows.filter(in_queue).aggregate(at=Max("served_at"))["at"]
    made = rows.filter(pk__in=ids).aggregate(at=Min("created_at"))["at"]
    return max((moment for moment in (served, made) if moment is not None), default=None)


def _due(queue: str) -> QuerySet[LiveMatch]:
    return LiveMatch.objects.filter(status=LiveMatch.Status.RUNNING, is_engine_due=True, queue=queue)


def _tables(queue: str, lab: LabState) -> Iterator[Finding]:
    """An engine is on turn, and none of the turns of the queue was taken for a while."""
    due = _due(queue)
    oldest = due.filter(worker="").aggregate(at=Min("turn_began_at"))["at"]
    since = lab.now - timedelta(seconds=settings.LAB_LATE_S)
    if oldest is None or not _is_late(oldest, lab.now) or due.filter(claimed_at__gte=since).exists():
        return
    turns = plural(due.filter(worker="").count(), "engine's turn waits", "engines' turns wait")
    yield _finding(queue, f"{turns} at tables {TABLES[queue]}", oldest, lab)


def _is_late(moment: datetime, now: datetime) -> bool:
    return now - moment > timedelta(seconds=settings.LAB_LATE_S)


def _finding(queue: str, what: str, since: datetime, lab: LabState) -> Finding:
    age = duration((lab.now - since).total_seconds())
    return Finding(_cause(queue), LATE, f"{what}, for {age}: {_there(lab.queue(queue))}.", ADVICE)


def _there(state: QueueState) -> str:
    """Which processes there are for what waits."""
    if state.processes:
        return f"{plural(len(state.processes), 'process runs', 'processes run')} and took none"
    if state.idle:
        return f"{plural(len(state.idle), 'process runs', 'processes run')}, drained or of another code"
    return "none runs"
