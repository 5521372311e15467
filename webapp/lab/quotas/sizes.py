"""Rows and bytes of experiments: a match's by the estimate of its spec, times those that are recorded or planned."""

from __future__ import annotations

from typing import Any

from django.db import connection

from webapp.people.accounts.models import User
from webapp.records.models import Experiment
from worker import estimate
from worker.spec import SpecError, from_json

_KEPT = """
select coalesce(sum(n * rows_a_match), 0), coalesce(sum(n * bytes_a_match), 0) from (
    select rows_a_match, bytes_a_match, case
        when status in ('running', 'paused') or status = 'finished' and outcome is null and kind <> 'ladder'
            then num_matches
        when secret_seed is null
            then (select coalesce(sum(written), 0) from records_chunk c where c.experiment_id = e.id)
        else (select count(*) from records_match m where m.experiment_id = e.id)
    end as n
    from records_experiment e where owner_id = %s and kind <> 'play' and id <> %s
) as sizes
"""
"""What is recorded, and of live ones what is planned."""


def kept(owner: User, without: Experiment | None = None) -> tuple[float, float]:
    """Rows and bytes of a person's experiments: all but one, and without what was played at tables."""
    _note_sizes(owner)
    with connection.cursor() as cursor:
        cursor.execute(_KEPT, (owner.pk, without.pk if without else 0))
        rows, size = cursor.fetchone()
    return float(rows), float(size)


def of_spec(data: Any) -> tuple[float, float]:
    """Estimated rows and bytes of one match of a stored spec, without plies where it cannot be read any more."""
    try:
        found = estimate.estimate(from_json(data))
    except SpecError:
        seats = int(data["seats"])
        return 1.0 + seats, float(estimate.MATCH_BYTES + seats * estimate.SEAT_BYTES)
    return found.rows / found.matches, found.bytes / found.matches


def _note_sizes(owner: User) -> None:
    """Keep a match's size on the rows of experiments that have none yet."""
    missing = Experiment.objects.filter(owner=owner, rows_a_match=None).exclude(kind=Experiment.Kind.PLAY)
    for pk, data in missing.values_list("pk", "spec"):
        rows, size = of_spec(data)
        Experiment.objects.filter(pk=pk).update(rows_a_match=rows, bytes_a_match=size)
