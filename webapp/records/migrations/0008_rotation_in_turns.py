"""Experiments whose line-ups repeat have played equal seatings each time: their specs say so from now on."""

from django.db import migrations

BATCH = 500


def _repeats(seats):
    """Whether a line-up looks the same after fewer seats than it has."""
    return any(
        len(seats) % step == 0 and all(seats[i] == seats[i % step] for i in range(len(seats)))
        for step in range(1, len(seats))
    )


def mark(apps, schema_editor):
    experiments = apps.get_model("records", "Experiment").objects.filter(spec__rotation="all")
    for experiment in experiments.only("pk", "spec").iterator(chunk_size=BATCH):
        if any(_repeats(arm["seats"]) for arm in experiment.spec["arms"]):
            experiment.spec["rotation"] = "turns"
            experiment.save(update_fields=["spec"])


def unmark(apps, schema_editor):
    experiments = apps.get_model("records", "Experiment").objects.filter(spec__rotation="turns")
    for experiment in experiments.only("pk", "spec").iterator(chunk_size=BATCH):
        experiment.spec["rotation"] = "all"
        experiment.save(update_fields=["spec"])


class Migration(migrations.Migration):
    dependencies = [("records", "0007_asked_by")]

    operations = [migrations.RunPython(mark, unmark)]
