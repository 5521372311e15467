"""Studies in the admin: besides what all jobs have, what was studied."""

from __future__ import annotations

from django.contrib import admin

from webapp.lab.jobs.admin import JobAdmin
from webapp.records.models import Study


@admin.register(Study)
class StudyAdmin(JobAdmin):
    """Besides, what was studied."""

    list_display = ("id", "title", "owner", "kind", "game", "queue", "status", "num_pieces", "created_at")
    list_filter = ("status", "kind", "queue", "game")
    readonly_fields = (
        "owner",
        "asked_by",
        "kind",
        "version",
        "game",
        "queue",
        "num_pieces",
        "match",
        "ply",
        *JobAdmin.written,
    )
    fields = ("title", "priority", *readonly_fields)
