"""Writing: start a preset. Callers have checked permissions."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from webapp.lab.jobs import registry as jobs
from webapp.lab.presets.models import PresetRun
from webapp.people.accounts.models import User
from webapp.records.job import Job
from worker.presets.model import Preset

MAX_DRAWN = 10**9
"""Drawn seeds are below this: short enough to be read out."""


def start(owner: User, preset: Preset, scale: str, submission: uuid.UUID | None = None) -> tuple[PresetRun, bool]:
    """Make the job of a preset and wake the workers; say whether the run is new.

    Nothing new is started while one of the owner's runs of the same scale is running. submission: number of the
    shown form; the same form sent twice starts once. The lab's first run of a scale has the seed of the preset, every
    further one a seed of its own: other deals, which are pooled with those before. Raises SpecError.
    """
    chosen = preset.scales[scale]
    title = f"{preset.full_title} ({preset.scale_names[scale].lower()})"
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)  # two tabs start one after the other
        before = _running(owner, preset, scale) or _of_form(owner, preset, scale, submission)
        if before is not None:
            return before, False
        job = jobs.get(chosen.job).start(owner, title, _with_seed(preset, scale), submission)
        values = {"preset": preset.id, "scale": scale, "form": submission}
        return PresetRun.objects.get_or_create(**{job.field: job}, defaults=values)


def _with_seed(preset: Preset, scale: str) -> Mapping[str, Any]:
    """The spec of a scale: as it stands where nobody has run it here, else with a seed drawn now."""
    spec = preset.scales[scale].spec
    if not PresetRun.objects.filter(preset=preset.id, scale=scale).exists():
        return spec
    return {**spec, "seed": secrets.randbelow(MAX_DRAWN)}


def _of_form(owner: User, preset: Preset, scale: str, submission: uuid.UUID | None) -> PresetRun | None:
    """The run that this form has started."""
    if submission is None:
        return None
    mine = PresetRun.objects.where_job(owner=owner)
    found: PresetRun | None = mine.filter(preset=preset.id, scale=scale, form=submission).first()
    return found


def _running(owner: User, preset: Preset, scale: str) -> PresetRun | None:
    """The owner's latest run of this scale that is at work or waits for workers."""
    running = PresetRun.objects.where_job(owner=owner, status=Job.Status.RUNNING)
    found: PresetRun | None = running.filter(preset=preset.id, scale=scale).order_by("-pk").first()
    return found
