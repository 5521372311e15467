"""Studies that somebody waits for have a queue of their own: `interactive` is for matches with people."""

from django.db import migrations, models


def rename(apps, schema_editor, before, after):
    apps.get_model("records", "Study").objects.filter(queue=before).update(queue=after)


def to_analysis(apps, schema_editor):
    rename(apps, schema_editor, "interactive", "analysis")


def to_interactive(apps, schema_editor):
    rename(apps, schema_editor, "analysis", "interactive")


class Migration(migrations.Migration):
    dependencies = [("records", "0003_alter_experiment_kind")]

    operations = [
        migrations.AlterField(
            model_name="study",
            name="queue",
            field=models.CharField(
                choices=[("batch", "Batch"), ("analysis", "Analysis")], default="batch", max_length=12
            ),
        ),
        migrations.RunPython(to_analysis, to_interactive),
    ]
