"""Tables of those who work: processes, what each did, their faults, and the states of code that they run."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class CodeVersion(models.Model):
    """A state of the code that plays (worker.code_version), so that records say which one played."""

    hash = models.CharField(max_length=64, unique=True)  # SHA-256 of the files of games, engines and worker
    commit = models.CharField(max_length=40, blank=True)  # empty where nobody knows
    seen_at = models.DateTimeField()  # first
    is_labs = models.BooleanField(default=False)  # the one of the lab's own processes; one row at most

    def __str__(self) -> str:
        return f"commit {self.commit[:10]}" if self.commit else f"code {self.hash[:10]}"


class WorkerProcess(models.Model):
    """A process that works off queues. It lives as long as it holds its advisory lock (webapp.records.locks)."""

    class Order(models.TextChoices):
        NONE = ""
        DRAIN = "drain"  # end what it is at, and take nothing more
        RESTART = "restart"  # the same, and then its program begins anew

    name = models.CharField(max_length=120, unique=True)  # "host:pid", as claims name it
    program = models.CharField(max_length=120, blank=True)  # "host:pid" of its parent, which ends and begins with it
    queues = ArrayField(models.CharField(max_length=12))
    started_at = models.DateTimeField()
    passed = models.JSONField(default=list)  # [source, id, kernels] of what it leaves out: others compile for it
    declined = models.JSONField(default=list)  # [source, id, kind, why] of jobs that it leaves to others
    code = models.CharField(max_length=64, blank=True)  # as in CodeVersion
    commit = models.CharField(max_length=40, blank=True)
    refusal = models.TextField(blank=True)  # why it gets no work
    cpu = models.CharField(max_length=200, blank=True)  # the processor and what it can
    speed = models.FloatField(null=True)  # measured, 1 = the machine that costs were measured on; null: not yet
    order = models.CharField(max_length=8, choices=Order, blank=True)
    beat_at = models.DateTimeField(null=True)  # last heard of
    silence = models.PositiveIntegerField(default=0)  # looks of the sweeper since then (webapp.records.heartbeats)

    class Meta:
        verbose_name_plural = "worker processes"

    def __str__(self) -> str:
        return self.name


class WorkerTally(models.Model):
    """What a worker process has done since it began, by queue: it alone writes its rows, so that none waits."""

    worker = models.CharField(max_length=120)
    queue = models.CharField(max_length=12)
    claims = models.BigIntegerField(default=0)
    busy_s = models.FloatField(default=0.0)  # seconds between a claim and its end

    class Meta:
        constraints = [models.UniqueConstraint(fields=["worker", "queue"], name="worker_tally_once")]
        verbose_name_plural = "worker tallies"

    def __str__(self) -> str:
        return f"{self.worker} {self.queue}"


class WorkerFault(models.Model):
    """A fault of a worker process (webapp.records.faults)."""

    at = models.DateTimeField(db_index=True)
    worker = models.CharField(max_length=120)
    work = models.CharField(max_length=80)
    message = models.TextField()

    def __str__(self) -> str:
        return f"{self.worker}: {self.message}"
