"""``{% load checks %}``: ``{% verification_card job base %}`` shows on a page what its last sample said."""

from __future__ import annotations

from typing import Any

from django import template

from webapp.lab.checks import selectors
from webapp.lab.checks.subject import Subject
from webapp.records.job import Job
from webapp.records.models import Match

register = template.Library()


@register.inclusion_tag("checks/_card.html")
def verification_card(job: Job, base: str, match: Match | None = None) -> dict[str, Any]:
    """The last sample, and the way to ask for one. base: address of the page."""
    return {"verification": selectors.read(Subject(job, match), most=1), "url": f"{base}verification/"}
