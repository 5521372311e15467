"""Deals that are played from both sides, by two people, against one level."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from webapp.table.live.models import LiveMatch


class DuplicateDeal(models.Model):
    """A deal of the standing invitation. Its seed is a secret: nobody is given a deal that they have met."""

    game = models.CharField(max_length=40)
    rules = models.CharField(max_length=8)  # its pool (live.rated_rules.POOLS)
    level = models.CharField(max_length=20)  # id of the level in all other seats
    deal_seed = models.BigIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["game", "rules", "level"], name="duplicate_of_level")]

    def __str__(self) -> str:
        return f"{self.game} {self.pk}"


class DuplicateLeg(models.Model):
    """One side of a deal, and the match in which a person plays it."""

    deal = models.ForeignKey(DuplicateDeal, models.CASCADE, related_name="legs")
    seat = models.PositiveSmallIntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="duplicate_legs", null=True)
    match = models.OneToOneField(LiveMatch, models.SET_NULL, related_name="duplicate_leg", null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deal", "seat"], name="duplicate_seat_once"),
            models.UniqueConstraint(fields=["deal", "person"], name="duplicate_person_once"),
        ]

    def __str__(self) -> str:
        return f"{self.deal_id}, seat {self.seat}"
