"""Pause, resume, stop and archive what runs, be it an experiment or a study; views to do so and to delete it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from webapp.common import formats
from webapp.common.permissions import get_owned


class RefusedError(Exception):
    """What was asked for cannot be done now; the message says why, for the person."""


# ---- changes of the status


def pause(job: Any) -> bool:
    """Hold after what is being done. False when it was not running."""
    return _move(job, (job.Status.RUNNING,), job.Status.PAUSED)


def resume(job: Any, wake: Callable[[], None], **values: Any) -> bool:
    """Go on where it was held or stopped, out of the archive too. False when it was neither.

    values: fields that are set besides.
    """
    status = job.Status
    with transaction.atomic():
        held = (status.PAUSED, status.STOPPED)
        moved = _move(job, held, status.RUNNING, finished_at=None, archived_at=None, **values)
        if moved:
            wake()
    return moved


def stop(job: Any) -> bool:
    """End it with what has been done. False when it was over already."""
    status = job.Status
    return _move(job, (status.RUNNING, status.PAUSED), status.STOPPED, finished_at=timezone.now())


def archive(job: Any) -> None:
    """Put it out of sight; nothing is lost. Raises RefusedError while it runs."""
    if job.status in (job.Status.RUNNING, job.Status.PAUSED):
        name = job._meta.verbose_name
        raise RefusedError(f"Stop the {name} first: only one that is over can be archived.")
    _set_archived(job, timezone.now())


def unarchive(job: Any) -> None:
    """Bring it back."""
    _set_archived(job, None)


def check_deletable(job: Any) -> None:
    """Raises RefusedError for what was ever shared, or runs."""
    if job.was_shared:
        raise RefusedError("This was shared once, so it stays: others may cite it. You can archive it.")
    if job.status in (job.Status.RUNNING, job.Status.PAUSED):
        raise RefusedError(f"Stop the {job._meta.verbose_name} first, then delete it.")


def _move(job: Any, allowed: tuple[str, ...], to: str, **values: Any) -> bool:
    """Change the status if it is one of `allowed` in the database; say whether it was."""
    rows = type(job).objects.filter(pk=job.pk, status__in=allowed).update(status=to, **values)
    job.refresh_from_db()
    return bool(rows)


def _set_archived(job: Any, moment: Any) -> None:
    type(job).objects.filter(pk=job.pk).update(archived_at=moment)
    job.refresh_from_db()


# ---- views

ACTIONS = ("pause", "resume", "stop", "archive", "unarchive")


@dataclass(frozen=True)
class Steering:
    """Views that steer one model, POST only and owner only.

    services: module with a function for each of ACTIONS and `delete`; progress: counts how far
    one is; urls: namespace of its pages, and folder of its templates (`experiments/delete.html`,
    `studies/delete.html`); unit: "match,matches"; at_work: what comes to its end after a pause.
    """

    model: type[Model]
    services: Any
    progress: Callable[[Any], Any]
    urls: str
    unit: tuple[str, str]
    at_work: str

    @property
    def act(self) -> Callable[..., HttpResponse]:
        """Carry out one action and say what it did."""
        return require_POST(self._act)

    @property
    def delete(self) -> Callable[..., HttpResponse]:
        """Ask once more, naming what goes; then delete."""
        return require_http_methods(["GET", "POST"])(self._delete)

    def _act(self, request: HttpRequest, pk: int, action: str) -> HttpResponse:
        job = get_owned(self.model._default_manager.all(), request.user, pk=pk)
        try:
            done = getattr(self.services, action)(job)
            messages.success(request, self._said(job, action, done))
        except RefusedError as error:
            messages.warning(request, str(error))
        return redirect(f"{self.urls}:detail", pk=pk)

    def _said(self, job: Any, action: str, done: bool | None) -> str:
        """What an action did; done: whether anything changed, where that is known."""
        if action == "pause":
            return f"Paused: {self.at_work} come to their end" if done else "It was not running"
        if action == "resume":
            return "Running again" if done else "It was running, or finished already"
        if action == "stop":
            if not done:
                return "It was over already"
            ended = formats.plural(self.progress(job).played, *self.unit)
            return f"Stopped after {ended}. Those begun still come to their end, and you can resume."
        return "Archived: find it under Archived in your list" if action == "archive" else "Back in your list"

    def _delete(self, request: HttpRequest, pk: int) -> HttpResponse:
        job: Any = get_owned(self.model._default_manager.all(), request.user, pk=pk)
        name = str(self.model._meta.verbose_name)
        if request.method == "POST":
            try:
                self.services.delete(job)
            except RefusedError as error:
                messages.warning(request, str(error))
                return redirect(f"{self.urls}:detail", pk=pk)
            except self.model.DoesNotExist:
                pass  # a second click: gone is gone
            messages.success(request, f"Deleted “{job.title}”")
            return redirect(f"{self.urls}:list")
        return render(request, f"{self.urls}/delete.html", {name: job, "progress": self.progress(job)})
