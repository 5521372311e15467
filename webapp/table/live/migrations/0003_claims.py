"""Workers note which engine's ply they think about."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("live", "0002_leaving")]

    operations = [
        migrations.AddField(
            model_name="livematch",
            name="worker",
            field=models.CharField(blank=True, max_length=120, default=""),
            preserve_default=False,
        ),
        migrations.AddField(model_name="livematch", name="claimed_at", field=models.DateTimeField(null=True)),
    ]
