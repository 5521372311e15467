"""Writing: start a preset. Callers have checked permissions."""

from __future__ import annotations

import uuid

from django.db import transaction

from webapp.lab.jobs import registry as jobs
from webapp.lab.presets.models import PresetRun
from webapp.people.accounts.models import User
from webapp.records.job import Job
from worker.presets.model import Preset


def start(owner: User, preset: Preset, scale: str, submission: uuid.UUID | None = None) -> tuple[PresetRun, bool]:
    """Make the job of a preset and wake the workers; say whether the run is new.

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
        job = jobs.get(chosen.job).start(owner, title, chosen.spec, submission)
        return PresetRun.objects.get_or_create(**{job.word: job}, defaults={"preset": preset.id, "scale": scale})


def _running(owner: User, preset: Preset, scale: str) -> PresetRun | None:
    """The owner's latest run of this scale that is at work or waits for workers."""
    running = PresetRun.objects.where_job(owner=owner, status=Job.Status.RUNNING)
    found: PresetRun | None = running.filter(preset=preset.id, scale=scale).order_by("-pk").first()
    return found
