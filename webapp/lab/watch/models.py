"""Tables of the watch: signs of life, what was tried, what the operator was told of."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Beat(models.Model):
    """The last sign of life of a program of which there is one, by the database's clock."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Probe(models.Model):
    """What is written to see whether anything can be written (`recording`)."""

    body = models.BinaryField()

    def __str__(self) -> str:
        return f"{len(self.body)} bytes"


class Report(models.Model):
    """How the last run of a chore came out that nobody watches: a backup."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()
    succeeded_at = models.DateTimeField(null=True)
    is_ok = models.BooleanField()
    sentence = models.TextField(blank=True)  # what went wrong, or what was done

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M}"


class Alarm(models.Model):
    """A cause that needs the operator: one row for each time that it lasted, open while it does."""

    cause = models.CharField(max_length=60)
    sentence = models.TextField()
    advice = models.TextField(blank=True)
    began_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True)  # null: it could not be sent yet
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["cause"], condition=Q(ended_at=None), name="alarm_open_once")]

    def __str__(self) -> str:
        return self.sentence
