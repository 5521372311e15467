"""Deletion of an experiment: what leads to it goes at once, its matches later, bit by bit (webapp.records.removal)."""

from __future__ import annotations

from django.db import connection
from django.utils import timezone

from webapp.people.accounts.system import system_account
from webapp.records.models import Chunk, Experiment
from webapp.table.live.models import LiveMatch
from worker.studies.review import Review

# Leaves first, a statement a table, so that no row travels through Python.
_REVIEWS = (  # an analysis of a whole match goes with it, unless it has had an address of its own
    f"SELECT s.id FROM records_study s JOIN records_match m ON m.id = s.match_id"
    f" WHERE s.kind = '{Review.id}' AND NOT s.was_shared AND m.experiment_id = %s"
)
_STATEMENTS = (
    "DELETE FROM records_sharelink WHERE experiment_id = %s",
    f"SELECT id FROM records_study WHERE id IN ({_REVIEWS}) FOR UPDATE",  # before its pieces, as workers do
    f"DELETE FROM records_studypiece WHERE study_id IN ({_REVIEWS})",
    f"DELETE FROM records_study WHERE id IN ({_REVIEWS})",
    "UPDATE records_study SET match_id = NULL"
    " WHERE match_id IN (SELECT id FROM records_match WHERE experiment_id = %s)",
    "UPDATE live_livematch SET match_id = NULL WHERE experiment_id IS NULL"
    " AND match_id IN (SELECT id FROM records_match WHERE experiment_id = %s)",
    "UPDATE live_livematch SET origin_id = NULL"
    " WHERE origin_id IN (SELECT id FROM records_match WHERE experiment_id = %s)",
    "DELETE FROM live_liveply WHERE match_id IN (SELECT id FROM live_livematch WHERE experiment_id = %s)",
    "DELETE FROM live_liveseat WHERE match_id IN (SELECT id FROM live_livematch WHERE experiment_id = %s)",
    "DELETE FROM live_livematch WHERE experiment_id = %s",
    "DELETE FROM presets_presetrun WHERE experiment_id = %s",
    "DELETE FROM records_samplecheck WHERE experiment_id = %s",
    "DELETE FROM notifications_notification WHERE experiment_id = %s",
    "DELETE FROM notifications_jobwish WHERE experiment_id = %s",
    "UPDATE records_experiment SET origin_id = NULL WHERE origin_id = %s",
)


def refusal(experiment: Experiment) -> str:
    """The reason why it cannot be deleted now; empty where it can."""
    if experiment.live_matches.filter(status=LiveMatch.Status.RUNNING).exists():
        return "Agents are still playing matches of it. Delete it when those are over."
    return ""


def remove_chunks(experiment: Experiment) -> None:
    """Remove its chunks, before all else: workers that still play for it find their claim lost.

    Otherwise they would wait until all matches are removed.
    """
    Chunk.objects.filter(experiment=experiment).delete()


def put_away(experiment: Experiment) -> None:
    """Remove what leads to it and what others could still see of it, and mark it; its matches go later.

    It belongs to the lab itself from then on, so that it counts in nobody's lists and quotas.
    """
    with connection.cursor() as cursor:
        for statement in _STATEMENTS:
            cursor.execute(statement, [experiment.pk])
    Experiment.objects.filter(pk=experiment.pk).update(
        kind=Experiment.Kind.REMOVED,
        owner=system_account(),
        submission=None,
        is_featured=False,
        notes="",
        tags=[],
        archived_at=timezone.now(),
    )
