"""Seats repeat experiment, arm and deal of their match, for result tables."""

import django.db.models.deletion
from django.db import migrations, models

FILL = """
update records_seat s set experiment_id = m.experiment_id, arm_index = m.arm_index, deal = m.deal
from records_match m where m.id = s.match_id
"""


def place(null):
    return {
        "experiment": models.ForeignKey(
            db_index=False,
            null=null,
            on_delete=django.db.models.deletion.CASCADE,
            related_name="seats",
            to="records.experiment",
        ),
        "arm_index": models.PositiveSmallIntegerField(null=null),
        "deal": models.PositiveIntegerField(null=null),
    }


class Migration(migrations.Migration):
    dependencies = [("records", "0002_storage")]

    operations = [
        *(migrations.AddField("seat", name, field) for name, field in place(null=True).items()),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        # Foreign keys are checked at commit: do it now, a table with pending checks cannot be altered.
        migrations.RunSQL("set constraints all immediate", migrations.RunSQL.noop),
        *(migrations.AlterField("seat", name, field) for name, field in place(null=False).items()),
        migrations.AddIndex(
            "seat",
            models.Index(
                fields=["experiment", "arm_index", "lineup_index", "deal"],
                include=["result", "score", "margin"],
                name="seat_by_deal",
            ),
        ),
    ]
