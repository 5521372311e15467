"""Reading: lists of jobs, and the addresses under which one can be seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from webapp.common.numbers import parse_whole
from webapp.common.permissions import get_owned
from webapp.lab.jobs import registry
from webapp.records.job import Job
from webapp.records.models import Match, ShareLink

Status = Job.Status
TABS: Mapping[str, tuple[str, Q]] = {
    "running": ("Running", Q(archived_at=None, status__in=(Status.RUNNING, Status.PAUSED))),
    "finished": ("Finished", Q(archived_at=None, status__in=(Status.FINISHED, Status.STOPPED))),
    "archived": ("Archived", Q(archived_at__isnull=False)),
}


def tabs(mine: QuerySet[Any]) -> dict[str, tuple[str, int]]:
    """Tab -> (label, how many are in it)."""
    counts = mine.aggregate(**{name: Count("pk", filter=condition) for name, (_, condition) in TABS.items()})
    return {name: (label, counts[name]) for name, (label, _) in TABS.items()}


def first_filled(found: Mapping[str, tuple[str, int]]) -> str:
    """The first tab with something in it."""
    return next((name for name, (_, count) in found.items() if count), next(iter(found)))


def in_tab(mine: QuerySet[Any], tab: str) -> QuerySet[Any]:
    """Jobs of a tab, newest first."""
    return mine.filter(TABS[tab][1]).order_by("-created_at")


def live_link(job: Job, match: Match | None = None) -> ShareLink | None:
    """The link under which the whole job, or one match of it alone, can be seen now."""
    found: ShareLink | None = ShareLink.objects.of(job).filter(match=match, withdrawn_at=None).order_by("pk").first()
    return found


def source(request: HttpRequest, word: str) -> Any:
    """The job of a kind that a form starts from: an own one (``?from=``), or a shared one (``?shared=``); None without.

    Raises Http404.
    """
    jobs = registry.get(word).jobs
    if (number := parse_whole(request.GET.get("from"))) is not None:
        return get_owned(jobs, request.user, pk=number)
    if slug := request.GET.get("shared"):
        shown = {"share_links__slug": slug.replace("\0", "?")}  # no database holds a NUL
        return get_object_or_404(jobs, **shown, share_links__withdrawn_at=None, share_links__match=None)
    return None


def url(job: Job) -> str:
    """Address of the owner's page."""
    return reverse(f"{registry.of(job).plural}:detail", args=[job.pk])
