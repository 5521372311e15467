"""Ladders: experiments of a kind of their own, with the last round that was put up."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0011_origin")]

    operations = [
        migrations.AddField("experiment", "plan", models.JSONField(null=True)),
        migrations.AlterField(
            "experiment",
            "kind",
            models.CharField(
                choices=[("experiment", "Experiment"), ("match", "Match"), ("play", "Play"), ("ladder", "Ladder")],
                default="experiment",
                max_length=12,
            ),
        ),
    ]
