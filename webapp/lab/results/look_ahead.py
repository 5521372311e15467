"""Adds up large experiments before anybody looks: each block of deals once it is over, so that no page has to."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from webapp.lab.results import counted, deal_blocks
from webapp.lab.results.table import table
from webapp.records.models import Experiment

LATELY = timedelta(hours=1)

_done: dict[int, int] = {}
"""Experiment -> blocks that were over when it was last added up here."""


def add_up() -> int:
    """Make the result table of each large experiment that has more blocks than before; return of how many."""
    status = Experiment.Status
    live = Q(status__in=(status.RUNNING, status.PAUSED)) | Q(finished_at__gte=timezone.now() - LATELY)
    rows = Experiment.objects.filter(live, kind=Experiment.Kind.EXPERIMENT, spec__deals__gte=deal_blocks.BLOCK)
    made = 0
    for experiment in rows.order_by("pk"):
        deals = deal_blocks.parts(experiment, [arm.matches for arm in counted.seating(experiment)])
        blocks = sum(end is not None for _, end in deals)
        if _done.get(experiment.pk) != blocks:
            table(experiment)
            _done[experiment.pk] = blocks
            made += 1
    return made
