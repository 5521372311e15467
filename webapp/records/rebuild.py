"""Makes the summaries of an experiment anew from its rows, slice by slice.

Totals are added up in a table that this connection alone sees, each slice in a transaction of its own.
Workers wait only twice, and briefly: at the beginning, so that it is known up to which match all are
there, and at the end, for the few that were written since, when the new rows take the place of the old.
What breaks off in between has changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import psycopg
from django.db import connection, transaction
from django.utils import timezone

from webapp.records import stored_matches, summaries
from webapp.records.batches import Batch
from webapp.records.models import Experiment, Match, Summary, WaitingSummary

FEW = 500
"""Matches that may be left for the end, while workers wait."""
ROUNDS = 8
"""Times that what was written meanwhile is added up before workers have to wait, however much is left."""


def rebuild(experiment_id: int, report: Callable[[int, int], None] = lambda _, __: None) -> int:
    """Replace the experiment's summaries, at once for readers; return how many matches they hold.

    Raises ValueError where its plies were removed: what was added up of them could not be made again.
    report: called after each slice with the matches done and all that there are.
    """
    if Experiment.objects.filter(pk=experiment_id, plies_gone_to__isnull=False).exists():
        raise ValueError(f"plies of experiment {experiment_id} were removed, its summaries are what is left")
    done, last = 0, 0
    with connection.cursor() as wrapper:
        cursor = cast(psycopg.Cursor[Any], wrapper.cursor)  # psycopg's own, inside Django's
        summaries.make_apart(cursor)
        try:
            for _ in range(ROUNDS):
                if _waiting(experiment_id, last) <= FEW:
                    break
                with transaction.atomic():
                    summaries.lock_exclusive(cursor, experiment_id)
                    until = _newest(experiment_id)
                total = done + Match.objects.filter(experiment_id=experiment_id, pk__gt=last, pk__lte=until).count()
                for batch in stored_matches.match_records(experiment_id, last, until):
                    with transaction.atomic():
                        summaries.merge_apart(cursor, experiment_id, summaries.summarise(Batch(batch)))
                    done += len(batch)
                    report(done, total)
                last = until
            with transaction.atomic():
                summaries.lock_exclusive(cursor, experiment_id)
                for batch in stored_matches.match_records(experiment_id, last):
                    summaries.merge_apart(cursor, experiment_id, summaries.summarise(Batch(batch)))
                    done += len(batch)
                WaitingSummary.objects.filter(experiment_id=experiment_id).delete()
                Summary.objects.filter(experiment_id=experiment_id).delete()
                summaries.take_over(cursor)
                whole = Experiment.objects.filter(pk=experiment_id, plies_gone_to=None)
                if not whole.update(summaries_rebuilt_at=timezone.now()):
                    raise ValueError(f"rows of experiment {experiment_id} were removed meanwhile, its summaries stay")
        finally:
            summaries.drop_apart(cursor)
    report(done, done)
    return done


def _waiting(experiment_id: int, after: int) -> int:
    """Matches behind the one of this id, as far as FEW and one more."""
    found = Match.objects.filter(experiment_id=experiment_id, pk__gt=after).order_by()
    return found.values("pk")[: FEW + 1].count()


def _newest(experiment_id: int) -> int:
    """The highest id of its matches; 0 without any."""
    return Match.objects.filter(experiment_id=experiment_id).order_by("-pk").values_list("pk", flat=True).first() or 0
