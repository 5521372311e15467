"""Removal of experiments that were deleted: slice by slice, by the sweeper, out of everybody's sight.

Who deletes an experiment marks it (`Experiment.Kind.REMOVED`); from then on no page, list or API knows it
(`Experiment.objects`). Its matches go here, a few at a time with their seats and plies, each slice in a
transaction of its own; the row of the experiment goes last, so what a crash leaves behind is found again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from django.db import connection, transaction

from webapp.records.archive import moving
from webapp.records.models import Experiment

SLICE = 500
"""Matches removed in one transaction."""
TURN_S = 1.0
"""Time after which the sweeper looks after other things first."""

_MATCHES = """
select id, arm_index, deal, rotation from records_match
where experiment_id = %s and (arm_index, deal, rotation) > (%s, %s, %s)
order by arm_index, deal, rotation limit %s for update
"""
_STATEMENTS = (  # leaves first
    "delete from records_ply where match_id = any(%s)",
    "delete from records_seat where match_id = any(%s)",
    "delete from records_match where id = any(%s)",
)
_REST = (
    "delete from records_dealblock where experiment_id = %s",
    "delete from records_waitingsummary where experiment_id = %s",
    "delete from records_summary where experiment_id = %s",
    "delete from records_lineupentry where arm_id in (select id from records_arm where experiment_id = %s)",
    "delete from records_arm where experiment_id = %s",
    "delete from records_experiment where id = %s",
)


def sweep(turn_s: float = TURN_S) -> int:
    """Remove for so many seconds, or until nothing is left; return how many matches went."""
    ends_at = time.monotonic() + turn_s
    removed = 0
    for pk in Experiment.with_removed.filter(kind=Experiment.Kind.REMOVED).order_by("pk").values_list("pk", flat=True):
        for matches in _slices(pk):
            removed += matches
            if time.monotonic() >= ends_at:
                return removed
        if moving.discard(pk):  # its files first: what knows them is still there after a crash
            _finish(pk)
    return removed


def _slices(pk: int) -> Iterator[int]:
    """Remove the matches of an experiment; after each slice, how many it was.

    A slice goes on behind the one before: entries of an index outlive their rows for as long as a reader needs them.
    """
    place = (-1, -1, -1)
    while True:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_MATCHES, (pk, *place, SLICE))
            found = cursor.fetchall()
            ids = [match_id for match_id, *_ in found]
            for statement in _STATEMENTS if ids else ():
                cursor.execute(statement, (ids,))
        if not found:
            return
        place = found[-1][1:]
        yield len(ids)


def _finish(pk: int) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in _REST:
            cursor.execute(statement, (pk,))
