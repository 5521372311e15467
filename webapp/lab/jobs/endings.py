"""Tells people's programs that experiments, ladders and studies are over (`webapp.table.hooks`).

A job ends in whichever process does the last of it, by a statement that knows nobody's webhook; so what has ended is
looked for, and each end is told of once.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from webapp.lab.jobs import registry, selectors
from webapp.lab.jobs.briefs import OVER
from webapp.records.job import Job
from webapp.table.hooks import announce
from webapp.table.hooks.models import Hook

RECENT = timedelta(days=1)
"""What ended before is not told of any more: well within the time for which deliveries are kept."""


def tell() -> int:
    """Put a notice in the queue for each job that has ended since its owner has a webhook; return how many."""
    told = 0
    for hook in Hook.objects.filter(agent=None).select_related("owner"):
        known = set(hook.deliveries.exclude(job="").values_list("job", flat=True))
        since = max(hook.created_at, timezone.now() - RECENT)
        for job in chain.from_iterable(ended_since(since, owner=hook.owner)):
            key = f"{job.word} {job.pk} {job.finished_at.isoformat()}"
            if key not in known:
                announce.finished(hook, key, notice(job))
                told += 1
    return told


def ended_since(since: datetime, **whose: Any) -> Iterator[QuerySet[Any]]:
    """Jobs of each kind that have ended since; not trial deals, which are put away at once. whose: further fields."""
    for word in registry.KINDS:
        kind = registry.get(word)
        listed = kind.only_listed(kind.jobs).filter(archived_at=None, **whose)
        yield listed.filter(status__in=OVER, finished_at__gte=since)


def notice(job: Job) -> dict[str, Any]:
    """A job that is over, as programs are told of it."""
    plural = registry.of(job).plural
    return {
        "kind": job.word,
        "number": job.pk,
        "title": job.title,
        "status": str(job.status),
        "address": f"{settings.PUBLIC_URL}/api/v1/{plural}/{job.pk}",
        "page": f"{settings.PUBLIC_URL}{selectors.url(job)}",
    }
