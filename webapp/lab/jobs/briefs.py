"""Results in short, for rows of lists: kept with a job, and shown from there once it is over: a list counts nothing."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from webapp.records.job import Job

WORDS = 2
"""Raise it where kinds of jobs come to say it in other words: what is kept is then made anew."""
OVER = (Job.Status.FINISHED, Job.Status.STOPPED)


@dataclass(frozen=True)
class Effect:
    """The difference that a brief is about: of what, and the ends of its interval where it has one."""

    measure: Annotated[str, "win_rate (in percentage points), margin, place (places gained) or rating (points)"]
    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Brief:
    """A result in a few words. detail: what stands below them, e.g. the difference with its interval."""

    words: str
    detail: str = ""
    effect: Annotated[Effect | None, "The difference as numbers, where it is about one"] = None


def stored(job: Any) -> Brief | None:
    """The kept result of a job with counts (`JobKind.with_counts`); None while it runs, and if it has changed since."""
    kept = job.brief
    if job.status not in OVER or not kept or kept["of"] != _moment(job):
        return None
    return Brief(kept["words"], kept["detail"], _effect(kept))


def last_effect(job: Any) -> Effect | None:
    """The difference as it was when somebody last looked; None where there was none."""
    return _effect(job.brief or {})


def _effect(kept: dict[str, Any]) -> Effect | None:
    found = kept.get("effect")
    return Effect(**found) if found else None


def remember(job: Any, brief: Brief) -> Brief:
    """Keep the result of a job with counts, of one that runs for its difference alone; return it."""
    kept = asdict(brief) | {"of": _moment(job)}
    type(job)._default_manager.filter(pk=job.pk).update(brief=kept)
    return brief


def _moment(job: Any) -> list[Any]:
    """What is another one as soon as the result may be: fields of the row, and how much has ended."""
    rebuilt = getattr(job, "summaries_rebuilt_at", None)
    ends = [moment and moment.isoformat() for moment in (job.finished_at, rebuilt)]
    return [WORDS, job.status, job.ended, *ends]
