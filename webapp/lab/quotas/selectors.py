"""Reading: what an account has used of each bound, and what is left; whether something more is over it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection

from webapp.common.formats import bytes_size, count, plural
from webapp.lab.quotas import sizes, snapshots
from webapp.people.accounts import quotas
from webapp.people.accounts.models import User
from webapp.people.agents import calls
from webapp.records import cpu_weeks
from webapp.records.job import Job
from webapp.records.models import Experiment, Study
from worker import estimate
from worker.spec import ExperimentSpec

LIVE = (Job.Status.RUNNING, Job.Status.PAUSED)


@dataclass(frozen=True)
class Ask:
    """What something more takes, by its estimate. jobs: those that it adds to the running ones."""

    jobs: int = 1
    cpu_s: float = 0.0
    rows: float = 0.0
    bytes: float = 0.0


@dataclass(frozen=True)
class Bound:
    """One bound of an account: what is used of its limit, in one unit; words: an amount, in words."""

    name: str
    label: str
    used: float
    limit: float
    words: Callable[[float], str]
    about: str = ""

    @property
    def left(self) -> float:
        """What may still come."""
        return max(0.0, self.limit - self.used)

    @property
    def share(self) -> float:
        """Per cent of the limit that is used, to draw."""
        return min(100.0, 100 * self.used / self.limit)

    @property
    def used_words(self) -> str:
        """What is used."""
        return self.words(self.used)

    @property
    def limit_words(self) -> str:
        """The limit."""
        return self.words(self.limit)

    @property
    def left_words(self) -> str:
        """What is left."""
        return self.words(self.left)


def ask_of(spec: ExperimentSpec, before: ExperimentSpec | None = None) -> Ask:
    """What an experiment takes. before: of one that is changed, whose CPU time may be spent already."""
    found = estimate.estimate(spec)
    known_s = estimate.estimate(before).seconds if before else 0.0
    return Ask(1, found.seconds - known_s, found.rows, found.bytes)


def ask_again(job: Job) -> Ask:
    """What a job takes that goes on: its CPU time was asked for already, and may be spent."""
    if not isinstance(job, Experiment):
        return Ask()
    rows, size = sizes.of_spec(job.spec)
    return Ask(rows=rows * job.num_matches, bytes=size * job.num_matches)


def bounds(owner: User, without: Job | None = None) -> list[Bound]:
    """The bounds of an account that have a limit, with what is used. without: a job that does not count."""
    found = quotas.limits(owner)
    result = []
    if found.running is not None:
        about = "Experiments, ladders and studies that run or are paused."
        result.append(Bound("running", "Running jobs", _running(owner, without), found.running, _whole, about))
    if found.cpu_hours is not None:
        connection.ensure_connection()
        used_h = cpu_weeks.used_s(connection.connection, owner.pk) / 3600
        about = "What they took in the last seven days. When it is used up, they wait until there is some again."
        result.append(Bound("cpu_hours", "CPU time", used_h, found.cpu_hours, _hours, about))
    if found.rows is not None or found.bytes is not None:
        rows, size = sizes.kept(owner, without if isinstance(without, Experiment) else None)
        size += snapshots.size(owner)
        about = "Of experiments and ladders, by estimate. Those that run or are paused count as a whole."
        if found.rows is not None:
            result.append(Bound("rows", "Rows", rows, found.rows, _whole, about))
        if found.bytes is not None:
            result.append(
                Bound(
                    "bytes",
                    "Storage",
                    size,
                    found.bytes,
                    bytes_size,
                    "The same, in the database, and frozen snapshots of results.",
                )
            )
    if found.api_calls is not None:
        used = calls.number(owner.pk)
        result.append(
            Bound(
                "api_calls",
                "API requests",
                used,
                found.api_calls,
                _whole,
                "Of all your agents and tokens, today (UTC).",
            )
        )
    return result


def refusal(owner: User, ask: Ask, without: Job | None = None) -> str:
    """Say in a sentence over which bound something more would be, and what to do; empty where it may come."""
    for bound in bounds(owner, without):
        sentence = _refusal(bound, ask)
        if sentence:
            return f"{sentence}, or ask the lab's staff for more"
    return ""


def _refusal(bound: Bound, ask: Ask) -> str:
    of = f"{bound.left_words} of {bound.limit_words}"
    match bound.name:
        case "running" if ask.jobs > bound.left:
            jobs = plural(int(bound.used), "job that runs or is paused", "jobs that run or are paused")
            return f"You have {jobs}, and may have {bound.limit_words}: wait until one has ended, or stop one"
        case "cpu_hours" if ask.cpu_s > 3600 * bound.left:
            takes = f"It takes about {_hours(ask.cpu_s / 3600)} of CPU time, and you have {of} left in seven days"
            return f"{takes}: ask for less, wait"
        case "rows" if ask.rows > bound.left:
            return f"It takes about {_whole(ask.rows)} rows, and you have {of} left: ask for less, delete experiments"
        case "bytes" if ask.bytes > bound.left:
            takes = f"It takes about {bytes_size(ask.bytes)}, and you have {of} left"
            return f"{takes}: ask for less, delete experiments"
    return ""


def _running(owner: User, without: Job | None) -> int:
    """Jobs that run or are paused: no analyses, which have a bound of their own, and nothing played at a table."""
    experiments = Experiment.objects.filter(owner=owner, status__in=LIVE).exclude(kind=Experiment.Kind.PLAY)
    studies = Study.objects.filter(owner=owner, status__in=LIVE, queue=Study.Queue.BATCH)
    if isinstance(without, Experiment):
        experiments = experiments.exclude(pk=without.pk)
    if isinstance(without, Study):
        studies = studies.exclude(pk=without.pk)
    return experiments.count() + studies.count()


def _whole(value: float) -> str:
    return count(round(value))


def _hours(value: float) -> str:
    if value < 1:
        return f"{math.ceil(60 * value)} min"
    return f"{count(round(value))} h" if value >= 10 or value == round(value) else f"{value:.1f} h"
