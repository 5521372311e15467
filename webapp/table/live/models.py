"""Matches in play: who sits where, what has been played, whose turn it is.

All of a match in play is its rows: the position is walked from seed and actions
(`webapp.table.live.position_cache`). When it is over it becomes a `records.Match` like any other.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from webapp.people.agents.models import Agent
from webapp.records.models import EngineConfiguration, Experiment, Match


class LiveMatch(models.Model):
    """A match that people or agents take part in.

    Each change locks this row first, and raises `version` by one: pages and agents wait
    for the next version.
    """

    class Status(models.TextChoices):
        OPEN = "open"  # seats wait for people or agents
        RUNNING = "running"
        FINISHED = "finished"  # played to its end
        ENDED = "ended"  # over before its end: resigned, agreed, forfeited, failed
        CANCELLED = "cancelled"  # over before its start

    class Visibility(models.TextChoices):
        PRIVATE = "private"  # for those who sit at it
        UNLISTED = "unlisted"  # for everybody who has the address
        PUBLIC = "public"  # in the lobby

    code = models.CharField(max_length=16, unique=True)  # names it in addresses
    creator = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="live_matches", null=True)
    game = models.CharField(max_length=40)
    game_version = models.CharField(max_length=20, blank=True)  # when it was opened; empty: not known
    options = models.JSONField()
    num_seats = models.PositiveSmallIntegerField()
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PRIVATE)
    has_aids = models.BooleanField(default=True)
    is_rated = models.BooleanField(default=False)  # see live.rated_rules: no hints, nothing is taken back
    counting_failed_at = models.DateTimeField(null=True)  # last attempt to count it for ratings that failed
    spectator_delay = models.PositiveSmallIntegerField(default=0)  # plies that spectators see late
    ply_limit_s = models.PositiveIntegerField(null=True)  # a person or agent away for longer is replaced, or forfeits
    clock_s = models.FloatField(null=True)  # for all plies of a seat; who runs out forfeits
    increment_s = models.FloatField(default=0.0)  # given back to the clock of a seat for each ply of its own
    replaces_absent = models.BooleanField(default=True)  # an engine takes over; else the absent seat forfeits

    # Luck. Nothing of it leaves the server before the match is over, but the commitment.
    seed = models.BigIntegerField()  # of the engines' searches
    deal_seed = models.BigIntegerField()
    salt = models.CharField(max_length=32)
    commitment = models.CharField(max_length=64)  # SHA-256 of "salt:deal_seed"

    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    version = models.PositiveIntegerField(default=1)
    ply = models.PositiveIntegerField(default=0)  # plies played
    digest = models.BigIntegerField(default=0)  # of the last ply
    on_turn = models.PositiveSmallIntegerField(null=True)  # null: nobody, the match is not running
    turn_began_at = models.DateTimeField(null=True)
    resumes_at = models.DateTimeField(null=True)  # between two rounds: when it goes on at the latest (between_rounds)
    is_engine_due = models.BooleanField(default=False)  # an engine is on turn
    queue = models.CharField(max_length=12, default="interactive")
    attempts = models.PositiveSmallIntegerField(default=0)  # at this ply, that ended in a death or an error
    worker = models.CharField(max_length=120, blank=True)  # whose engine thinks about this ply (live.engine_queue)
    claimed_at = models.DateTimeField(null=True)
    is_taken_back = models.BooleanField(default=False)  # a ply was taken back at some time: practised, see taking_back
    spent_keys = ArrayField(models.CharField(max_length=64), default=list)  # of plies that were taken back
    invite = models.CharField(max_length=32)  # key in the link that admits people to its open seats
    # Played on from a position of another match, with its draws or, from there on, with others.
    origin = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="played_on")
    begun_at_ply = models.PositiveIntegerField(default=0)  # number of plies that are those of the origin
    renewal = models.JSONField(null=True)  # see worker.course.Renewal; a secret like the seeds
    challenge = models.ForeignKey("Challenge", models.SET_NULL, null=True, related_name="matches")  # whose deal it has
    deal_is_known = models.BooleanField(default=False)  # somebody may have seen its deal: played on, or a challenge
    rematch_of = models.ForeignKey("self", models.SET_NULL, null=True, related_name="rematches")

    # A match of an experiment with agents; null for one of its own.
    experiment = models.ForeignKey(Experiment, models.CASCADE, null=True, related_name="live_matches")
    arm_index = models.PositiveSmallIntegerField(default=0)
    deal = models.PositiveIntegerField(default=0)
    rotation = models.PositiveSmallIntegerField(default=0)

    match = models.OneToOneField(Match, models.SET_NULL, null=True, related_name="live_match")  # its record
    ending = models.JSONField(null=True)  # {"kind": "finished" | "resigned" | ..., "seat": 0 or null, "message"}
    spoken_at = models.DateTimeField(null=True)  # the last phrase that somebody said, see `live.phrases`
    submission = models.UUIDField(null=True, unique=True)  # one per shown form: a double click opens one match
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "live matches"
        indexes = [
            models.Index(fields=["queue", "turn_began_at"], name="live_due", condition=models.Q(is_engine_due=True)),
            models.Index(
                fields=["visibility", "-created_at"],
                name="live_listed",
                condition=models.Q(status__in=["open", "running"]),
            ),
            models.Index(fields=["ended_at"], name="live_rated", condition=models.Q(is_rated=True)),
            models.Index(fields=["resumes_at"], name="live_paused", condition=models.Q(resumes_at__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["experiment", "arm_index", "deal", "rotation"],
                condition=models.Q(experiment__isnull=False),
                name="live_once",
            )
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def committed_seed(self) -> int:
        """The seed that `commitment` stands for: of the draws that nobody knew when the match was opened."""
        return int(self.renewal["seed"]) if self.renewal else int(self.deal_seed)

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen in it."""
        return self.status not in (self.Status.OPEN, self.Status.RUNNING)


class Challenge(models.Model):
    """The deal of a finished match: anybody with its address may play it, in the same seat against the same engines."""

    code = models.CharField(max_length=32, unique=True)
    origin = models.OneToOneField(LiveMatch, models.CASCADE, related_name="challenged")
    seat = models.PositiveSmallIntegerField()  # the challenger's
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.code


class LiveSeat(models.Model):
    """One seat: a person, an agent, an engine, or nobody yet."""

    class Kind(models.TextChoices):
        OPEN = "open"
        PERSON = "person"
        AGENT = "agent"
        ENGINE = "engine"

    class Back(models.TextChoices):
        """Words on a decision that its player asks to take back, see `taking_back`."""

        ASKED = "asked"
        AGREED = "agreed"
        DECLINED = "declined"

    pk = models.CompositePrimaryKey("match_id", "seat")
    match = models.ForeignKey(LiveMatch, models.CASCADE, related_name="seats", db_index=False)
    seat = models.PositiveSmallIntegerField()
    lineup_index = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    # Who sits there, or sat there until an engine took over: they may still look at the match.
    # Null again where the account or agent was deleted.
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="live_seats")
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, related_name="live_seats")
    configuration = models.ForeignKey(EngineConfiguration, models.PROTECT, null=True)  # of an engine
    level = models.CharField(max_length=20, blank=True)  # id of the engine's level, where it is one
    name = models.CharField(max_length=200)  # as tables show it
    used_s = models.FloatField(default=0.0)  # on its clock, less what increments gave: may be negative
    replaced = models.JSONField(null=True)  # who sat here before an engine took over, see `substitute_engines.sit_down`
    offers_end = models.BooleanField(default=False)
    back = models.CharField(max_length=8, choices=Back, blank=True)  # until the next ply; empty: nothing was said
    is_ready = models.BooleanField(default=False)  # between two rounds: its person has gone on
    allows_hints = models.BooleanField(default=False)  # its person agrees to hints at a table with other people
    hints_used = models.PositiveSmallIntegerField(default=0)  # hints that its person was given
    seen_at = models.DateTimeField(null=True)  # last word of its person or agent

    class Meta:
        indexes = [
            models.Index(fields=["person"], name="live_seat_of_person", condition=models.Q(person__isnull=False)),
            models.Index(fields=["agent"], name="live_seat_of_agent", condition=models.Q(agent__isnull=False)),
        ]


class LivePly(models.Model):
    """One action of a match in play; what it holds is what `records.Ply` keeps, and who did it."""

    pk = models.CompositePrimaryKey("match_id", "ply")
    match = models.ForeignKey(LiveMatch, models.CASCADE, related_name="plies", db_index=False)
    ply = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    action = models.IntegerField()
    notation = models.CharField(max_length=120)
    words = models.CharField(max_length=240, blank=True)  # for people; empty: an older version played it
    is_reply = models.BooleanField(default=False)  # to something played before: lists of moves set it in
    chapter = models.CharField(max_length=40, blank=True)  # the round or turn, see `games.chapters`; empty: none
    legal_count = models.PositiveIntegerField()
    scores = ArrayField(models.IntegerField())
    value = models.FloatField(null=True)
    playouts = models.PositiveIntegerField(default=0)
    nodes = models.PositiveBigIntegerField(default=0)
    depth = models.PositiveSmallIntegerField(default=0)
    elapsed_s = models.FloatField(default=0.0)
    cpu_s = models.FloatField(default=0.0)
    digest = models.BigIntegerField()
    info = models.JSONField(null=True)
    played_by = models.CharField(max_length=8, choices=LiveSeat.Kind)
    key = models.CharField(max_length=64, blank=True)  # of the request: the same one again does nothing
    played_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "live plies"
        constraints = [
            models.UniqueConstraint(fields=["match", "key"], condition=~models.Q(key=""), name="live_ply_key_once")
        ]


class LiveHint(models.Model):
    """An engine's advice to a seat in one position; only the player of the seat sees it.

    A claimed hint whose advisory lock is free has lost its worker.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        CLAIMED = "claimed"
        DONE = "done"
        FAILED = "failed"

    match = models.ForeignKey(LiveMatch, models.CASCADE, related_name="hints", db_index=False)
    seat = models.PositiveSmallIntegerField()
    ply = models.PositiveIntegerField()
    digest = models.BigIntegerField()  # of the ply before
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    progress = models.FloatField(default=0.0)  # 0 to 1
    result = models.JSONField(null=True)  # see worker.action_values.advice
    deaths = models.PositiveSmallIntegerField(default=0)  # attempts whose worker died
    worker = models.CharField(max_length=120, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="live_hint_once")]
        indexes = [
            models.Index(
                fields=["asked_at"], name="live_hint_due", condition=models.Q(status__in=["waiting", "claimed"])
            )
        ]


class DealSight(models.Model):
    """A deal, and a person who has looked at a match of it without a seat there (`live.deal_sights`)."""

    deal_seed = models.BigIntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="deal_sights", db_index=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "deal_seed"], name="live_deal_seen_once")]

    def __str__(self) -> str:
        return f"of {self.person_id}"


class LivePhrase(models.Model):
    """A ready phrase that a person said at a table; kept for a minute (`live.phrases`)."""

    match = models.ForeignKey(LiveMatch, models.CASCADE, related_name="phrases")
    seat = models.PositiveSmallIntegerField()
    phrase = models.CharField(max_length=20)  # id in `phrase_list`
    ply = models.PositiveIntegerField()  # after which it was said: spectators who see the match late hear it late
    said_at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return self.phrase


class LiveInvitation(models.Model):
    """An invitation of a friend by name to the open seats of a match (`live.invitations`)."""

    match = models.ForeignKey(LiveMatch, models.CASCADE, related_name="invitations", db_index=False)
    inviter = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations_sent")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations")
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)
    declined_at = models.DateTimeField(null=True)  # the inviter is not told

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "person"], name="live_invited_once")]

    def __str__(self) -> str:
        return f"to match {self.match_id}"
