"""Strategies as their owners keep them; specs hold copies of the data."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Strategy(models.Model):
    """A player that somebody wrote down; data: of the game's form, checked (`games.strategies`)."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="strategies")
    game = models.CharField(max_length=40)
    name = models.CharField(max_length=80)  # that of the data
    data = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index("owner", "game", name="strategy_of_owner")]

    def __str__(self) -> str:
        return self.name
