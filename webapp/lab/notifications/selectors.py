"""Reading: what somebody was told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from webapp.lab.jobs import briefs, registry, selectors
from webapp.lab.jobs.briefs import Brief
from webapp.lab.notifications.models import Notification
from webapp.people.accounts.models import User
from webapp.records.job import Job

SHOWN = 50


@dataclass(frozen=True)
class Row:
    """One end as the list shows it. brief: None where it is not kept yet, and the row asks for it."""

    notification: Notification
    job: Job
    url: str
    brief: Brief | None


@dataclass(frozen=True)
class Bell:
    """How many ends somebody has not looked at. newest: the last of them; None where there is none."""

    unseen: int
    newest: Notification | None

    @property
    def version(self) -> str:
        """Another one as soon as there is news."""
        return f"{self.unseen}-{self.newest.pk if self.newest else 0}"


def told(owner: User) -> QuerySet[Notification]:
    """All that somebody was told of, the last first."""
    return Notification.objects.filter(owner=owner, is_wanted=True).order_by("-ended_at", "-pk")


def bell(owner: User) -> Bell:
    """What somebody has not looked at. Every page asks: no job is read but that of the newest."""
    unseen = list(told(owner).filter(seen_at=None)[: SHOWN + 1])
    return Bell(len(unseen), unseen[0] if unseen else None)


def rows(owner: User) -> Sequence[Row]:
    """The last ends."""
    found = list(told(owner).select_related("experiment", "study")[:SHOWN])
    counted: dict[tuple[str, int], Job] = {}
    for word in registry.KINDS:
        numbers = [row.job.pk for row in found if row.job.word == word]
        kind = registry.get(word)
        if numbers:
            counted |= {(word, job.pk): job for job in kind.with_counts(kind.jobs.filter(pk__in=numbers))}
    return [
        Row(row, job, selectors.url(job), briefs.stored(job))
        for row in found
        if (job := counted.get((row.job.word, row.job.pk))) is not None
    ]
