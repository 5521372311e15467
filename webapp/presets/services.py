"""Writing: start a preset. Callers have checked who asks."""

from __future__ import annotations

import uuid

from django.db import transaction

from webapp.accounts.models import User
from webapp.experiments import services as experiments
from webapp.presets.models import PresetRun
from webapp.studies import services as studies
from worker.presets.model import SCALES, Preset


def start(owner: User, preset: Preset, scale: str, submission: uuid.UUID | None = None) -> tuple[PresetRun, bool]:
    """Make the experiment or study of a preset and wake the workers; say whether the run is new.

    submission: number of the shown form; the same form sent twice starts once. Raises SpecError.
    """
    chosen = preset.scales[scale]
    title, spec = f"{preset.full_title} ({SCALES[scale].lower()})", dict(chosen.spec)
    with transaction.atomic():
        if chosen.is_study:
            made = {"study": studies.create(owner, title, spec, submission=submission)}
        else:
            made = {"experiment": experiments.create(owner, title, spec, submission=submission)}
        return PresetRun.objects.get_or_create(**made, defaults={"preset": preset.id, "scale": scale})
