"""Writing: start a preset. Callers have checked who asks."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.db.models import Q

from webapp.lab.experiments import services as experiments
from webapp.lab.presets.models import PresetRun
from webapp.lab.studies import services as studies
from webapp.people.accounts.models import User
from webapp.records.models import Experiment, Study
from worker import spec as specs
from worker.presets.model import Preset
from worker.studies import spec as study_specs


def start(owner: User, preset: Preset, scale: str, submission: uuid.UUID | None = None) -> tuple[PresetRun, bool]:
    """Make the experiment or study of a preset and wake the workers; say whether the run is new.

    Nothing new is started while one of the owner's runs of the same scale is running. submission: number of the
    shown form; the same form sent twice starts once. Raises SpecError.
    """
    chosen = preset.scales[scale]
    title = f"{preset.full_title} ({preset.scale_names[scale].lower()})"
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)  # two tabs start one after the other
        running = _running(owner, preset, scale)
        if running is not None:
            return running, False
        if chosen.is_study:
            made = {"study": studies.create(owner, title, study_specs.from_json(chosen.spec), submission=submission)}
        else:
            made = {"experiment": experiments.create(owner, title, specs.from_json(chosen.spec), submission=submission)}
        return PresetRun.objects.get_or_create(**made, defaults={"preset": preset.id, "scale": scale})


def _running(owner: User, preset: Preset, scale: str) -> PresetRun | None:
    """The owner's latest run of this scale that is at work or waits for workers."""
    of_owner = Q(experiment__owner=owner, experiment__status=Experiment.Status.RUNNING) | Q(
        study__owner=owner, study__status=Study.Status.RUNNING
    )
    return PresetRun.objects.filter(of_owner, preset=preset.id, scale=scale).order_by("-pk").first()
