"""Runs of presets in the admin: to look at."""

from __future__ import annotations

from django.contrib import admin

from webapp.lab.presets.models import PresetRun
from webapp.records.admin import ReadOnlyAdmin


@admin.register(PresetRun)
class PresetRunAdmin(ReadOnlyAdmin):
    """The list of runs: preset, scale, and the experiment or study that rebuilds it."""

    list_display = ("id", "preset", "scale", "experiment", "study")
    list_filter = ("preset", "scale")
