from django.db import migrations, models
from django.db.models import Q


def mark(apps, schema_editor):
    matches = apps.get_model("live", "LiveMatch").objects
    again = Q(origin__isnull=False) | Q(renewal__isnull=False) | Q(begun_at_ply__gt=0) | Q(challenge__isnull=False)
    matches.filter(again).update(deal_is_known=True)


class Migration(migrations.Migration):
    dependencies = [
        ("live", "0009_chapter"),
    ]

    operations = [
        migrations.AddField(
            model_name="livematch",
            name="deal_is_known",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="livematch",
            name="counting_failed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
