"""The records in the admin: to look at and to steer; results are not edited by hand."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from webapp.records.job import Job
from webapp.records.models import Arm, Chunk, EngineConfiguration, Experiment, Match, ShareLink, Study, StudyPiece


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """Shows rows that only the lab itself writes."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: nobody adds results by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: nobody changes results."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is purged from here."""
        return False


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


class JobAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """Title and priority of a job; the spec is frozen, and its status changes on its page."""

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


@admin.register(Chunk)
class ChunkAdmin(ReadOnlyAdmin):
    """Pieces of work."""

    list_display = (
        "id",
        "experiment",
        "arm_index",
        "first",
        "size",
        "written",
        "status",
        "deaths",
        "worker",
        "claimed_at",
    )
    list_filter = ("status", "deaths")
    list_select_related = ("experiment",)
    raw_id_fields = ("experiment",)


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """Matches that ended; seeds and digests of those that agents may still learn from stay hidden."""

    list_display = (
        "id",
        "experiment",
        "arm_index",
        "deal",
        "rotation",
        "status",
        "num_plies",
        "elapsed_s",
        "finished_at",
    )
    list_filter = ("status",)
    list_select_related = ("experiment",)

    def get_exclude(self, request: HttpRequest, obj: Match | None = None) -> tuple[str, ...]:
        """Hide what nobody may know yet."""
        return ("seed", "deal_seed", "digest") if obj is not None and obj.experiment.is_secret else ()


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


@admin.register(StudyPiece)
class StudyPieceAdmin(ReadOnlyAdmin):
    """Pieces of studies, with their rows."""

    list_display = ("id", "study", "index", "status", "deaths", "worker", "claimed_at", "cpu_s")
    list_filter = ("status", "deaths")
    list_select_related = ("study",)
    raw_id_fields = ("study",)


@admin.register(EngineConfiguration)
class EngineConfigurationAdmin(ReadOnlyAdmin):
    """Engines as they were set up."""

    list_display = ("id", "engine", "options", "budget")
    list_filter = ("engine",)


@admin.register(ShareLink)
class ShareLinkAdmin(ReadOnlyAdmin):
    """Public addresses."""

    list_display = ("slug", "experiment", "match", "study", "created_at", "withdrawn_at")
    list_select_related = ("experiment", "match", "study")
