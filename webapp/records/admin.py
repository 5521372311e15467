"""The records in the admin, to look at: results are not edited by hand."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from webapp.common.read_only_admin import ReadOnlyAdmin
from webapp.records.check_models import NightlyCheck
from webapp.records.models import Chunk, EngineConfiguration, Match, PlyFile, ShareLink, StudyPiece


@admin.register(NightlyCheck)
class NightlyCheckAdmin(ReadOnlyAdmin):
    """Samples of stored matches that were played again, the latest first."""

    list_display = ("begun_at", "ended_at", "matches", "num_different")
    ordering = ("-pk",)


class LargeTableAdmin(ReadOnlyAdmin):
    """A table with rows of every match of the lab: in the order of their numbers alone, which an index has."""

    sortable_by = ("id",)


@admin.register(Chunk)
class ChunkAdmin(LargeTableAdmin):
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
class MatchAdmin(LargeTableAdmin):
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


@admin.register(StudyPiece)
class StudyPieceAdmin(LargeTableAdmin):
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


@admin.register(PlyFile)
class PlyFileAdmin(ReadOnlyAdmin):
    """Files of the archive, with what is wrong with them."""

    list_display = ("name", "experiment", "matches", "plies", "size", "written_at", "rows_gone_at", "damage")
    list_filter = (("damage", admin.EmptyFieldListFilter),)
    list_select_related = ("experiment",)


@admin.register(ShareLink)
class ShareLinkAdmin(ReadOnlyAdmin):
    """Public addresses."""

    list_display = ("slug", "experiment", "match", "study", "created_at", "withdrawn_at")
    list_select_related = ("experiment", "match", "study")
