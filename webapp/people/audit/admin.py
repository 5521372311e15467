"""What staff have done, to read: nobody changes or deletes it."""

from __future__ import annotations

from django.contrib import admin

from webapp.common.read_only_admin import ReadOnlyAdmin
from webapp.people.audit.models import StaffAction


@admin.register(StaffAction)
class StaffActionAdmin(ReadOnlyAdmin):
    """The list, by time."""

    list_display = ("at", "who", "deed", "kind", "name", "details")
    list_filter = ("deed", "kind")
    search_fields = ("who", "name", "details", "object_id")
    date_hierarchy = "at"
