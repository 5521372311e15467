"""The progress of an experiment, counted by its matches."""

from __future__ import annotations

from django.db.models import Count, Q, Sum

from webapp.lab.jobs.progress import Progress, rate
from webapp.records.models import Chunk, Experiment, Match
from webapp.table.live.models import LiveMatch


def progress(experiment: Experiment) -> Progress:
    """Count the matches of an experiment that have ended, failed, or are in play."""
    chunks = experiment.chunks.aggregate(
        played=Sum("written", default=0),
        workers=Count("worker", distinct=True, filter=Q(status=Chunk.Status.CLAIMED)),
        claimed=Count("pk", filter=~Q(status=Chunk.Status.WAITING)),
    )
    matches = Match.objects.filter(experiment=experiment)
    failed = matches.filter(status=Match.Status.FAILED).count()
    state = experiment.status
    in_play = None
    if experiment.has_agents:
        chunks["played"] = matches.count()
        in_play = LiveMatch.objects.filter(experiment=experiment, status=LiveMatch.Status.RUNNING).count()
    has_begun = chunks["claimed"] or chunks["played"] or in_play
    if state == Experiment.Status.RUNNING and not has_begun:
        state = "waiting"
    since = experiment.started_at if experiment.status == Experiment.Status.RUNNING else None
    remaining = experiment.num_matches - chunks["played"]
    measured = rate(since, lambda moment: matches.filter(finished_at__gt=moment).count(), remaining)
    return Progress(
        total=experiment.num_matches,
        played=chunks["played"],
        failed=failed,
        state=str(state),
        workers=chunks["workers"],
        in_play=in_play,
        **measured,
    )
