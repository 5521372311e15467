"""Ratings by person and game, and every rated match with the numbers before and after it."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from webapp.people.agents.models import Agent
from webapp.table.live.models import LiveMatch

PAPERS = "paper"
"""Pool of what was played before there were two: `live.rated_rules.PAPER`, which would load the games here."""


class Rating(models.Model):
    """A person or agent in one game by one set of rules: what all rated matches so far make of them.

    Both are null where the account or agent is gone: the numbers stay, for those they played with.
    """

    game = models.CharField(max_length=40)
    rules = models.CharField(max_length=8, default=PAPERS)  # its pool (live.rated_rules.POOLS)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="ratings", null=True)
    agent = models.ForeignKey(Agent, models.SET_NULL, related_name="ratings", null=True)
    mean = models.FloatField()  # points (ratings.scale)
    deviation = models.FloatField()  # by the player's own matches
    anchor_error = models.FloatField(default=0.0)  # standard error by the anchors' own, which others share
    leaning = models.JSONField(default=dict)  # part of each anchor in the mean (worker.analysis.skills)
    version = models.PositiveSmallIntegerField(default=1)  # scale.VERSION that all its matches were counted by
    num_matches = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(null=True)  # end of the last match that counted

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "rules", "person"], name="rating_of_person"),
            models.UniqueConstraint(fields=["game", "rules", "agent"], name="rating_of_agent"),
        ]
        indexes = [models.Index(fields=["game", "rules", "-mean"], name="rating_board")]

    def __str__(self) -> str:
        return f"{self.game} {self.mean:.0f}"


class RatedMatch(models.Model):
    """A rated match that is over, dealt with once.

    Its number (`pk`) is drawn while nobody else counts for the game: matches were counted in the
    order of their numbers, so counting anew gives the same.
    """

    live = models.OneToOneField(LiveMatch, models.SET_NULL, related_name="rated", null=True)
    game = models.CharField(max_length=40)
    rules = models.CharField(max_length=8, default=PAPERS)
    ended_at = models.DateTimeField()
    why_not = models.CharField(max_length=200, blank=True)  # why it does not count; empty: it does

    def __str__(self) -> str:
        return f"{self.game} {self.pk}"


class RatedSeat(models.Model):
    """One seat of a rated match that counts: who, on which side, how they came out, and what it did.

    rating null: an anchor (`level`), or somebody whose account was gone when the match ended.
    """

    pk = models.CompositePrimaryKey("match_id", "seat")
    match = models.ForeignKey(RatedMatch, models.CASCADE, related_name="seats", db_index=False)
    seat = models.PositiveSmallIntegerField()
    rating = models.ForeignKey(Rating, models.PROTECT, related_name="seats", null=True)
    level = models.CharField(max_length=20, blank=True)
    name = models.CharField(max_length=200)  # as the table showed it
    side = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()  # of the side, 1 is best
    result = models.CharField(max_length=4)  # win, draw, loss
    mean_before = models.FloatField()
    deviation_before = models.FloatField()
    anchor_error_before = models.FloatField(default=0.0)
    mean_after = models.FloatField()
    deviation_after = models.FloatField()
    anchor_error_after = models.FloatField(default=0.0)
