"""Writing: notes the ends of jobs, marks what was seen, keeps wishes.

A job ends in whichever process does the last of it, so what has ended is looked for (a chore of the sweeper), and the
row of each end is written once: a crash in between loses and repeats nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from webapp.lab.jobs import endings
from webapp.lab.notifications.models import JobWish, Notification, Wishes
from webapp.people.accounts.models import User
from webapp.records.job import Job
from worker.analysis.stop_rules.model import AT_PLANNED

KEPT = timedelta(days=90)
DEFAULTS = Wishes()


def note_ends() -> int:
    """Write a notification for each job that has ended since; return how many people are told of."""
    return sum(_note(job) for job in _ended())


def _ended() -> Iterator[Any]:
    """Jobs that are over since a while and of which nobody was told."""
    for ended in endings.ended_since(timezone.now() - endings.RECENT, owner__is_guest=False):
        field = str(ended.model._meta.model_name)
        told = Notification.objects.filter(**{field: OuterRef("pk")}, ended_at=OuterRef("finished_at"))
        people = ended.exclude(owner__username=settings.LAB_ACCOUNT)
        yield from people.filter(~Exists(told)).select_related("owner__notification_wishes")


def wishes_of(owner: User) -> Wishes:
    """How somebody wishes to be told."""
    return getattr(owner, "notification_wishes", None) or DEFAULTS


def wants(job: Any) -> bool:
    """Whether the owner of a job wishes to be told of its end: by what was said of it, else by how long it took.

    Who stopped it knows.
    """
    if job.status == Job.Status.STOPPED and not job.notice:
        return False
    named = JobWish.objects.of(job).first()
    if named is not None:
        return bool(named.is_wanted)
    least_s = wishes_of(job.owner).least_s
    if least_s < 0:
        return False
    return (_seconds(job.started_at or job.created_at, job.finished_at) if job.finished_at else 0.0) >= least_s


def is_usual(job: Any) -> bool:
    """Whether the owner is told of a job that nothing was said of, as far as that is known before its end."""
    return bool(wishes_of(job.owner).least_s >= 0)


def _seconds(began: datetime, ended: datetime) -> float:
    return (ended - began).total_seconds()


def _note(job: Any) -> bool:
    """Write the row of an end; whether it is new, and its owner is told."""
    is_wanted = wants(job)
    is_mailed = is_wanted and settings.LAB_MAIL and wishes_of(job.owner).by_mail and bool(job.owner.email)
    values = {"words": how(job), "is_wanted": is_wanted, "mail_due_at": timezone.now() if is_mailed else None}
    with transaction.atomic():  # under the lock of its row, without which it may be deleted meanwhile
        if type(job)._default_manager.select_for_update(no_key=True).filter(pk=job.pk).values("pk").first() is None:
            return False
        _, is_new = Notification.objects.get_or_create(
            owner=job.owner, **{job.field: job}, ended_at=job.finished_at, defaults=values
        )
    return is_new and is_wanted


def how(job: Any) -> str:
    """How a job ended, in a few words."""
    if job.status == Job.Status.STOPPED:
        return "Stopped by the lab"
    outcome = getattr(job, "outcome", None) or {}
    return "Ended by its stop rule" if outcome.get("reason") not in (None, "", AT_PLANNED) else "Finished"


def mark_seen(owner: User, until: datetime) -> None:
    """Note that somebody has looked at what they were told until a moment."""
    Notification.objects.filter(owner=owner, seen_at=None, created_at__lte=until).update(seen_at=timezone.now())


def mark_job_seen(job: Job) -> None:
    """Note that the owner of a job has looked at its end, on its own page."""
    Notification.objects.of(job).filter(seen_at=None).update(seen_at=timezone.now())


def keep_wishes(owner: User, least_s: int, *, by_mail: bool) -> None:
    """Keep how somebody wishes to be told from now on."""
    Wishes.objects.update_or_create(owner=owner, defaults={"least_s": least_s, "by_mail": by_mail})


def keep_job_wish(job: Job, *, is_wanted: bool) -> None:
    """Keep whether the owner of a job is told of its end."""
    named: dict[str, Any] = {job.field: job}
    JobWish.objects.update_or_create(**named, defaults={"is_wanted": is_wanted})


def forget_old() -> int:
    """Delete what was told long ago; return how many rows."""
    return Notification.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]
