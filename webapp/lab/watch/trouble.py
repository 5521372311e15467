"""What needs the operator while everything works: faults of workers, checks that failed, backups."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from webapp.common.formats import count, duration
from webapp.lab.watch.finding import ATTENTION, Finding
from webapp.lab.watch.models import Report
from webapp.lab.watch.reports import BACKUP
from webapp.records import faults, nightly
from webapp.records.archive import checks
from webapp.records.archive.errors import PUT_BACK
from webapp.records.check_models import NightlyCheck

FAULTS = 5
"""Faults within an hour that are too many: single ones mend themselves, the work is done again."""


def findings() -> Iterator[Finding]:
    """What there is."""
    yield from _faults()
    yield from _resimulation()
    yield from _archive()
    yield from _backup(Report.objects.filter(name=BACKUP).first())


def _faults() -> Iterator[Finding]:
    lately = faults.lately()
    number = lately.count()
    last = lately.first()
    if number >= FAULTS and last is not None:
        sentence = (
            f"Workers failed {number} times within an hour, last {last.worker} at {last.work}: {_ended(last.message)}"
        )
        advice = "Their work is done again, and a match that fails twice is recorded as failed. The log says where."
        yield Finding("faults", ATTENTION, sentence, advice)


def _resimulation() -> Iterator[Finding]:
    """The last nightly check that has ended."""
    last = NightlyCheck.objects.exclude(ended_at=None).order_by("-pk").first()
    if last is not None and last.num_different:
        advice = (
            f"The administration lists the first of them, under nightly check {last.pk} of {last.begun_at:%Y-%m-%d}; "
            "manage.py verify --match says how one differs. The code has changed without a version, or rows have."
        )
        yield Finding("resimulation", ATTENTION, nightly.sentence(last), advice)


def _archive() -> Iterator[Finding]:
    """Files of plies that were missing or damaged when they were last read."""
    found = checks.damaged()
    if found:
        more = f" {count(len(found) - 1)} more are not as they were written." if len(found) > 1 else ""
        yield Finding("archive", ATTENTION, found[0].damage + more, PUT_BACK)


def _backup(report: Report | None) -> Iterator[Finding]:
    if report is not None and not report.is_ok:
        advice = "The one before is untouched. Mend it and run manage.py backup."
        yield Finding("backup", ATTENTION, f"The last backup failed. {_ended(report.sentence)}", advice)
    elif settings.LAB_BACKUP_HOURS:
        succeeded = report.succeeded_at if report is not None else None
        if succeeded is None:
            yield Finding("backup", ATTENTION, "There has been no backup yet.", "Run manage.py backup.")
        elif (age := timezone.now() - succeeded) > timedelta(hours=settings.LAB_BACKUP_HOURS):
            sentence = f"The last backup is {duration(age.total_seconds())} old."
            yield Finding("backup", ATTENTION, sentence, "See why the backup's service does not run.")


def _ended(words: str) -> str:
    """Words of a program as a sentence that ends."""
    return words if not words or words.endswith((".", "!", "?")) else f"{words}."
