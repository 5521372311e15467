from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("live", "0012_phrases_and_invitations"),
    ]

    operations = [
        migrations.AddField(
            model_name="livematch",
            name="resumes_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="liveseat",
            name="back",
            field=models.CharField(
                blank=True,
                choices=[("asked", "Asked"), ("agreed", "Agreed"), ("declined", "Declined")],
                default="",
                max_length=8,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="liveseat",
            name="is_ready",
            field=models.BooleanField(default=False),
        ),
        migrations.AddIndex(
            model_name="livematch",
            index=models.Index(
                condition=models.Q(("resumes_at__isnull", False)), fields=["resumes_at"], name="live_paused"
            ),
        ),
    ]
