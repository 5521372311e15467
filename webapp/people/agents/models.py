"""Agents and their tokens."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower


class Agent(models.Model):
    """A program that plays over HTTP under a name of its own; in tables it stands as ``agent:<name>``."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="agents")
    name = models.CharField(max_length=40)  # letters, digits, "-" and "_"
    description = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True)  # plays no more; its name stays taken

    class Meta:
        constraints = [models.UniqueConstraint(Lower("name"), name="agent_name_once")]

    def __str__(self) -> str:
        return self.name


class AgentToken(models.Model):
    """A secret that lets a program act as an agent. Only its hash is kept."""

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="tokens")
    label = models.CharField(max_length=80, blank=True)
    start = models.CharField(max_length=12)  # first characters, to tell tokens apart
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the token
    scopes = models.JSONField(default=list)  # "read", "play"
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.start}…"
