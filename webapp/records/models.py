"""Tables of the records: experiments, the matches played for them, every ply, and who may see it.

Totals derive from rows. Seed and actions replay every position; `Summary` rows are a
shortcut for pages that `manage.py rebuild_summaries` remakes.

Foreign keys without an index of their own (`db_index=False`) lead a unique index already.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Coalesce

from webapp.common import public_answers
from webapp.records import check_models as check_models  # its tables are of this app
from webapp.records import snapshot_models as snapshot_models  # so that its table is known
from webapp.records.job import Job, OfOneJob
from webapp.records.waiting_models import WaitingSummary as WaitingSummary
from webapp.records.worker_models import CodeVersion

UNKNOWN_MARGIN = -1_000_000
"""Place of matches without a result among those sorted by margin."""


class EngineConfiguration(models.Model):
    """Engine id, options and budget: one row for each that ever sat at a table."""

    key = models.CharField(max_length=64, unique=True)  # SHA-256 of the canonical JSON
    engine = models.CharField(max_length=60)
    options = models.JSONField()
    budget = models.JSONField()

    def __str__(self) -> str:
        return f"{self.engine} {self.key[:8]}"


class PresentExperiments(models.Manager["Experiment"]):
    """All experiments but those that were deleted and still go bit by bit (webapp.records.removal)."""

    def get_queryset(self) -> models.QuerySet[Experiment]:
        """Without those that are being removed."""
        return super().get_queryset().exclude(kind=Experiment.Kind.REMOVED)


class Experiment(Job):
    """A batch of matches, a ladder, a single one that somebody scheduled (kind "match"), or one that was played."""

    class Kind(models.TextChoices):
        EXPERIMENT = "experiment"
        MATCH = "match"
        PLAY = "play"  # a single match that people or agents played
        LADDER = "ladder"  # engines that are rated by matches with each other
        REMOVED = "removed"  # deleted: nobody's any more, and its rows go bit by bit

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

    plies_gone_to = models.BigIntegerField(null=True)  # plies of matches up to this id are removed (`retention`)
    plies_gone_at = models.DateTimeField(null=True)  # all of them
    plies_filed_at = models.DateTimeField(null=True)  # from then on plies are read from its files (`archive`)
    plies_returned_at = models.DateTimeField(null=True)  # they came back from files, and stay as if it had just ended

    objects = PresentExperiments()
    with_removed = models.Manager["Experiment"]()

    class Meta:
        indexes = [
            models.Index(fields=["owner", "-created_at"], name="experiment_by_owner"),
            models.Index(fields=["finished_at"], name="experiment_by_end"),
            models.Index(fields=["-created_at"], name="experiment_by_time"),  # everybody's, for staff
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
    def keeps_plies(self) -> bool:
        """Whether plies are recorded, and still there."""
        return self.spec.get("record") != "matches" and self.plies_gone_to is None

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
            models.Index(fields=["experiment", "finished_at", "id"], name="match_by_end"),
            models.Index(fields=["experiment"], name="match_failed", condition=models.Q(status="failed")),
            # orders of the list of matches
            models.Index(fields=["experiment", "deal", "id"], name="match_by_deal"),
            models.Index(fields=["experiment", "num_plies", "id"], name="match_by_plies"),
            models.Index(fields=["experiment", "cpu_s", "id"], name="match_by_cpu"),
        ]


class Seat(models.Model):
    """One seat of an ended match; score, rank and result are null where the match failed.

    Experiment, arm and deal repeat those of the match: result tables add seats up by deal, and
    at 100,000 matches a join would cost them five times as much as the index alone. They are written
    in the transaction that inserts their match, whose experiment has the configurations in its
    line-ups, so constraints in the database could only fail where rows are deleted by hand; checking
    three a seat is two fifths of what Postgres spends on a match of four seats without plies.
    """

    pk = models.CompositePrimaryKey("match_id", "seat")
    experiment = models.ForeignKey(
        Experiment, models.CASCADE, related_name="seats", db_index=False, db_constraint=False
    )
    arm_index = models.PositiveSmallIntegerField()
    deal = models.PositiveIntegerField()
    match = models.ForeignKey(Match, models.CASCADE, related_name="seats", db_index=False, db_constraint=False)
    seat = models.PositiveSmallIntegerField()
    lineup_index = models.PositiveSmallIntegerField()
    configuration = models.ForeignKey(EngineConfiguration, models.PROTECT, db_constraint=False)
    score = models.IntegerField(null=True)
    margin = models.IntegerField(null=True)  # own score minus best opponent's
    rank = models.PositiveSmallIntegerField(null=True)
    result = models.CharField(max_length=4, null=True)  # win, draw, loss
    counts = ArrayField(models.SmallIntegerField(null=True), null=True)  # see webapp.records.metric_numbers
    measures = ArrayField(models.FloatField(null=True), null=True)
    metrics = models.JSONField(null=True)  # both in rows of before, which are rewritten bit by bit

    class Meta:
        indexes = [
            models.Index(
                fields=["experiment", "arm_index", "lineup_index", "deal"],
                include=["result", "score", "margin", "seat", "rank"],
                name="seat_by_deal",
            ),
            models.Index(  # ends with what the list of matches filters by, so that it passes over others in the index
                "experiment",
                "lineup_index",
                Coalesce("margin", UNKNOWN_MARGIN),
                "match",
                "arm_index",
                "result",
                name="seat_by_margin",
            ),
            models.Index(fields=["match"], name="seat_of_before", condition=models.Q(metrics__isnull=False)),
        ]


class MetricNames(models.Model):
    """Names of a game's metrics in the order in which seats hold their numbers (webapp.records.metric_numbers)."""

    game = models.CharField(max_length=40, primary_key=True)
    counts = ArrayField(models.CharField(max_length=60))
    measures = ArrayField(models.CharField(max_length=60))

    class Meta:
        verbose_name_plural = "metric names"

    def __str__(self) -> str:
        return self.game


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


class PlyFile(models.Model):
    """A file of the archive with the plies of consecutive matches of an experiment (webapp.records.archive)."""

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="ply_files", db_index=False)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=200)  # its path in the folder
    sha256 = models.CharField(max_length=64)
    list_sha256 = models.CharField(max_length=64)  # of the list of its matches and their digests
    size = models.PositiveBigIntegerField()  # bytes
    first_match = models.BigIntegerField()  # ids that it is about
    last_match = models.BigIntegerField()
    matches = models.PositiveIntegerField()  # of them with plies
    plies = models.PositiveBigIntegerField()
    written_at = models.DateTimeField(auto_now_add=True)
    rows_gone_at = models.DateTimeField(null=True)  # its plies are no longer in Postgres
    checked_at = models.DateTimeField(null=True)  # its checksum was last compared
    damage = models.TextField(blank=True)  # what was wrong when it was last read

    class Meta:
        constraints = [models.UniqueConstraint(fields=["experiment", "number"], name="ply_file_once")]

    def __str__(self) -> str:
        return self.name


class Summary(models.Model):
    """Mergeable totals of matches: what charts draw, without reading every row.

    Each transaction that inserts matches adds exactly those matches here, or as a `WaitingSummary`. `shard` spreads the
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


class DealBlock(models.Model):
    """The answer of a statement about some deals of an experiment that are over (webapp.lab.results.deal_blocks)."""

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="deal_blocks", db_index=False)
    key = models.CharField(max_length=64)  # SHA-256 of the statement
    rows = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["experiment", "key"], name="deal_block_once")]


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
            models.Index(fields=["finished_at"], name="study_by_end"),
            models.Index(fields=["-created_at"], name="study_by_time"),
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
