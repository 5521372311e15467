"""Writing: give jobs and matches public addresses, and withdraw these. Callers have checked whose they are."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone

from webapp.lab.jobs.selectors import live_link
from webapp.records.job import Job
from webapp.records.models import Match, ShareLink

SLUG_BYTES = 16
"""128 random bits: nobody finds an address by trying."""
DRAFT_SLUG = "your-link"


def share(job: Job, match: Match | None = None) -> ShareLink:
    """The public address of a job, or of one match of an experiment alone.

    While a link is live, asking again gives the same one; after it was withdrawn, a new one.
    """
    if match is not None and match.experiment != job:
        raise ValueError(f"match {match.pk} is not of {job.word} {job.pk}")
    rows = type(job)._default_manager
    with transaction.atomic():
        rows.select_for_update().get(pk=job.pk)  # two clicks at once make one link
        link = live_link(job, match)
        if link is None:
            link = ShareLink.objects.create(**{job.field: job}, match=match, slug=_slug())
            rows.filter(pk=job.pk).update(was_shared=True)
            job.was_shared = True
    return link


def draft(job: Job, match: Match | None = None) -> ShareLink:
    """The link as `share` would make it, kept nowhere: its slug leads to nothing."""
    return ShareLink(**{job.field: job}, match=match, slug=DRAFT_SLUG, created_at=timezone.now())


def _slug() -> str:
    return secrets.token_urlsafe(SLUG_BYTES)


def withdraw(link: ShareLink) -> None:
    """Close an address for good: it says so from now on. Doing it twice changes nothing."""
    ShareLink.objects.filter(pk=link.pk, withdrawn_at=None).update(withdrawn_at=timezone.now())
    link.refresh_from_db()
