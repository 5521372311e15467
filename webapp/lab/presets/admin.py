"""Runs of presets in the admin: to look at."""

from __future__ import annotations

from django.contrib import admin

from webapp.common.read_only_admin import ReadOnlyAdmin
from webapp.lab.presets.models import PresetRun


@admin.register(PresetRun)
class PresetRunAdmin(ReadOnlyAdmin):
    """The list of runs: preset, scale, and the experiment or study that rebuilds it."""

    list_display = ("id", "preset", "scale", "experiment", "study")
    list_filter = ("preset", "scale")
