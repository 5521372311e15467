"""Removal of plies that are kept no longer: of experiments that ended LAB_KEEP_PLIES_DAYS ago, slice by slice.

Matches, seats and summaries stay, and with them all results; a match is then like one of which plies were never
recorded. What was ever shared keeps its plies, and so does what people still look at or go on from: an experiment
one of whose matches has a study, or was played on.
"""

from __future__ import annotations

import time
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from webapp.records.archive import moving
from webapp.records.models import Experiment, Match, ShareLink, Study

SLICE = 500
"""Matches whose plies are removed in one transaction."""
TURN_S = 1.0
"""Time after which the sweeper looks after other things first."""

_NEXT = "select id from records_match where experiment_id = %s and id > %s order by id limit %s"
_REMOVE = "delete from records_ply where match_id = any(%s)"


def sweep(turn_s: float = TURN_S) -> int:
    """Remove for so many seconds, or until nothing is due; return of how many matches."""
    ends_at = time.monotonic() + turn_s
    removed = 0
    for experiment in [*_begun(), *_due()]:
        while (matches := _remove_some(experiment)) > 0:
            removed += matches
            if time.monotonic() >= ends_at:
                return removed
        if moving.discard(experiment.pk):
            gone = {"plies_gone_at": timezone.now(), "plies_filed_at": None}
            Experiment.objects.filter(pk=experiment.pk).update(**gone)
    return removed


def _begun() -> QuerySet[Experiment]:
    return Experiment.objects.filter(plies_gone_to__isnull=False, plies_gone_at=None).order_by("pk")


def _due() -> QuerySet[Experiment]:
    """Experiments whose plies are to go; none where they are kept for ever."""
    if not settings.LAB_KEEP_PLIES_DAYS:
        return Experiment.objects.none()
    before = timezone.now() - timedelta(days=settings.LAB_KEEP_PLIES_DAYS)
    own = Match.objects.filter(experiment=OuterRef("pk"))
    ended = Experiment.objects.filter(
        kind=Experiment.Kind.EXPERIMENT,
        status__in=(Experiment.Status.FINISHED, Experiment.Status.STOPPED),
        finished_at__lt=before,
        was_shared=False,
        plies_gone_to=None,
    ).exclude(spec__record="matches")
    return ended.exclude(
        Exists(ShareLink.objects.filter(experiment=OuterRef("pk")))
        | Exists(Study.objects.filter(match__experiment=OuterRef("pk")))
        | Exists(own.filter(played_on__isnull=False))
    ).order_by("pk")


def _remove_some(experiment: Experiment) -> int:
    """Remove the plies of the next matches; of how many. The row says first that plies are gone, for all pages."""
    with transaction.atomic(), connection.cursor() as cursor:
        kept = Experiment.objects.select_for_update(no_key=True).filter(pk=experiment.pk, was_shared=False).first()
        if kept is None:
            return 0  # shared or deleted meanwhile
        cursor.execute(_NEXT, (kept.pk, kept.plies_gone_to or 0, SLICE))
        ids = [pk for (pk,) in cursor.fetchall()]
        Experiment.objects.filter(pk=kept.pk).update(plies_gone_to=ids[-1] if ids else kept.plies_gone_to or 0)
        if ids:
            cursor.execute(_REMOVE, (ids,))
    return len(ids)
