"""Jobs in the admin: to look at and to steer, by the services that their pages use."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from webapp.common.audited_admin import AuditedAdmin
from webapp.records.job import Job


def _steer(made_in: JobAdmin, request: HttpRequest, rows: QuerySet[Any], deed: str, done: str) -> None:
    """Do it to each, and log it for those that it moved."""
    from webapp.lab.jobs import services  # loads NumPy, which the start of a program does not wait for

    moved = 0
    for job in rows:
        if getattr(services, deed)(job):
            made_in.log_change(request, job, f"{done.capitalize()}.")
            moved += 1
    left = f"; {rows.count() - moved} left as they were" if moved < rows.count() else ""
    messages.success(request, f"{moved} {done}{left}.")


@admin.action(description="Pause")
def pause(made_in: JobAdmin, request: HttpRequest, rows: QuerySet[Any]) -> None:
    """Hold those that are running."""
    _steer(made_in, request, rows, "pause", "paused")


@admin.action(description="Resume")
def resume(made_in: JobAdmin, request: HttpRequest, rows: QuerySet[Any]) -> None:
    """Let those go on that were held or stopped."""
    _steer(made_in, request, rows, "resume", "resumed")


@admin.action(description="Stop")
def stop(made_in: JobAdmin, request: HttpRequest, rows: QuerySet[Any]) -> None:
    """End those that are not over."""
    _steer(made_in, request, rows, "stop", "stopped")


class JobAdmin(AuditedAdmin):
    """Title and priority of a job; the spec is frozen, and its status changes on its page."""

    actions = (pause, resume, stop)
    search_fields = ("title", "owner__username")
    date_hierarchy = "created_at"
    written = (
        "status",
        "was_shared",
        "created_at",
        "started_at",
        "finished_at",
        "served_at",
        "archived_at",
        "notice",
        "spec",
    )

    def save_model(self, request: HttpRequest, obj: Job, form: Any, change: bool) -> None:
        """Save what was changed and nothing else: workers write to the same row."""
        obj.save(update_fields=form.changed_data)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Jobs are made from a spec, on their page."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deleting has rules of its own, on the job's page."""
        return False
