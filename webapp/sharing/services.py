"""Make a result public, and take the address back."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone

from webapp.lab.experiments.selectors import live_link
from webapp.lab.studies.selectors import live_link as live_study_link
from webapp.records.models import Experiment, Match, ShareLink, Study

SLUG_BYTES = 16
"""128 random bits: nobody finds an address by trying."""


def share(experiment: Experiment, match: Match | None = None) -> ShareLink:
    """The public address of an experiment, or of one match of it alone.

    While a link is live, asking again gives the same one; after it was withdrawn, a new one.
    """
    if match is not None and match.experiment_id != experiment.pk:
        raise ValueError(f"match {match.pk} is not of experiment {experiment.pk}")
    with transaction.atomic():
        Experiment.objects.select_for_update().get(pk=experiment.pk)  # two clicks at once make one link
        link = live_link(experiment, match)
        if link is None:
            link = ShareLink.objects.create(experiment=experiment, match=match, slug=_slug())
            Experiment.objects.filter(pk=experiment.pk).update(was_shared=True)
            experiment.was_shared = True
    return link


def share_study(study: Study) -> ShareLink:
    """The public address of a study, the same one while it is live."""
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        link = live_study_link(study)
        if link is None:
            link = ShareLink.objects.create(study=study, slug=_slug())
            Study.objects.filter(pk=study.pk).update(was_shared=True)
            study.was_shared = True
    return link


def _slug() -> str:
    return secrets.token_urlsafe(SLUG_BYTES)


def withdraw(link: ShareLink) -> None:
    """Close an address for good: it says so from now on. Doing it twice changes nothing."""
    ShareLink.objects.filter(pk=link.pk, withdrawn_at=None).update(withdrawn_at=timezone.now())
    link.refresh_from_db()
