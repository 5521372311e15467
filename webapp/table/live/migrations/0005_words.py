from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("live", "0004_game_version"),
    ]

    operations = [
        migrations.AddField(
            model_name="liveply",
            name="words",
            field=models.CharField(blank=True, max_length=240),
        ),
    ]
