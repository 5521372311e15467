"""Follows a job from the command line, through short outages of the database."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from django.db import OperationalError, connection

from webapp.records.job import Job

POLL_S = 0.5
REPORT_S = 5.0
OUTAGE_S = 120.0
"""Longest outage of the database before the command gives up."""


def follow(job: Job, words: Callable[[], str]) -> Iterator[str]:
    """Yield the job's progress, in `words`, every few seconds where they changed, until it runs no more."""
    reported_at, reported, away_since = 0.0, "", None
    while True:
        now = time.monotonic()
        try:
            job.refresh_from_db(fields=["status", "started_at", "finished_at"])
            if job.status != Job.Status.RUNNING:
                return
            if now - reported_at >= REPORT_S:
                reported_at = now
                if (said := words()) != reported:
                    reported = said
                    yield said
            away_since = None
        except OperationalError:
            connection.close()
            away_since = away_since or now
            if now - away_since > OUTAGE_S:
                raise
        time.sleep(POLL_S)
