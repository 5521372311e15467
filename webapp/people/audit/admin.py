"""What staff have done, to read: nobody changes or deletes it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from webapp.people.audit.models import StaffAction


@admin.register(StaffAction)
class StaffActionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """The list, by time."""

    list_display = ("at", "who", "deed", "kind", "name", "details")
    list_filter = ("deed", "kind")
    search_fields = ("who", "name", "details", "object_id")
    date_hierarchy = "at"
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: it is written by what happens."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False
