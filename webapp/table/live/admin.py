"""Matches in play in the admin: to look at only; what is still secret stays so for staff, too."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from webapp.common.read_only_admin import ReadOnlyAdmin
from webapp.table.live.models import LiveMatch, LiveSeat

SECRETS = ("seed", "deal_seed", "salt", "digest", "invite")


class LiveSeatInline(admin.TabularInline):  # type: ignore[type-arg]  # generic in the stubs only
    """Seats of a match, with their players."""

    model = LiveSeat
    fields = ("seat", "kind", "person", "agent", "configuration", "level", "name", "used_s", "replaced", "seen_at")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Seats come with the match."""
        return False


@admin.register(LiveMatch)
class LiveMatchAdmin(ReadOnlyAdmin):
    """One row a match; its luck is shown when it is over, and its experiment with it."""

    list_display = ("code", "creator", "game", "status", "ply", "on_turn", "turn_began_at", "created_at", "ended_at")
    list_filter = ("status", "game", "visibility", "queue")
    search_fields = ("code", "creator__username", "seats__name")
    list_select_related = ("creator",)
    date_hierarchy = "created_at"
    inlines = (LiveSeatInline,)
    exclude = ("spent_keys", "submission")

    def get_exclude(self, request: HttpRequest, obj: LiveMatch | None = None) -> tuple[str, ...]:
        """Hide what nobody may know yet."""
        is_open = obj is not None and obj.is_over and not (obj.experiment is not None and obj.experiment.is_secret)
        return self.exclude if is_open else (*self.exclude, *SECRETS)
