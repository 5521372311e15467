"""What needs the operator while everything works: faults of workers, checks that failed, backups."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from webapp.common.formats import duration
from webapp.lab.watch.finding import ATTENTION, Finding
from webapp.lab.watch.models import Report
from webapp.lab.watch.reports import BACKUP, RESIMULATION
from webapp.records import faults

FAULTS = 5
SPAN = timedelta(hours=1)
"""Faults in a span that are too many: single ones mend themselves, the work is done again."""


def findings() -> Iterator[Finding]:
    """What there is."""
    yield from _faults()
    reports = {report.name: report for report in Report.objects.all()}
    yield from _resimulation(reports.get(RESIMULATION))
    yield from _backup(reports.get(BACKUP))


def _faults() -> Iterator[Finding]:
    lately = faults.lately(SPAN)
    number = lately.count()
    last = lately.first()
    if number >= FAULTS and last is not None:
        sentence = f"Workers failed {number} times within an hour, last {last.worker} at {last.work}: {last.message}"
        advice = "Their work is done again, and a match that fails twice is recorded as failed. The log says where."
        yield Finding("faults", ATTENTION, sentence, advice)


def _resimulation(report: Report | None) -> Iterator[Finding]:
    if report is not None and not report.is_ok:
        advice = "`manage.py verify` names the matches. The code has changed without a version, or rows have."
        yield Finding("resimulation", ATTENTION, f"Stored matches played again differ. {report.sentence}", advice)


def _backup(report: Report | None) -> Iterator[Finding]:
    if report is not None and not report.is_ok:
        advice = "The one before is untouched. Mend it and run `manage.py backup`."
        yield Finding("backup", ATTENTION, f"The last backup failed. {report.sentence}", advice)
    elif settings.LAB_BACKUP_HOURS:
        succeeded = report.succeeded_at if report is not None else None
        if succeeded is None:
            yield Finding("backup", ATTENTION, "There has been no backup yet.", "Run `manage.py backup`.")
        elif (age := timezone.now() - succeeded) > timedelta(hours=settings.LAB_BACKUP_HOURS):
            sentence = f"The last backup is {duration(age.total_seconds())} old."
            yield Finding("backup", ATTENTION, sentence, "See why the backup's service does not run.")
