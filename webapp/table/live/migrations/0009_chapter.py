from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("live", "0008_hints_and_deals"),
    ]

    operations = [
        migrations.AddField(
            model_name="liveply",
            name="chapter",
            field=models.CharField(blank=True, max_length=40),
        ),
    ]
