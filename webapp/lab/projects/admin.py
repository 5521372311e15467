"""Projects in the admin: their public addresses, to look at. What stands there is read on the page that is shared."""

from __future__ import annotations

from django.contrib import admin

from webapp.common.read_only_admin import ReadOnlyAdmin
from webapp.lab.projects.models import ProjectLink


@admin.register(ProjectLink)
class ProjectLinkAdmin(ReadOnlyAdmin):
    """Public addresses of projects."""

    list_display = ("slug", "project", "created_at", "withdrawn_at")
    list_select_related = ("project",)
