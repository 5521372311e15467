from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("live", "0010_deal_is_known"),
    ]

    operations = [
        migrations.AddField(
            model_name="livematch",
            name="increment_s",
            field=models.FloatField(default=0.0),
        ),
    ]
