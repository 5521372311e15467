"""Runs of presets whose matches were played at random."""

from __future__ import annotations

from typing import Any

from tests.webapp.lab.results import factory
from webapp.lab.presets.models import PresetRun


def run(
    owner: Any,
    deals: int = 2,
    played: bool = True,
    preset: str = "heyden-table-6.1",
    line_up: tuple[dict[str, Any], ...] = (factory.FLAT, factory.RANDOM),
) -> PresetRun:
    """A run of a preset with one arm, with all its matches or none."""
    make = factory.played if played else factory.experiment
    experiment = make(owner, [list(line_up)], deals=deals, title="A table")
    return PresetRun.objects.create(preset=preset, scale="quick", experiment=experiment)
