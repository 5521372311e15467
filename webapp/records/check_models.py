"""Tables of matches that are played again: samples somebody asked for (sample_checks), and each night's (nightly)."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from webapp.records.job import OfOneJob

OPEN = ["waiting", "claimed"]


class SampleCheck(OfOneJob):
    """A sample of an experiment's matches, one match of it, or a sample of a study's pieces, played again.

    One at a time is open for each. It is done bit by bit: what is left stands in `waiting`, what came out so far in
    `report` (webapp.records.sample_report). A claimed one whose advisory lock is free has lost its worker.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        CLAIMED = "claimed"
        DONE = "done"
        FAILED = "failed"  # its worker died twice, or could not go on

    experiment = models.ForeignKey("records.Experiment", models.CASCADE, null=True, related_name="checks")
    match = models.ForeignKey("records.Match", models.CASCADE, null=True, related_name="checks")
    study = models.ForeignKey("records.Study", models.CASCADE, null=True, related_name="checks")
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    waiting = ArrayField(models.BigIntegerField())  # ids of matches, or numbers of pieces, still to be played again
    size = models.PositiveSmallIntegerField()  # of the sample
    report = models.JSONField(default=dict)
    failure = models.TextField(blank=True)
    deaths = models.PositiveSmallIntegerField(default=0)  # attempts whose worker died
    worker = models.CharField(max_length=120, blank=True)
    code = models.CharField(max_length=64, blank=True)  # that played it again (worker.code_version)
    asked_at = models.DateTimeField(auto_now_add=True)
    claimed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(experiment__isnull=False, study__isnull=True)
                | models.Q(experiment__isnull=True, match__isnull=True, study__isnull=False),
                name="check_of_one",
            ),
            models.UniqueConstraint(
                fields=["experiment", "match", "study"],
                condition=models.Q(status__in=OPEN),
                nulls_distinct=False,
                name="check_open_once",
            ),
        ]
        indexes = [
            models.Index(fields=["asked_at"], name="check_open", condition=models.Q(status__in=OPEN)),
        ]

    def __str__(self) -> str:
        return f"{self.asked_at:%Y-%m-%d %H:%M}: {self.size} of {' '.join(map(str, self.job_key))}"


class NightlyCheck(models.Model):
    """A sample of stored matches that is played again, a little at a time (webapp.records.nightly)."""

    begun_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)
    waiting = ArrayField(models.BigIntegerField())  # ids of matches still to be played again
    matches = models.PositiveIntegerField(default=0)  # played again so far
    num_different = models.PositiveIntegerField(default=0)
    differences = models.JSONField(default=list)  # [{"match", "ply", "field"}], the first ones

    def __str__(self) -> str:
        return f"{self.begun_at:%Y-%m-%d}: {self.num_different} of {self.matches} differ"
