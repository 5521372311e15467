"""Runs of presets: the experiments and studies that rebuild published tables."""

from __future__ import annotations

from django.db import models

from webapp.records.job import OfOneJob
from webapp.records.models import Experiment, Study


class PresetRun(OfOneJob):
    """One start of a preset at one scale: an experiment or a study."""

    preset = models.CharField(max_length=80)
    scale = models.CharField(max_length=12)
    experiment = models.OneToOneField(Experiment, models.CASCADE, null=True, related_name="preset_run")
    study = models.OneToOneField(Study, models.CASCADE, null=True, related_name="preset_run")
    form = models.UUIDField(null=True)  # of the shown form that started it: sent again, it starts nothing

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(experiment__isnull=False, study__isnull=True)
                | models.Q(experiment__isnull=True, study__isnull=False),
                name="preset_run_of_one",
            )
        ]
        indexes = [models.Index(fields=["preset", "-id"], name="preset_run_by_preset")]

    def __str__(self) -> str:
        return f"{self.preset}, {self.scale}"
