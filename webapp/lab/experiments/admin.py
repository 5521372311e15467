"""Experiments in the admin: besides what all jobs have, what may stand on the start page."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from webapp.lab.jobs.admin import JobAdmin
from webapp.records.models import Arm, Experiment


class ArmInline(admin.TabularInline):  # type: ignore[type-arg]  # generic in the stubs only
    """The line-ups of an experiment."""

    model = Arm
    fields = ("index", "name")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Arms come with the experiment."""
        return False


@admin.register(Experiment)
class ExperimentAdmin(JobAdmin):
    """Besides, what may stand on the start page."""

    list_display = ("id", "title", "owner", "game", "kind", "status", "num_matches", "created_at", "is_featured")
    list_filter = ("status", "kind", "game", "is_featured")
    fields = (
        ("title", "owner", "game", "kind"),
        ("status", "priority", "num_matches"),
        ("is_featured", "was_shared"),
        ("created_at", "started_at", "finished_at", "served_at", "archived_at"),
        "notice",
        "spec",
    )
    readonly_fields = ("owner", "game", "kind", "num_matches", *JobAdmin.written)
    inlines = (ArmInline,)
