import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="EngineConfiguration",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64, unique=True)),
                ("engine", models.CharField(max_length=40)),
                ("options", models.JSONField()),
                ("budget", models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name="Experiment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("experiment", "Experiment"), ("match", "Match")], default="experiment", max_length=12
                    ),
                ),
                ("title", models.CharField(max_length=200)),
                ("game", models.CharField(max_length=40)),
                ("spec", models.JSONField()),
                ("num_matches", models.PositiveIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("stopped", "Stopped"),
                            ("finished", "Finished"),
                        ],
                        default="running",
                        max_length=12,
                    ),
                ),
                ("priority", models.SmallIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("served_at", models.DateTimeField(null=True)),
                ("archived_at", models.DateTimeField(null=True)),
                ("was_shared", models.BooleanField(default=False)),
                ("is_featured", models.BooleanField(default=False)),
                ("submission", models.UUIDField(null=True, unique=True)),
                ("notice", models.TextField(blank=True)),
                ("summaries_rebuilt_at", models.DateTimeField(null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="experiments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Chunk",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("arm_index", models.PositiveSmallIntegerField()),
                ("first", models.PositiveIntegerField()),
                ("size", models.PositiveIntegerField()),
                ("written", models.PositiveIntegerField(default=0)),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("claimed", "Claimed"), ("done", "Done")],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("deaths", models.PositiveSmallIntegerField(default=0)),
                ("worker", models.CharField(blank=True, max_length=120)),
                ("claimed_at", models.DateTimeField(null=True)),
                ("done_at", models.DateTimeField(null=True)),
                (
                    "experiment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunks",
                        to="records.experiment",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Arm",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=200)),
                (
                    "experiment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="arms",
                        to="records.experiment",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LineupEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lineup_index", models.PositiveSmallIntegerField()),
                (
                    "arm",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="records.arm",
                    ),
                ),
                (
                    "configuration",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="records.engineconfiguration"),
                ),
            ],
        ),
        migrations.AddField(
            model_name="arm",
            name="configurations",
            field=models.ManyToManyField(through="records.LineupEntry", to="records.engineconfiguration"),
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("arm_index", models.PositiveSmallIntegerField()),
                ("deal", models.PositiveIntegerField()),
                ("rotation", models.PositiveSmallIntegerField()),
                ("seed", models.BigIntegerField()),
                ("deal_seed", models.BigIntegerField()),
                ("status", models.CharField(choices=[("finished", "Finished"), ("failed", "Failed")], max_length=8)),
                ("num_plies", models.PositiveIntegerField()),
                ("digest", models.BigIntegerField()),
                ("versions", models.JSONField()),
                ("failure", models.JSONField(null=True)),
                ("elapsed_s", models.FloatField()),
                ("cpu_s", models.FloatField()),
                ("finished_at", models.DateTimeField()),
                ("worker", models.CharField(blank=True, max_length=120)),
                (
                    "experiment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="matches",
                        to="records.experiment",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Ply",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "match_id", "ply", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("ply", models.PositiveSmallIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("action", models.IntegerField()),
                ("notation", models.CharField(max_length=120)),
                ("legal_count", models.PositiveIntegerField()),
                ("scores", django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None)),
                ("value", models.FloatField(null=True)),
                ("playouts", models.PositiveIntegerField()),
                ("nodes", models.PositiveBigIntegerField()),
                ("depth", models.PositiveSmallIntegerField()),
                ("elapsed_s", models.FloatField()),
                ("cpu_s", models.FloatField()),
                ("digest", models.BigIntegerField()),
                ("info", models.JSONField(null=True)),
                (
                    "match",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="plies",
                        to="records.match",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "match_id", "seat", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("arm_index", models.PositiveSmallIntegerField()),
                ("deal", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("lineup_index", models.PositiveSmallIntegerField()),
                ("score", models.IntegerField(null=True)),
                ("margin", models.IntegerField(null=True)),
                ("rank", models.PositiveSmallIntegerField(null=True)),
                ("result", models.CharField(max_length=4, null=True)),
                ("metrics", models.JSONField(null=True)),
                (
                    "configuration",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="records.engineconfiguration"),
                ),
                (
                    "experiment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="records.experiment",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="records.match",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ShareLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=32, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("withdrawn_at", models.DateTimeField(null=True)),
                (
                    "experiment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="share_links", to="records.experiment"
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="share_links",
                        to="records.match",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Summary",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("metric", models.CharField(max_length=60)),
                ("arm_index", models.PositiveSmallIntegerField()),
                ("lineup_index", models.PositiveSmallIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("ply", models.SmallIntegerField(default=-1)),
                ("shard", models.PositiveSmallIntegerField()),
                ("n", models.PositiveIntegerField()),
                ("total", models.FloatField()),
                ("total_squares", models.FloatField()),
                (
                    "histogram",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveIntegerField(), null=True, size=None
                    ),
                ),
                (
                    "experiment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="summaries",
                        to="records.experiment",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "summaries",
            },
        ),
        migrations.AddIndex(
            model_name="experiment",
            index=models.Index(fields=["owner", "-created_at"], name="experiment_by_owner"),
        ),
        migrations.AddIndex(
            model_name="experiment",
            index=models.Index(
                condition=models.Q(("status", "running")), fields=["-priority", "served_at"], name="experiment_running"
            ),
        ),
        migrations.AddIndex(
            model_name="chunk",
            index=models.Index(
                condition=models.Q(("status__in", ["waiting", "claimed"])),
                fields=["experiment", "first", "arm_index"],
                name="chunk_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="chunk",
            constraint=models.UniqueConstraint(fields=("experiment", "arm_index", "first"), name="chunk_once"),
        ),
        migrations.AddConstraint(
            model_name="lineupentry",
            constraint=models.UniqueConstraint(fields=("arm", "lineup_index"), name="lineup_place_once"),
        ),
        migrations.AddConstraint(
            model_name="arm",
            constraint=models.UniqueConstraint(fields=("experiment", "index"), name="arm_once"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["experiment", "finished_at"], name="match_by_time"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(condition=models.Q(("status", "failed")), fields=["experiment"], name="match_failed"),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.UniqueConstraint(
                fields=("experiment", "arm_index", "deal", "rotation"), name="match_once"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                fields=["experiment", "arm_index", "lineup_index", "deal"],
                include=("result", "score", "margin"),
                name="seat_by_deal",
            ),
        ),
        migrations.AddConstraint(
            model_name="summary",
            constraint=models.UniqueConstraint(
                fields=("experiment", "metric", "arm_index", "lineup_index", "seat", "ply", "shard"),
                name="summary_once",
            ),
        ),
        # What models cannot say: room to update summaries in place.
        migrations.RunSQL(
            "alter table records_summary set (fillfactor = 50)", "alter table records_summary reset (fillfactor)"
        ),
    ]
