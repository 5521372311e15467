from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("live", "0005_words"),
    ]

    operations = [
        migrations.AddField(
            model_name="liveply",
            name="is_reply",
            field=models.BooleanField(default=False),
        ),
    ]
