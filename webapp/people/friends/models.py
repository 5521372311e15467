"""Friendships, blocks, and when somebody was here last."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least


class Friendship(models.Model):
    """The one row of two people: a request, and what became of it.

    To its asker a request that was declined, or that meets a block, looks like one that waits.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        ACCEPTED = "accepted"
        DECLINED = "declined"

    asker = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="friendships_asked")
    asked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="friendships_got")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    is_withdrawn = models.BooleanField(default=False)  # by its asker; neither of the two sees it then
    asked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(Least("asker", "asked"), Greatest("asker", "asked"), name="friends_pair_once"),
            models.CheckConstraint(condition=~Q(asker=F("asked")), name="friends_are_two"),
        ]

    def __str__(self) -> str:
        return f"{self.asker_id} to {self.asked_id}: {self.state}"


class Block(models.Model):
    """One person wants to hear nothing of another, who is not told."""

    blocker = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks_met")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["blocker", "blocked"], name="friends_block_once")]

    def __str__(self) -> str:
        return f"{self.blocker_id} blocks {self.blocked_id}"


class Presence(models.Model):
    """The last time that a person was seen on pages of play, and at a table; friends are shown it."""

    person = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="presence")
    seen_at = models.DateTimeField()
    table_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.person_id} at {self.seen_at}"
