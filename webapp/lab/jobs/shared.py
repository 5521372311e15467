"""Reading: what a public address shows, and whether somebody must not see it now."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from webapp.lab.jobs import registry as jobs
from webapp.people.accounts.models import User
from webapp.records.models import Match, ShareLink
from webapp.table.live import challenges


def find(slug: str) -> ShareLink:
    """The link of a slug, withdrawn or not. Raises Http404."""
    link = get_object_or_404(ShareLink.objects.with_jobs().select_related("match"), slug=slug)
    if link.match is not None and link.experiment is not None:
        link.match.experiment = link.experiment
    return link


def is_hidden(link: ShareLink, person: User | None) -> bool:
    """Whether somebody must not see it now, since they play the same deal."""
    match = link.match or jobs.of(link.job).match_of(link.job)
    return match is not None and challenges.hides(match.deal_seed, person)


def only_match(link: ShareLink) -> Match | None:
    """The one match that a link shows: its own, or that of an experiment scheduled as a match."""
    return link.match or jobs.of(link.job).only_match(link.job)
