"""``{% load presets %}``: ``{% preset_section job %}`` shows the preset that a job rebuilds."""

from __future__ import annotations

from typing import Any

from django import template

from webapp.lab.presets import selectors
from webapp.records.job import Job

register = template.Library()


@register.inclusion_tag("presets/_section.html")
def preset_section(job: Job) -> dict[str, Any]:
    """The published figures beside those of a run; nothing for a job that rebuilds no preset."""
    run = selectors.runs().of(job).first()
    return {"comparison": selectors.compare_run(run) if run else None, "follow": "tick"}
