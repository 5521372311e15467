"""Tables of the records: experiments, the matches played for them, every ply, and who may see it.

Totals derive from rows. Seed and actions replay every position; `Summary` rows are a
shortcut for pages that `manage.py rebuild_summaries` remakes.

Foreign keys without an index of their own (`db_index=False`) lead a unique index already.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from webapp.common import public_answers
from webapp.records.job import Job, OfOneJob


class EngineConfiguration(models.Model):
    """Engine id, options and budget: one row for each that ever sat at a table."""

    key = models.CharField(max_length=64, unique=True)  # SHA-256 of the canonical JSON
    engine = models.CharField(max_length=60)
    options = models.JSONField()
    budget = models.JSONField()

    def __str__(self) -> str:
        return f"{self.engine} {self.key[:8]}"


class CodeVersion(models.Model):
    """A state of the code that plays (worker.code_version), so that records say which one played."""

    hash = models.CharField(max_length=64, unique=True)  # SHA-256 of the files of games, engines and worker
    commit = models.CharField(max_length=40, blank=True)  # empty where nobody knows
    seen_at = models.DateTimeField()  # first
    is_labs = models.BooleanField(default=False)  # the one of the lab's own processes; one row at most

    def __str__(self) -> str:
        return f"commit {self.commit[:10]}" if self.commit else f"code {self.hash[:10]}"


class Experiment(Job):
    """A batch of matches, a ladder, a single one that somebody scheduled (kind "match"), or one that was played."""

    class Kind(models.TextChoices):
        EXPERIMENT = "experiment"
        MATCH = "match"
        PLAY = "play"  # a single match that people or agents played
        LADDER = "ladder"  # engines that are rated by matches with each other

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="experiments")
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.EXPERIMENT)
    secret_seed = models.BigIntegerField(null=True)  # drawn where agents take part, and then not in the spec
    num_matches = models.PositiveIntegerField()
    origin = models.ForeignKey("self", models.SET_NULL, null=True, related_name="runs")  # what it runs again
    outcome = models.JSONField(null=True)  # what its stop rule has decided so far, see webapp.records.looks
    plan = models.JSONField(null=True)  # of a ladder: its last round, see webapp.records.ladders
    rows_a_match = models.FloatField(null=True)  # estimated, see webapp.lab.quotas; null: not yet
    bytes_a_match = models.FloatField(null=True)
    speed = models.FloatField(null=True)  # of the machine that began it, where it thinks by the clock: see `speeds`
    is_featured = models.BooleanField(default=False)  # may stand on the start page
    summaries_rebuilt_at = models.DateTimeField(null=True)  # numbers kept by web processes are older than this

    class Meta:
        indexes = [
            models.Index(fields=["owner", "-created_at"], name="experiment_by_owner"),
            models.Index(
                fields=["-priority", "served_at"],
                name="experiment_running",
                condition=models.Q(status="running"),
            ),
        ]

    @property
    def word(self) -> str:
        """Its kind of job in a word: a ladder is one of its own, with the same rows."""
        return self.Kind.LADDER.value if self.kind == self.Kind.LADDER else self.field

    @property
    def has_agents(self) -> bool:
        """Whether agents take part: then every match has a deal of its own."""
        return self.secret_seed is not None

    @property
    def hides_people(self) -> bool:
        """Whether other people than the owner go without their names: what is being made is for everybody."""
        return public_answers.is_public()

    @property
    def is_secret(self) -> bool:
        """Whether seeds and digests of its matches must not be seen: agents still play, or may go on."""
        return self.has_agents and self.status != self.Status.FINISHED

    @property
    def shown_seed(self) -> int | None:
        """The seed as anybody may see it; None while it is secret."""
        if self.has_agents:
            return None if self.is_secret else self.secret_seed
        found: int | None = self.spec.get("seed")
        return found


class Arm(models.Model):
    """One line-up of an experiment."""

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="arms", db_index=False)
    index = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=200)
    configurations = models.ManyToManyField(EngineConfiguration, through="LineupEntry")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["experiment", "index"], name="arm_once")]

    def __str__(self) -> str:
        return self.name


class LineupEntry(models.Model):
    """The engine configuration at one place of an arm's line-up."""

    arm = models.ForeignKey(Arm, models.CASCADE, related_name="entries", db_index=False)
    lineup_index = models.PositiveSmallIntegerField()
    configuration = models.ForeignKey(EngineConfiguration, models.PROTECT)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["arm", "lineup_index"], name="lineup_place_once")]


class Chunk(models.Model):
    """Consecutive matches of one arm, claimed by one worker at a time.

    The matches have ordinals first .. first + size - 1, where an ordinal is
    deal * rotations + rotation. They are written in this order, so `written` of them are
    always a prefix; a chunk whose worker died is cut there and its rest split. A claimed chunk
    whose advisory lock is free has lost its worker (webapp.records.locks).
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        CLAIMED = "claimed"
        DONE = "done"

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="chunks", db_index=False)
    arm_index = models.PositiveSmallIntegerField()
    first = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    written = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    deaths = models.PositiveSmallIntegerField(default=0)  # attempts whose worker died
    worker = models.CharField(max_length=120, blank=True)
    claimed_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["experiment", "arm_index", "first"], name="chunk_once")]
        indexes = [
            models.Index(
                fields=["experiment", "first", "arm_index"],
                name="chunk_open",
                condition=models.Q(status__in=["waiting", "claimed"]),
            ),
            models.Index(fields=["experiment"], name="chunk_held", condition=models.Q(status="claimed")),
        ]


class Match(models.Model):
    """One match that ended: finished with a result, or failed with a reason."""

    class Status(models.TextChoices):
        FINISHED = "finished"
        FAILED = "failed"

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="matches", db_index=False)
    arm_index = models.PositiveSmallIntegerField()
    deal = models.PositiveIntegerField()
    rotation = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()  # 63 bits
    deal_seed = models.BigIntegerField()
    renewal = models.JSONField(null=True)  # draws from another seed from some ply on, see worker.course.Renewal
    status = models.CharField(max_length=8, choices=Status)
    num_plies = models.PositiveIntegerField()
    digest = models.BigIntegerField()
    versions = models.JSONField()  # {"carcassonne": "1", "flat_mc": "1", ...}
    failure = models.JSONField(null=True)  # {"seat", "kind", "message"}
    elapsed_s = models.FloatField()
    cpu_s = models.FloatField()
    finished_at = models.DateTimeField()
    worker = models.CharField(max_length=120, blank=True)
    code = models.ForeignKey(CodeVersion, models.PROTECT, null=True, related_name="+", db_index=False)  # that played it

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["experiment", "arm_index", "deal", "rotation"], name="match_once")
        ]
        indexes = [
            models.Index(fields=["experiment", "finished_at"], name="match_by_time"),
            models.Index(fields=["experiment"], name="match_failed", condition=models.Q(status="failed")),
        ]


class Seat(models.Model):
    """One seat of an ended match; score, rank and result are null where the match failed.

    Experiment, arm and deal repeat those of the match: result tables add seats up by deal, and
    at 100,000 matches a join would cost them five times as much as the index alone.
    """

    pk = models.CompositePrimaryKey("match_id", "seat")
    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="seats", db_index=False)
    arm_index = models.PositiveSmallIntegerField()
    deal = models.PositiveIntegerField()
    match = models.ForeignKey(Match, models.CASCADE, related_name="seats", db_index=False)
    seat = models.PositiveSmallIntegerField()
    lineup_index = models.PositiveSmallIntegerField()
    configuration = models.ForeignKey(EngineConfiguration, models.PROTECT)
    score = models.IntegerField(null=True)
    margin = models.IntegerField(null=True)  # own score minus best opponent's
    rank = models.PositiveSmallIntegerField(null=True)
    result = models.CharField(max_length=4, null=True)  # win, draw, loss
    metrics = models.JSONField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["experiment", "arm_index", "lineup_index", "deal"],
                include=["result", "score", "margin", "seat", "rank"],
                name="seat_by_deal",
            )
        ]


class Ply(models.Model):
    """One action by one seat (see worker.records.PlyRecord).

    Plies are written in the transaction that inserts their match, so a constraint in the
    database could only fail where rows are deleted by hand; checking it costs a quarter of
    the recording speed.
    """

    pk = models.CompositePrimaryKey("match_id", "ply")
    match = models.ForeignKey(Match, models.CASCADE, related_name="plies", db_index=False, db_constraint=False)
    ply = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    action = models.IntegerField()
    notation = models.CharField(max_length=120)
    legal_count = models.PositiveIntegerField()
    scores = ArrayField(models.IntegerField())
    value = models.FloatField(null=True)
    playouts = models.PositiveBigIntegerField()
    nodes = models.PositiveBigIntegerField()
    depth = models.PositiveSmallIntegerField()
    elapsed_s = models.FloatField()
    cpu_s = models.FloatField()
    digest = models.BigIntegerField()
    info = models.JSONField(null=True)


class Summary(models.Model):
    """Mergeable totals of matches: what charts draw, without reading every row.

    Each transaction that inserts matches adds exactly those matches here. `shard` spreads the
    rows that concurrent workers add to: readers sum over it. ply: -1 for numbers of a whole
    match; histogram: counts in the fixed bins of the metric (webapp.records.metrics).
    """

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="summaries", db_index=False)
    metric = models.CharField(max_length=60)
    arm_index = models.PositiveSmallIntegerField()
    lineup_index = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    ply = models.SmallIntegerField(default=-1)
    shard = models.PositiveSmallIntegerField()
    n = models.PositiveIntegerField()
    total = models.FloatField()
    total_squares = models.FloatField()
    histogram = ArrayField(models.PositiveIntegerField(), null=True)

    class Meta:
        verbose_name_plural = "summaries"
        constraints = [
            models.UniqueConstraint(
                fields=["experiment", "metric", "arm_index", "lineup_index", "seat", "ply", "shard"],
                name="summary_once",
            )
        ]


class Study(Job):
    """A job that is not matches: pieces of work of one kind (worker.studies), and what they say."""

    class Queue(models.TextChoices):
        BATCH = "batch"
        ANALYSIS = "analysis"  # somebody waits for it

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="studies", db_index=False)
    asked_by = models.ForeignKey(  # who had it made, where that gives them no say over it: null, the owner
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="asked_studies", null=True
    )
    kind = models.CharField(max_length=40)
    version = models.CharField(max_length=20)  # of the kind, when the study was made
    queue = models.CharField(max_length=12, choices=Queue, default=Queue.BATCH)
    num_pieces = models.PositiveIntegerField()
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="studies", db_index=False)
    ply = models.PositiveSmallIntegerField(null=True)  # of the match: the position that is studied

    class Meta:
        verbose_name_plural = "studies"
        indexes = [
            models.Index(fields=["owner", "-created_at"], name="study_by_owner"),
            models.Index(
                fields=["queue", "-priority", "served_at"],
                name="study_running",
                condition=models.Q(status="running"),
            ),
            models.Index(fields=["match", "ply"], name="study_by_ply", condition=models.Q(match__isnull=False)),
        ]


class Usage(models.Model):
    """Time that workers gave a person lately, halved every minute (webapp.records.turns)."""

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    used_s = models.FloatField()
    used_at = models.DateTimeField()  # when it was so much

    class Meta:
        verbose_name_plural = "usage"


class UsageDay(models.Model):
    """CPU time that experiments and studies of a person took on a day, in UTC (webapp.records.cpu_weeks)."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    cpu_s = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "day"], name="usage_day_once")]


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


class StudyPiece(models.Model):
    """One piece of a study, claimed by one worker at a time; its row when it is done.

    A claimed piece whose advisory lock is free has lost its worker (webapp.records.locks).
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        CLAIMED = "claimed"
        DONE = "done"
        FAILED = "failed"

    study = models.ForeignKey(Study, models.CASCADE, related_name="pieces", db_index=False)
    index = models.PositiveIntegerField()
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    deaths = models.PositiveSmallIntegerField(default=0)  # attempts whose worker died
    worker = models.CharField(max_length=120, blank=True)
    claimed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    row = models.JSONField(null=True)
    failure = models.TextField(blank=True)
    versions = models.JSONField(null=True)  # {"complexity": "1", "carcassonne": "2"}
    cpu_s = models.FloatField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "index"], name="piece_once")]
        indexes = [
            models.Index(
                fields=["study", "index"],
                name="piece_open",
                condition=models.Q(status__in=["waiting", "claimed"]),
            ),
            models.Index(fields=["study"], name="piece_held", condition=models.Q(status="claimed")),
        ]


class ShareLink(OfOneJob):
    """A public address of an experiment, of one match of it, or of a study; withdrawn links stay as rows."""

    slug = models.CharField(max_length=32, unique=True)
    experiment = models.ForeignKey(Experiment, models.CASCADE, null=True, related_name="share_links")
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="share_links")
    study = models.ForeignKey(Study, models.CASCADE, null=True, related_name="share_links")
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(experiment__isnull=False, study__isnull=True)
                | models.Q(experiment__isnull=True, match__isnull=True, study__isnull=False),
                name="share_of_one",
            )
        ]

    def __str__(self) -> str:
        return self.slug
