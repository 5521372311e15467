"""The progress of a study, counted as for experiments, with pieces in place of matches."""

from __future__ import annotations

from django.db.models import Count, Q, Sum

from webapp.lab.jobs.progress import Progress, rate
from webapp.records.models import Study, StudyPiece

Piece = StudyPiece.Status
ENDED = (Piece.DONE, Piece.FAILED)


def progress(study: Study) -> Progress:
    """Count the pieces of a study that have ended or failed. `played` are all that ended, failed ones among them."""
    counted = study.pieces.aggregate(
        ended=Count("pk", filter=Q(status__in=ENDED)),
        failed=Count("pk", filter=Q(status=Piece.FAILED)),
        claimed=Count("pk", filter=Q(status=Piece.CLAIMED)),
        workers=Count("worker", distinct=True, filter=Q(status=Piece.CLAIMED)),
        cpu_s=Sum("cpu_s", default=0.0),
    )
    is_running = study.status == Study.Status.RUNNING
    is_waiting = is_running and not counted["claimed"] and not counted["ended"]
    since = study.started_at if is_running else None
    remaining = study.num_pieces - counted["ended"]
    measured = rate(since, lambda moment: study.pieces.filter(ended_at__gt=moment).count(), remaining)
    return Progress(
        total=study.num_pieces,
        played=counted["ended"],
        failed=counted["failed"],
        state="waiting" if is_waiting else str(study.status),
        workers=counted["workers"],
        cpu_s=counted["cpu_s"],
        **measured,
    )
