"""Agents, tokens, and what was answered to requests with a key."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower

from webapp.people.accounts.models import User


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


class Token(models.Model):
    """A secret that lets a program in. Only its hash is kept."""

    label = models.CharField(max_length=80, blank=True)
    start = models.CharField(max_length=12)  # first characters, to tell tokens apart
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the token
    scopes = models.JSONField(default=list)  # of `tokens.SCOPES`, or of `tokens.PERSON_SCOPES`
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.start}…"

    @property
    def who(self) -> str:
        """Name under which its requests are counted."""
        raise NotImplementedError


class AgentToken(Token):
    """A secret that lets a program act as an agent."""

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="tokens")

    @property
    def owner(self) -> User:
        """The person whose agent it is."""
        return self.agent.owner

    @property
    def who(self) -> str:
        """Name under which its requests are counted."""
        return f"token {self.pk}"


class PersonToken(Token):
    """A secret that lets a program do a person's research: experiments, ladders, studies, strategies."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")

    @property
    def who(self) -> str:
        """Name under which its requests are counted."""
        return f"person-token {self.pk}"


class KeptAnswer(models.Model):
    """What a request with a key of its sender's was answered, for the same request that comes again."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="kept_answers")
    key = models.CharField(max_length=64)  # SHA-256 of the sender's key
    request = models.CharField(max_length=64)  # SHA-256 of what was asked
    answer = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "key"], name="kept_answer_once")]

    def __str__(self) -> str:
        return f"{self.owner_id} {self.key[:8]}"
