"""Experiments whose arms are ahead in each deal by given points, written by SQL: no match is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection

from tests.webapp.lab.experiments.rows import fill
from tests.webapp.specs import RANDOM, SCRIPTED, make
from webapp.records.models import Experiment

LEADS = """
UPDATE records_seat s SET margin = v.lead * (1 - 2 * s.lineup_index), score = 50 + v.lead * (1 - s.lineup_index),
    rank = CASE WHEN v.lead * (1 - 2 * s.lineup_index) < 0 THEN 2 ELSE 1 END,
    result = CASE sign(v.lead * (1 - 2 * s.lineup_index)) WHEN 1 THEN 'win' WHEN 0 THEN 'draw' ELSE 'loss' END
FROM unnest(%s::int[], %s::int[], %s::int[]) AS v (arm, deal, lead)
WHERE s.experiment_id = %s AND s.arm_index = v.arm AND s.deal = v.deal
"""
FLAT = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 40}}
NEW = {"name": "New", "seats": [FLAT, RANDOM]}
OLD = {"name": "Old", "seats": [SCRIPTED, RANDOM]}


def run(owner: Any, leads: Sequence[Sequence[int]], version: str = "1", **changes: Any) -> Experiment:
    """A finished experiment. leads: of each arm the points by which it is ahead, deal by deal, in both seatings.

    One arm is `OLD`; of two arms the first is `NEW` and the second, the baseline, is `OLD`.
    """
    arms = [NEW, OLD] if len(leads) == 2 else [OLD]
    given = {"arms": arms, "deals": len(leads[0]), "baseline": len(leads) - 1} | changes
    made: Experiment = make(owner, given.pop("title", "Is the new one better?"), **given)
    fill(made, plies=False)
    rows = [(arm, deal, lead) for arm, row in enumerate(leads) for deal, lead in enumerate(row)]
    with connection.cursor() as cursor:
        cursor.execute(LEADS, [*map(list, zip(*rows, strict=True)), made.pk])
        cursor.execute(
            "UPDATE records_match SET versions = jsonb_build_object('carcassonne', %s::text) WHERE experiment_id = %s",
            [version, made.pk],
        )
    Experiment.objects.filter(pk=made.pk).update(status=Experiment.Status.FINISHED)
    made.refresh_from_db()
    return made
