"""Makes the summaries of an experiment anew from its rows."""

from __future__ import annotations

from typing import Any, cast

import psycopg
from django.db import connection, transaction
from django.utils import timezone

from webapp.records import stored_matches, summaries
from webapp.records.models import Experiment, Summary


def rebuild(experiment_id: int) -> int:
    """Replace the experiment's summaries, at once for readers; return how many matches they hold.

    Workers that write to this experiment wait meanwhile.
    """
    matches = 0
    with transaction.atomic(), connection.cursor() as wrapper:
        cursor = cast(psycopg.Cursor[Any], wrapper.cursor)  # psycopg's own, inside Django's
        summaries.lock_exclusive(cursor, experiment_id)
        Summary.objects.filter(experiment_id=experiment_id).delete()
        for batch in stored_matches.match_records(experiment_id):
            summaries.merge(cursor, experiment_id, 0, summaries.summarise(batch))
            matches += len(batch)
    Experiment.objects.filter(pk=experiment_id).update(summaries_rebuilt_at=timezone.now())
    return matches
