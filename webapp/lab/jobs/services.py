"""Writing: hold, resume, stop, put away and delete a job of any kind. Callers have checked whose it is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from webapp.common.errors import RefusedError
from webapp.lab.jobs import registry
from webapp.lab.quotas import services as quotas
from webapp.lab.quotas.selectors import ask_again
from webapp.people.accounts.models import User
from webapp.records.job import Job
from worker.recorder import ANALYSIS
from worker.spec import SpecError

Status = Job.Status


def pause(job: Job) -> bool:
    """Hold after what is being done. False when it was not running."""
    return _move(job, (Status.RUNNING,), Status.PAUSED)


def resume(job: Job) -> bool:
    """Go on where it was held or stopped, out of the archive too. False when it was neither.

    Raises RefusedError where one that was stopped is over a quota now; a paused one has counted all the time.
    """
    with transaction.atomic():
        was_over = job.status == Status.STOPPED
        held = (Status.PAUSED, Status.STOPPED)
        moved = _move(job, held, Status.RUNNING, finished_at=None, archived_at=None, notice="")
        if moved and was_over and registry.of(job).queue(job) != ANALYSIS:
            _check_quota(job)
        if moved:
            registry.of(job).wake(job)
    return moved


def _check_quota(job: Job) -> None:
    try:
        quotas.check(User.objects.get(pk=job.owner_id), ask_again(job), job)
    except SpecError as error:
        raise RefusedError(f"{error.message}.") from None


def stop(job: Job) -> bool:
    """End it with what has been done. False when it was over already."""
    return _move(job, (Status.RUNNING, Status.PAUSED), Status.STOPPED, finished_at=timezone.now())


def archive(job: Job) -> None:
    """Put it out of sight; nothing is lost. Raises RefusedError while it runs."""
    if job.status in (Status.RUNNING, Status.PAUSED):
        raise RefusedError(f"Stop the {job.word} first: only one that is over can be archived.")
    _set_archived(job, timezone.now())


def unarchive(job: Job) -> None:
    """Bring it back."""
    _set_archived(job, None)


def delete(job: Job) -> None:
    """Remove it with all that belongs to it, for good. Raises RefusedError for what was ever shared, or runs.

    Of an experiment the matches go bit by bit afterwards; nobody sees them meanwhile.

    Should a step fail after an earlier one is committed, it can be deleted again.
    """
    for remove in registry.of(job).deletions:
        with transaction.atomic():
            remove(_lock_deletable(job))


def _lock_deletable(job: Job) -> Any:
    """The job, locked before anything below it (see `webapp.records.queue`)."""
    row = _rows(job).select_for_update().get()
    if row.was_shared:
        raise RefusedError("This was shared once, so it stays: others may cite it. You can archive it.")
    if row.status in (Status.RUNNING, Status.PAUSED):
        raise RefusedError(f"Stop the {job.word} first, then delete it.")
    if refusal := registry.of(job).refusal(row):
        raise RefusedError(refusal)
    return row


def _move(job: Job, allowed: tuple[str, ...], to: str, **values: Any) -> bool:
    """Change the status if it is one of `allowed` in the database; say whether it was."""
    rows = _rows(job).filter(status__in=allowed).update(status=to, **values)
    job.refresh_from_db()
    return bool(rows)


def _set_archived(job: Job, moment: datetime | None) -> None:
    _rows(job).update(archived_at=moment)
    job.refresh_from_db()


def _rows(job: Job) -> Any:
    """The row of a job, to lock or to change."""
    return type(job)._default_manager.filter(pk=job.pk)
