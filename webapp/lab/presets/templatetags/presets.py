"""``{% load presets %}``: ``{% preset_section experiment %}`` shows what an experiment or study rebuilds."""

from __future__ import annotations

from typing import Any

from django import template

from webapp.lab.presets import selectors
from webapp.lab.presets.models import PresetRun
from webapp.records.models import Experiment, Study

register = template.Library()


@register.inclusion_tag("presets/_section.html")
def preset_section(job: Experiment | Study) -> dict[str, Any]:
    """The published figures beside those of a run; nothing for what rebuilds no preset."""
    kind = "experiment" if isinstance(job, Experiment) else "study"
    run = PresetRun.objects.select_related("experiment", "study").filter(**{kind: job}).first()
    return {"compared": selectors.compared(run) if run else None, "follow": "tick"}
