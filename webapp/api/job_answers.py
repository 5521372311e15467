"""Jobs as the API tells of them: rows of lists, and one with its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

from django.http import Http404
from django.urls import reverse

from webapp.api.errors import invalid
from webapp.api.job_schemas import DescriptionIn, JobFilters
from webapp.api.problems import ProblemError
from webapp.common.permissions import get_owned
from webapp.lab.experiments import lineage
from webapp.lab.jobs import briefs, description, filters, follow, selectors, waiting
from webapp.lab.jobs.description import DescriptionError
from webapp.lab.jobs.filters import Asked
from webapp.lab.jobs.kind import JobKind
from webapp.lab.jobs.waiting import Wait
from webapp.people.accounts.models import User
from webapp.records.job import Job
from webapp.records.models import Experiment

T = TypeVar("T")


def find(kind: JobKind, owner: User, number: int) -> Any:
    """A job of an owner, with its counts. Raises Http404."""
    return get_owned(kind.with_counts(kind.only_listed(kind.jobs)), owner, pk=number)


def page(kind: JobKind, owner: User, asked: JobFilters, offset: int, limit: int) -> dict[str, Any]:
    """A page of a list. Raises ProblemError for an engine where none plays."""
    if asked.engine and kind.with_engine is None:
        raise invalid("query.engine", f"{kind.plural} are not looked for by engine")
    given = Asked(q=asked.q, game=asked.game, engine=asked.engine, tag=asked.tag.lower())
    mine = filters.narrowed(filters.base(kind, given, owner), kind, given)
    mine = mine.filter(status=asked.status) if asked.status else mine
    rows = selectors.in_tab(mine, asked.which) if asked.which else mine.filter(archived_at=None).order_by("-created_at")
    found = list(kind.with_counts(rows)[offset : offset + limit + 1])
    shown, is_last = found[:limit], len(found) <= limit
    waits = waiting.of_jobs(shown)
    listed = [row(job, waits.get(job.pk), briefs.stored(job)) for job in shown]
    return {"jobs": listed, "next": None if is_last else offset + limit}


def describe(job: Any, wanted: DescriptionIn) -> None:
    """Keep what is said of a job, the rest as it is. Raises ProblemError, or RefusedError over another edition."""
    given = wanted.dict(exclude={"edition"}, exclude_none=True)
    try:
        checked = description.checked(**asdict(description.of(job)) | given)
    except DescriptionError as error:
        raise invalid(f"body.{error.field}", error.message) from None
    description.change(job, checked, wanted.edition)


def row(job: Any, waits: Wait | None, brief: briefs.Brief | None) -> dict[str, Any]:
    """A job with counts, as lists have it."""
    return {
        "number": job.pk,
        "kind": job.word,
        "title": job.title,
        "game": job.game,
        "status": job.status,
        "version": follow.version_of(job.status, job.ended),
        "total": job.total,
        "ended": job.ended,
        "created_at": job.created_at,
        "started_at": job.started_at,
        "finished_at": job.finished_at,
        "is_archived": job.archived_at is not None,
        "tags": job.tags,
        "brief": brief and asdict(brief),
        "waits_for": waits and {"why": waits.kind, "words": waits.sentence, "advice": waits.advice},
    }


def one(kind: JobKind, owner: User, number: int) -> dict[str, Any]:
    """One job, now. Raises Http404."""
    job = find(kind, owner, number)
    now, brief = kind.progress(job), briefs.stored(job)
    if brief is None and job.status in briefs.OVER:
        brief = briefs.remember(job, kind.brief(job))
    return row(job, waiting.of_job(job), brief) | {
        "failed": now.failed,
        "workers": now.workers,
        "per_minute": now.rate,
        "left_s": now.left_s,
        "notice": job.notice,
        "notes": job.notes,
        "shows_notes": job.shows_notes,
        "edition": description.edition(job),
        "share": share(job),
        "page": selectors.url(job),
        **_lineage(job, owner),
    }


def _lineage(job: Job, owner: User) -> dict[str, Any]:
    """What an experiment runs again, as far as its owner may see that."""
    if not isinstance(job, Experiment) or job.origin_id is None:
        return {"origin": None, "same_matches": None}
    found = lineage.of(job, owner)
    return {
        name: relative.experiment.pk if relative and relative.url else None
        for name, relative in (("origin", found.origin), ("same_matches", found.repeats))
    }


def started(find_it: Callable[[], T]) -> T:
    """What a start has made. Raises ProblemError where it was deleted before its request was sent again."""
    try:
        return find_it()
    except Http404:
        words = "What this request started has been deleted since. Take a new key to start it again."
        raise ProblemError("refused", words) from None


def share(job: Job) -> dict[str, Any] | None:
    """Where anybody can see a job; None where nobody else can."""
    link = selectors.live_link(job)
    if link is None:
        return None
    addresses = {name: reverse(f"sharing:{name}", args=[link.slug]) for name in ("show", "result_json")}
    return {"slug": link.slug, "page": addresses["show"], "result": addresses["result_json"]}


def is_news(job: dict[str, Any], version: str) -> bool:
    """Whether a job is what somebody waits for: another version than a known one, or over where none is known."""
    return job["version"] != version if version else job["status"] in follow.OVER
