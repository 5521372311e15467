"""Table of totals that wait to be merged (webapp.records.waiting_summaries)."""

from __future__ import annotations

from django.db import models


class WaitingSummary(models.Model):
    """Totals of a few matches that wait to be merged into `Summary` rows (webapp.records.waiting_summaries)."""

    experiment = models.ForeignKey("records.Experiment", models.CASCADE, related_name="+", db_index=False)
    shard = models.PositiveSmallIntegerField()
    matches = models.PositiveSmallIntegerField()
    plies = models.PositiveIntegerField()  # of those that finished
    totals = models.BinaryField()
    written_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "waiting summaries"
        indexes = [models.Index(fields=["experiment", "shard", "id"], name="waiting_summary")]
