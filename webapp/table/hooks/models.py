"""Webhooks of agents, and what is to be delivered to them."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models

from webapp.people.agents.models import Agent


class Hook(models.Model):
    """Webhook: the address at which the program behind an agent is told that something happened."""

    class Event(models.TextChoices):
        TURN = "turn", "It is your turn"
        STARTED = "match_started", "A match has begun"
        OVER = "match_over", "A match is over"

    agent = models.OneToOneField(Agent, models.CASCADE, related_name="hook")
    url = models.CharField(max_length=500)
    events = ArrayField(models.CharField(max_length=20))
    secret = models.CharField(max_length=64)  # as it is, not hashed: every delivery is signed with it
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"webhook of {self.agent}"


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
    match = models.CharField(max_length=16, blank=True)  # code of the match; empty for a test
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
        indexes = [
            models.Index(fields=["due_at"], name="delivery_due", condition=models.Q(status="waiting")),
            models.Index(fields=["match"], name="delivery_of_match", condition=models.Q(status="waiting")),
            models.Index(fields=["hook", "-created_at"], name="delivery_by_hook"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.id}"
