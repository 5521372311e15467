"""Asks workers to play a sample again. Callers have checked who may see what it is of: anybody who may see may ask."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from webapp.common.errors import RefusedError
from webapp.common.limits import Limit
from webapp.lab.checks.subject import Subject
from webapp.records import work_source
from webapp.records.check_models import OPEN, SampleCheck
from worker.recorder import ANALYSIS

REST = timedelta(minutes=10)
"""Time after a sample before another of the same is played again: meanwhile its outcome serves all who ask."""
MAX_OPEN = 20
"""Samples that wait in the whole lab."""
KEPT = 20
"""Samples of one result that are kept."""
BY_ADDRESS = Limit("address", 6, "samples to be played again")


def ask(subject: Subject, address: str) -> tuple[SampleCheck, bool]:
    """The sample that is played again, or was lately, and whether it is a new one.

    address: of who asks, as limits count it. Raises RefusedError with a sentence.
    """
    with transaction.atomic():
        type(subject.job)._default_manager.select_for_update().get(pk=subject.job.pk)  # two who ask at once get one
        last = subject.checks.first()
        if last is not None and not may_follow(last):
            return last, False
        made = _create(subject, address)
    work_source.wake(ANALYSIS)
    return made, True


def may_follow(last: SampleCheck) -> bool:
    """Whether another sample may be drawn after this one, now."""
    return last.ended_at is not None and timezone.now() - last.ended_at >= REST


def _create(subject: Subject, address: str) -> SampleCheck:
    BY_ADDRESS.count(address)
    if SampleCheck.objects.filter(status__in=OPEN).count() >= MAX_OPEN:
        raise RefusedError(f"{MAX_OPEN} samples of other results wait to be played again. Ask again in some minutes.")
    waiting = subject.draw()
    if not waiting:
        one, _ = subject.units
        raise RefusedError(f"No {one} has ended with a result yet: there is nothing to play again.")
    made: SampleCheck = SampleCheck.objects.create(
        **{subject.job.field: subject.job}, match=subject.match, waiting=waiting, size=len(waiting)
    )
    old = subject.checks.values_list("pk", flat=True)[KEPT:]
    SampleCheck.objects.filter(pk__in=list(old)).delete()
    return made
