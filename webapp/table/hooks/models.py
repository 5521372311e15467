"""Webhooks of agents, and what is to be delivered to them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from webapp.people.agents.models import Agent


class Hook(models.Model):
    """Webhook: the address at which the program behind an agent, or one of a person, is told that something happened.

    That of an agent is told of its matches (`Event`), that of a person of experiments, ladders and studies that are
    over (`announce.FINISHED`).
    """

    class Event(models.TextChoices):
        TURN = "turn", "It is your turn"
        STARTED = "match_started", "A match has begun"
        OVER = "match_over", "A match is over"

    agent = models.OneToOneField(Agent, models.CASCADE, related_name="hook", null=True)
    owner = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hook", null=True)
    url = models.CharField(max_length=500)
    events = ArrayField(models.CharField(max_length=20))
    secret = models.CharField(max_length=64)  # as it is, not hashed: every delivery is signed with it
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(agent=None, owner__isnull=False) | models.Q(agent__isnull=False, owner=None),
                name="hook_of_one",
            )
        ]

    def __str__(self) -> str:
        return f"webhook of {self.agent or self.owner}"

    @property
    def whose(self) -> dict[str, str]:
        """Who is told, as a notice says it."""
        return {"agent": self.agent.name} if self.agent is not None else {"user": str(self.owner)}


class Delivery(models.Model):
    """One notice on its way to a hook; its id tells receivers repeats apart.

    The deliverer that sends it raises `attempts` and holds it until `claimed_until`: what a killed
    deliverer held is taken up again after that.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"  # the receiver said 2xx
        GIVEN_UP = "given_up"
        OUTDATED = "outdated"  # the match moved on before it could be sent

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # Not checked by the database: taking a hook away must neither wait for matches nor undo a ply.
    hook = models.ForeignKey(Hook, models.CASCADE, related_name="deliveries", db_index=False, db_constraint=False)
    event = models.CharField(max_length=20)
    match = models.CharField(max_length=16, blank=True)  # code of the match; empty for a test and for jobs
    job = models.CharField(max_length=80, blank=True)  # kind, number and end of a job; each is told of once
    body = models.TextField()
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    claimed_until = models.DateTimeField(null=True)
    answer = models.PositiveSmallIntegerField(null=True)  # HTTP status of the last attempt
    problem = models.CharField(max_length=200, blank=True)  # why the last attempt failed
    took_s = models.FloatField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(fields=["hook", "job"], condition=~models.Q(job=""), name="delivery_of_job_once")
        ]
        indexes = [
            models.Index(fields=["due_at"], name="delivery_due", condition=models.Q(status="waiting")),
            models.Index(fields=["match"], name="delivery_of_match", condition=models.Q(status="waiting")),
            models.Index(fields=["hook", "-created_at"], name="delivery_by_hook"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.id}"
