"""Reading: what a public address shows, whether somebody must not see it now, and who has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse

from webapp.lab.jobs import registry as jobs
from webapp.people.accounts.models import User
from webapp.records.models import Match, ShareLink
from webapp.table.live import challenges, deal_sights


def find(slug: str) -> ShareLink:
    """The link of a slug, withdrawn or not. Raises Http404."""
    link = get_object_or_404(ShareLink.objects.with_jobs().select_related("match"), slug=slug)
    if link.match is not None and link.experiment is not None:
        link.match.experiment = link.experiment
    return link


def is_hidden(link: ShareLink, person: User | None) -> bool:
    """Whether somebody must not see it now, since they play the same deal."""
    return _hides(link.match, person) or is_job_hidden(link.job, person)


def note_reader(link: ShareLink, person: User | None) -> None:
    """Note who looks at a match that it shows."""
    deal_sights.note_record(link.match or jobs.of(link.job).match_of(link.job), person)


def is_job_hidden(job: Any, person: User | None) -> bool:
    """The same of a job."""
    return _hides(jobs.of(job).match_of(job), person)


def _hides(match: Match | None, person: User | None) -> bool:
    return match is not None and challenges.hides(match.deal_seed, person)


def pages(found: Sequence[Any]) -> dict[tuple[str, int], str]:
    """Public pages of jobs, by kind and number."""
    words = {(job.field, job.pk): job.word for job in found}
    links = ShareLink.objects.of_any(list(found)).filter(match=None, withdrawn_at=None) if found else []
    return {
        (words[link.job_key], link.job_key[1]): reverse("sharing:show", args=[link.slug])
        for link in links
        if link.job_key in words
    }


def only_match(link: ShareLink) -> Match | None:
    """The one match that a link shows: its own, or that of an experiment scheduled as a match."""
    return link.match or jobs.of(link.job).only_match(link.job)
