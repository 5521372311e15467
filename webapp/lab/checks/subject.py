"""What is verified: a job by a sample, or one match of it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from webapp.records import sampling
from webapp.records.check_models import SampleCheck
from webapp.records.job import Job
from webapp.records.models import Experiment, Match, Study


@dataclass(frozen=True)
class Subject:
    """A job, or with `match` one match of it alone."""

    job: Job
    match: Match | None = None

    @property
    def checks(self) -> QuerySet[SampleCheck]:
        """Its checks, the last first."""
        return SampleCheck.objects.of(self.job).filter(match=self.match).order_by("-asked_at", "-pk")

    @property
    def units(self) -> tuple[str, str]:
        """What is played again, in a word, and many of it."""
        return ("piece", "pieces") if isinstance(self.job, Study) else ("match", "matches")

    @property
    def title(self) -> str:
        """What is verified, as a heading says it."""
        return f"match {self.match.pk}" if self.match is not None else self.job.title

    def draw(self) -> list[int]:
        """Numbers of matches or pieces to be played again; none where nothing has ended yet."""
        if self.match is not None:
            return [self.match.pk] if self.match.status == Match.Status.FINISHED else []
        return sampling.matches(self.job) if isinstance(self.job, Experiment) else sampling.pieces(_study(self.job))


def _study(job: Job) -> Study:
    assert isinstance(job, Study)
    return job
